/** The texts of pages in Spanish. */
import type { Messages } from './en.js';

export const es: Messages = {
  locale: 'es',

  frame: {
    skip: 'Ir al contenido',
    portal: 'Portal',
    home: 'Inicio',
    dashboard: 'Panel',
    apps: 'Aplicaciones',
    account: 'Cuenta',
    signOut: 'Cerrar sesión',
    footer: 'Lanyard: quién puede trabajar con seguridad en la obra.',
    language: 'Idioma',
    copy: 'Copiar',
    copied: 'Copiado',
    optional: '(opcional)',
    needsScript: (name) =>
      `${name} necesita JavaScript. Actívelo en su navegador y recargue la página.`,
    goToPortal: 'Ir al portal',
    request: 'Solicitud {}',
  },

  errors: {
    unknown: 'Algo ha fallado',
    headings: {
      403: 'No está permitido',
      404: 'No se encuentra la página',
      405: 'Aquí no es posible',
      409: 'No ha funcionado',
      422: 'No ha funcionado',
      429: 'Demasiados intentos',
      503: 'Volvemos en un momento',
    },
    sentences: {
      not_found:
        'No existe, o ya no existe. Vuelva atrás, recargue la página e inténtelo de nuevo.',
      invalid_request:
        'La página recibió algo que no pudo leer. Vuelva atrás e inténtelo de nuevo.',
      internal_error:
        'El fallo es nuestro. Inténtelo de nuevo en un minuto. Si se repite, indique el número de abajo a quienes administran este servidor.',
      service_unavailable:
        'No se puede conectar con Lanyard en este momento. Espere unos segundos y recargue la página.',
    },
    said: {
      'The e-mail address or the password is wrong. Check both, and try again.':
        'El correo electrónico o la contraseña no son correctos. Compruébelos e inténtelo de nuevo.',
      'This account is disabled. Ask the operator of this server.':
        'Esta cuenta está desactivada. Consulte al operador de este servidor.',
      'Your password was changed just now. Sign in again.':
        'Su contraseña se acaba de cambiar. Inicie sesión de nuevo.',
      'Use more than four different characters.': 'Use más de cuatro caracteres distintos.',
      'Leave your e-mail address out of the password.':
        'No incluya su correo electrónico en la contraseña.',
      'This is not the same as the new password. Type it again.':
        'No coincide con la nueva contraseña. Escríbala de nuevo.',
      'This is not your current password.': 'Esta no es su contraseña actual.',
      'This is the password that you have. Choose another.':
        'Esta es su contraseña actual. Elija otra.',
      'The passkey could not be verified. Try again.':
        'No se pudo comprobar la llave de acceso. Inténtelo de nuevo.',
      'This passkey is known already.': 'Esta llave de acceso ya está registrada.',
      'Lanyard does not know this passkey. It may have been removed. Sign in with your password.':
        'Lanyard no conoce esta llave de acceso. Quizá se quitó. Inicie sesión con su contraseña.',
      'Your password was changed after you added this passkey. Sign in with the password, and confirm the passkey under “Account”.':
        'Su contraseña se cambió después de añadir esta llave de acceso. Inicie sesión con la contraseña y confirme la llave en «Cuenta».',
      'This link was used already, or has expired. Ask for a new one.':
        'Este enlace ya se usó o ha caducado. Pida uno nuevo.',
      'This link has ended': 'Este enlace ya no es válido',
      'This invitation was used already, was withdrawn, or has expired. Ask for a new one.':
        'Esta invitación ya se usó, se retiró o ha caducado. Pida una nueva.',
      'This session has already ended.': 'Esta sesión ya ha terminado.',
      'This sign-in has already ended.': 'Este inicio de sesión ya ha terminado.',
      'This page is out of date': 'Esta página no está al día',
      'You signed in or out since it was opened, so nothing was changed. Go back, reload the page, and send the form again.':
        'Inició o cerró sesión desde que se abrió, así que no se cambió nada. Vuelva atrás, recargue la página y envíe el formulario de nuevo.',
      'It is more than a quarter of an hour since you signed in. Sign in again to add a passkey.':
        'Ha pasado más de un cuarto de hora desde que inició sesión. Inicie sesión de nuevo para añadir una llave de acceso.',
      'This sign-in took too long, is already finished, or was started in another browser: go back to the app and start again.':
        'Este inicio de sesión tardó demasiado, ya terminó o empezó en otro navegador: vuelva a la aplicación y empiece de nuevo.',
      'There is no such page. Check the address, or start from the portal.':
        'No existe esa página. Compruebe la dirección o empiece en el portal.',
    },
    wait: (minutes) =>
      `Ha habido demasiados intentos: espere ${minutes === 1 ? 'un minuto' : `${minutes} minutos`} e inténtelo de nuevo.`,
  },

  signIn: {
    title: 'Iniciar sesión',
    continueTo: 'para continuar en {}',
    email: 'Correo electrónico',
    emailHint: 'O el nombre de usuario que recibió con su invitación.',
    password: 'Contraseña',
    button: 'Iniciar sesión',
    or: 'o',
    passkey: 'Usar una llave de acceso',
    forgotten: '¿Ha olvidado su contraseña?',
    cancel: (app) => `Cancelar y volver a ${app}`,
    signedInAs: 'Sesión iniciada como {}.',
    notYou: '¿No es usted?',
    back: 'Volver al inicio de sesión',
  },

  passkeyScript: {
    NotAllowedError:
      'No se usó la llave de acceso: la canceló o tardó demasiado. Inténtelo de nuevo o use su contraseña.',
    InvalidStateError: 'Este dispositivo ya tiene una llave de acceso para su cuenta.',
    tooMany: 'Ha habido demasiados intentos: espere unos minutos e inténtelo de nuevo.',
    outdated: 'Esta página no está al día: recárguela e inténtelo de nuevo.',
  },

  forgotten: {
    title: 'Contraseña olvidada',
    lead: 'Le enviaremos un enlace para elegir una nueva.',
    emailHint: 'O su nombre de usuario, si no es el correo.',
    send: 'Enviar el enlace',
    withoutMail: 'Este servidor no envía correos, así que otra persona debe darle un enlace.',
    invited: '¿Un administrador de su organización le dio el enlace con el que se unió?',
    askAdmin:
      'Pídaselo a un administrador: en «Members» encontrará «Make a reset link», siempre que usted no pertenezca a otra organización.',
    otherwise: 'Si no,',
    askOperator: 'pídaselo al operador de este servidor, que ejecuta {} con su nombre de usuario.',
    sent: 'Revise su correo',
    sentText:
      'Si existe una cuenta para {}, le llegará un enlace. Sirve una vez, durante una hora. Si no llega nada, mire en el correo no deseado. Enviamos como máximo un correo cada media hora, así que un enlace reciente sigue siendo válido.',
  },

  link: {
    welcome: 'Le damos la bienvenida a Lanyard',
    reset: 'Elija una nueva contraseña',
    welcomeText: (name) =>
      `${name}, tiene una cuenta aquí. Elija una contraseña y se iniciará la sesión.`,
    resetText:
      'Se cerrarán todas las demás sesiones, y las aplicaciones ya no podrán actuar por usted hasta que vuelva a iniciar sesión en ellas.',
    signInName: 'Inicia sesión como {}',
    newPassword: 'Nueva contraseña',
    passwordHint: 'Al menos 12 caracteres. Varias palabras seguidas son fáciles de recordar.',
    again: 'La nueva contraseña otra vez',
    save: 'Guardar e iniciar sesión',
  },

  invitation: {
    join: (organization) => `Unirse a ${organization}`,
    lead: (name, organization) => `${name}, ${organization} le invitó como {}.`,
    hasAccount: 'Ya tiene una cuenta para {}. Inicie sesión y acepte la invitación.',
    newAccount: 'Una cuenta nueva para {}',
    make: 'Crear una cuenta y unirse',
    takesOver:
      'Si ya inició sesión aquí antes, únase con esa cuenta: una nueva se queda con esta dirección.',
    other: 'Unirse con una cuenta que ya tiene',
    isMember: (organization) =>
      `Ya es miembro de ${organization} con la cuenta con la que ha iniciado sesión.`,
    forAnother: (invited, user) =>
      `La invitación es para ${invited}, y ha iniciado sesión como ${user}. Únase solo si es usted en ambos casos.`,
    endsManagement:
      'Hasta ahora, un administrador de su organización podía cambiar su contraseña. Con una segunda organización la cuenta es solo suya: elija una nueva contraseña. Se cerrarán las demás sesiones y se le preguntará por cada llave de acceso.',
    title: 'Invitaciones',
    invitedOn: 'le invitó el {}',
    accept: 'Aceptar',
    acceptOf: (organization) => `Aceptar la invitación de ${organization}`,
    decline: 'Rechazar',
    declineOf: (organization) => `Rechazar la invitación de ${organization}`,
  },

  consent: {
    title: (app) => `¿Permitir ${app}?`,
    lead: (app) => `${app} quiere trabajar con Lanyard en su nombre. La registró {}.`,
    operator: 'el operador de este servidor',
    aboutYou: 'Sobre usted, puede',
    inOrganizations: 'En sus organizaciones, puede',
    identity: {
      openid: 'Reconocerle cuando vuelva',
      profile: 'Ver su nombre',
      email: 'Ver su correo electrónico',
    },
    scopes: {
      'organizations:read': 'Ver sus organizaciones',
      'organizations:write': 'Cambiar sus organizaciones',
      'organization_members:read': 'Ver a los miembros',
      'organization_members:write': 'Añadir y cambiar miembros',
      'certification_types:read': 'Ver los tipos de certificación',
      'certification_types:write': 'Añadir y cambiar tipos de certificación',
      'certification_records:read': 'Ver los registros de certificación',
      'certification_records:write': 'Añadir y cambiar registros de certificación',
      'qualifications:read': 'Ver las cualificaciones y sus requisitos',
      'qualifications:write': 'Añadir y cambiar cualificaciones y requisitos',
      'job_roles:read': 'Ver los puestos',
      'job_roles:write': 'Cambiar los puestos y asignarlos',
    },
    where: 'Dónde',
    whereText:
      'Solo en las organizaciones que aprobaron la aplicación, y allí solo lo que usted mismo puede hacer.',
    none: 'No es miembro activo de ninguna organización.',
    approved: 'aprobada',
    partly: 'aprobada en parte',
    waiting: 'pendiente',
    approvedOn: 'Aprobada el {}.',
    approvedBy: (name) => `Aprobada por ${name} el {}.`,
    added: 'Lo que se añadió después a la aplicación espera a un administrador.',
    notApproved: (organization) =>
      `La aplicación no tiene acceso aquí hasta que un administrador de ${organization} la apruebe.`,
    seeApprovals: 'Usted es administrador aquí: ver las aprobaciones',
    allow: 'Permitir',
    deny: 'No permitir',
  },

  home: {
    title: 'Inicio',
    signedInAs: (email) => `Sesión iniciada como ${email}`,
    outcomes: {
      accepted: 'Se ha unido a la organización.',
      declined: 'Ha rechazado la invitación. La organización puede invitarle de nuevo.',
      primary: 'Se ha cambiado su organización principal.',
    },
    welcome: 'Le damos la bienvenida. En otros dispositivos inicia sesión como {}: anótelo.',
    noOrganization: 'Todavía no hay organización',
    noOrganizationText:
      'No es miembro activo de ninguna organización. Pida a un administrador de su organización que le invite.',
    apps: 'Aplicaciones',
    appsText:
      'Para desarrolladores: registre una aplicación para leer y escribir registros de seguridad de las personas que la usan, por REST o GraphQL.',
    yourApps: 'Sus aplicaciones',
    reference: 'Referencia de la API',
    explorer: 'Explorador de GraphQL',
    account: 'Su cuenta',
    accountText: 'Cambie su contraseña, añada una llave de acceso y vea dónde ha iniciado sesión.',
    accountLink: 'Cuenta',
    main: 'principal',
    approvals: 'Aprobación de aplicaciones',
    members: 'Miembros',
    audit: 'Registro de auditoría',
    adminsApprove: 'Sus administradores aprueban las aplicaciones que se pueden usar aquí.',
    makeMain: 'Hacerla mi organización principal',
    makeMainOf: (name) => `Hacerla mi organización principal: ${name}`,
  },

  account: {
    title: 'Cuenta',
    unconfirmed: 'Una llave de acceso espera su confirmación.',
    lookAtIt: 'Verla',
    password: 'Contraseña',
    passwordText:
      'Una nueva contraseña cierra las demás sesiones. Marque también el resto, salvo que sepa que nadie más usó la anterior.',
    current: 'Contraseña actual',
    endGrants: 'Terminar lo que las aplicaciones pueden hacer por mí',
    askPasskeys: 'Pedirme que confirme cada llave de acceso',
    change: 'Cambiar la contraseña',
    passwordChanged: 'Se ha cambiado su contraseña.',
    nowhereElse: 'No tenía ninguna otra sesión.',
    endedPlaces: (ended) =>
      ended === 1 ? 'Se ha cerrado otra sesión.' : `Se han cerrado otras ${ended} sesiones.`,
    done: {
      passkey: 'Se ha añadido la llave de acceso. Ya puede iniciar sesión con ella.',
      'passkey-removed': 'Se ha quitado la llave de acceso. Ya no puede iniciar sesión con ella.',
      session: 'Se ha cerrado esa sesión.',
      grant: 'Se ha cerrado la sesión de la aplicación. Ya no puede actuar por usted.',
    },
    activity: 'Actividad reciente',
    activityText:
      'Si no reconoce algo, cambie su contraseña y cierre las sesiones que no sean suyas.',
    allActivity: 'Toda la actividad',
    activityTitle: 'Actividad',
    activityLead: 'Inicios de sesión, también los fallidos, y cambios de su cuenta.',
    happened: 'Qué ha pasado',
    back: 'Volver a la cuenta',
  },

  sessions: {
    title: 'Dónde ha iniciado sesión',
    text: 'Si no reconoce alguna sesión, ciérrela y cambie su contraseña.',
    here: 'este navegador',
    methods: {
      password: 'con contraseña',
      passkey: 'con llave de acceso',
      link: 'con enlace de un solo uso',
    },
    since: (method) => `${method} el {}`,
    active: 'última actividad {}',
    signOut: 'Cerrar',
    signOutOf: (device) => `Cerrar la sesión de ${device}`,
    others: 'Cerrar todas las demás sesiones',
    unknown: 'Navegador desconocido',
    on: (browser, system) => `${browser} en ${system}`,
  },

  grants: {
    title: 'Aplicaciones con acceso a su cuenta',
    text: 'Cada inicio de sesión de una aplicación dura hasta que lo termine aquí o hasta el día indicado.',
    none: 'Ninguna aplicación tiene una sesión en su nombre.',
    since: 'Desde {}',
    until: 'hasta el {} como máximo',
    end: 'Terminar',
    endOf: (app) => `Terminar la sesión de ${app}`,
  },

  passkeys: {
    title: 'Llaves de acceso',
    text: 'Una llave de acceso inicia sesión con el bloqueo de su dispositivo, por ejemplo la huella, en lugar de una contraseña.',
    unconfirmed: 'sin confirmar',
    added: 'Añadida el {}',
    used: 'usada por última vez el {}',
    unused: 'todavía sin usar',
    confirm: 'Confirmar',
    confirmOf: (name) => `Confirmar ${name}`,
    remove: 'Quitar',
    removeOf: (name) => `Quitar ${name}`,
    confirmTitle: 'Confirme sus llaves de acceso',
    confirmText:
      'Una llave de acceso inicia sesión sin la contraseña. Conserve las suyas y quite las que no reconozca.',
    allConfirmed: 'Todas las llaves de acceso están confirmadas.',
    later: 'Más tarde',
    needsDomain:
      'Las llaves de acceso necesitan un nombre de dominio, y este servidor usa una dirección IP. En su propio equipo, ponga en BASE_URL http://localhost con el puerto.',
    signInAgainText:
      'Para añadir una llave de acceso, inicie sesión de nuevo y confirme que es usted.',
    signInAgain: 'Iniciar sesión de nuevo',
    name: 'Nombre de la llave de acceso',
    nameHint: 'Un nombre para reconocerla, como «Teléfono del trabajo».',
    add: 'Añadir una llave de acceso',
  },

  oauth: {
    notSignedIn: 'La aplicación no pudo iniciar la sesión',
    notSignedInText:
      'Vuelva a la aplicación y empiece de nuevo. Si no sirve, indique esto a quienes administran la aplicación:',
    refused: 'Esta solicitud no puede continuar',
    signOut: '¿Cerrar la sesión de Lanyard?',
    signOutText:
      'Cierra la sesión en este navegador. Las aplicaciones con acceso a su cuenta en segundo plano continúan.',
    signOutBy: (app) =>
      `${app} pide cerrar la sesión en este navegador. Las aplicaciones con acceso a su cuenta en segundo plano continúan.`,
    stay: 'Mantener la sesión',
    close: 'Puede cerrar esta página',
  },
};
