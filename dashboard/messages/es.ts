/** The texts of the page in Spanish. */
import type { Messages } from './en.js';

const rules = new Intl.PluralRules('es');
const number = new Intl.NumberFormat('es');

const count = (value: number, forms: { one: string; other: string }): string =>
  (rules.select(value) === 'one' ? forms.one : forms.other).replace('#', number.format(value));

export const es: Messages = {
  dashboard: 'Panel',
  loading: 'Cargando…',
  tryAgain: 'Reintentar',
  close: 'Cerrar',
  remove: 'Quitar',
  show: 'Mostrar',
  showMore: 'Mostrar más',
  exportCsv: 'Exportar CSV',
  print: 'Imprimir',
  member: 'Miembro',
  certification: 'Certificación',
  issuer: 'Emisor',
  lastDay: 'Último día',
  why: '¿Por qué?',
  whyOf: (what) => `¿Por qué? ${what}`,

  session: {
    title: 'Ha cerrado la sesión',
    signIn: 'Iniciar sesión de nuevo',
    cancelled: 'Ha cancelado el inicio de sesión.',
    ended: 'La sesión ha terminado. Inicie sesión de nuevo para seguir donde estaba.',
    elsewhere:
      'Ha cerrado la sesión en otra pestaña. Inicie sesión de nuevo para seguir donde estaba.',
  },

  errors: {
    unreachable: 'No se puede conectar con Lanyard. Compruebe la conexión y reinténtelo.',
    forbidden: 'Solo los administradores y gestores de esta organización pueden ver esto.',
    byCode: {
      RATE_LIMITED: 'Hay demasiadas solicitudes.',
      NOT_FOUND: 'No existe, o no tiene acceso.',
      INTERNAL_ERROR: 'Se produjo un error en el servidor.',
      INTERNAL_SERVER_ERROR: 'Se produjo un error en el servidor.',
    },
    wait: (seconds) =>
      count(seconds, { one: 'Reinténtelo en # segundo.', other: 'Reinténtelo en # segundos.' }),
    request: (id) => `Solicitud ${id}`,
    truncated: (loaded) =>
      `Solo se han cargado ${number.format(loaded)} filas. Los recuentos, las búsquedas y las exportaciones no incluyen las demás.`,
    choices: (most) =>
      `La organización tiene más de ${most} puestos o cualificaciones. Los últimos cambiados no se ofrecen aquí.`,
    loadMore: 'Cargar más',
    partOf: (loaded) => `primeros ${loaded}`,
  },

  organization: {
    label: 'Organización',
    none: 'Todavía no hay organización',
    noneText:
      'No es miembro de ninguna organización. Pida a un administrador de su organización que le añada.',
    unknown: 'No es miembro de la organización de este enlace.',
    goToYours: 'Ir a su organización',
  },

  views: {
    label: 'Vistas',
    readiness: 'Aptitud',
    expiries: 'Vencimientos',
    unverified: 'Verificar',
    crew: 'Cuadrillas',
  },

  toolbar: {
    label: 'Qué mostrar',
    jobRole: 'Puesto',
    allJobRoles: 'Todos los puestos',
    archived: 'Ya no se usa',
    asOf: 'Fecha',
    today: 'Hoy',
  },

  finder: {
    label: 'Buscar a una persona',
    placeholder: 'Nombre, correo o id',
    none: 'Ningún miembro coincide.',
    found: (value) => count(value, { one: '# miembro coincide', other: '# miembros coinciden' }),
  },

  fresh: {
    read: 'Leído',
    old: 'Puede no estar al día: leído',
    refresh: 'Actualizar',
    now: 'ahora mismo',
    minutes: (value) => count(value, { one: 'hace # minuto', other: 'hace # minutos' }),
    hours: (value) => count(value, { one: 'hace # hora', other: 'hace # horas' }),
  },

  tiles: {
    label: 'Resumen',
    qualified: (isToday, day) => (isToday ? 'Aptos hoy' : `Aptos el ${day}`),
    qualifiedOf: (whole, share) =>
      `de ${count(whole, { one: '# miembro', other: '# miembros' })} para sus puestos · ${share}`,
    onlyGaps: 'Mostrar solo carencias',
    expiring: 'Vencen en 30 días',
    expiringText: (value) =>
      count(value, { one: 'certificación registrada', other: 'certificaciones registradas' }),
    unverified: 'Sin verificar',
    unverifiedText: 'certificaciones sin comprobar',
    listThem: 'Ver la lista',
  },

  matrix: {
    title: 'Aptitud',
    label: 'Miembros y cualificaciones',
    search: 'Buscar por nombre',
    onlyGaps: 'Solo carencias',
    columns: 'Columnas',
    required: 'Exigidas por los puestos',
    onlyRequired: 'Solo las exigidas',
    all: 'Todas las cualificaciones',
    sort: 'Orden',
    byName: 'Nombre',
    byGaps: 'Más carencias',
    byEnd: 'Vence antes',
    byColumn: (name) => `Por ${name}`,
    orderBy: (name) => `Ordenar por ${name}`,
    gaps: 'Faltan',
    gapsOf: (value) =>
      value === 0 ? 'sin carencias' : count(value, { one: '# carencia', other: '# carencias' }),
    qualifiedOf: (part, whole) => `${number.format(part)} de ${number.format(whole)}`,
    notRequired: 'No exigidas por ningún puesto',
    signs: 'Signos',
    good: 'apto hasta ese día',
    warning: 'vence en 30 días',
    bad: 'no apto: requisitos cumplidos, del total',
    shown: (shown, all) =>
      shown === all
        ? count(all, { one: '# miembro', other: '# miembros' })
        : `${number.format(shown)} de ${count(all, { one: '# miembro', other: '# miembros' })}`,
    loadingRest: (loaded) => `${number.format(loaded)} miembros cargados…`,
    without: (value) =>
      count(value, {
        one: '# miembro no tiene ningún puesto que exija una cualificación.',
        other: '# miembros no tienen ningún puesto que exija una cualificación.',
      }),
    noMatch: 'Ningún miembro coincide con la búsqueda y los filtros.',
    clear: 'Borrar la búsqueda y los filtros',
    nobodyInRole: 'Ningún miembro tiene este puesto.',
    nothingInRole:
      'Este puesto aún no exige cualificaciones: indíquelas, o elija todos los puestos.',
    nothingRequired: 'Ningún puesto exige todavía una cualificación.',
    showAll: 'Mostrar todas las cualificaciones',
  },

  setup: {
    title: 'Configure su organización',
    text: 'La aptitud compara las certificaciones de los miembros con lo que exigen sus puestos. Todavía falta lo siguiente:',
    members: 'Añadir miembros',
    membersText: 'Invítelos uno a uno, o importe una lista.',
    membersLink: 'Miembros e invitaciones',
    qualifications: 'Definir cualificaciones',
    qualificationsText:
      'Esta organización aún no tiene cualificaciones: cree la primera e indique qué certificaciones exige.',
    jobRoles: 'Indicar qué exige cada puesto',
    jobRolesText: 'Vincule los puestos con cualificaciones y asígnelos a los miembros.',
    certifications: 'Registrar certificaciones',
    certificationsText: 'Impórtelas de una hoja de cálculo, o conecte el sistema que las tiene.',
    guide: 'Leer la guía',
  },

  standing: {
    qualified: 'Apto',
    notQualified: 'No apto',
    nothing: 'aún no se exige nada',
    has: (met, total) => `no apto, tiene ${met} de ${total}`,
    until: (day) => `apto hasta el ${day}`,
    always: 'apto',
    on: (day) => `el ${day}`,
    sinceDay: (day) => `desde el ${day}`,
    untilDay: (day) => `hasta el ${day}`,
    enough: 'Lo que bastaría',
    requirements: 'Requisitos',
    met: (met, total) => `${met} de ${total} cumplidos`,
    noRequirements: 'Aún no hay requisitos definidos, así que nadie es apto.',
    optional: 'opcional',
    metUntil: (day) => `Cumplido hasta el ${day}`,
    metAlways: 'Cumplido, sin fecha de fin',
    unmet: 'No cumplido',
    misses: {
      NONE_HELD: () => 'No hay registro de esta certificación',
      EXPIRED: (day) => `Vencida: el último día fue el ${day}`,
      ISSUED_IN_FUTURE: (day) => `Aún no emitida: empieza el ${day}`,
      DATES_UNKNOWN: () => 'El registro no tiene fecha de emisión ni último día',
      NOT_VERIFIED: () => 'Declarada por el titular, y nadie la ha verificado',
      VERIFICATION_FAILED: () => 'No se pudo confirmar el registro',
      ARCHIVED: () => 'El registro está archivado',
      REVOKED: () => 'El registro fue revocado',
    },
    unknownDay: 'un día desconocido',
    actions: {
      OBTAIN: (title) => `Obtener ${title} y registrar el certificado`,
      RENEW: (title) => `Renovar ${title} y registrar el nuevo certificado`,
      VERIFY: (title) => `Hacer verificar el registro de ${title}`,
      RESTORE: (title) => `Restaurar el registro archivado de ${title}`,
      ENTER_DATES: (title) => `Introducir las fechas de ${title}`,
    },
  },

  record: {
    serial: (text) => `N.º ${text}`,
    issued: (day) => `emitida el ${day}`,
    last: (day) => `último día ${day}`,
    noLast: 'sin último día',
    lifecycle: { ACTIVE: 'activa', REVOKED: 'revocada', ARCHIVED: 'archivada' },
    verification: {
      UNVERIFIED: 'sin verificar',
      PENDING: 'pendiente',
      VERIFIED: 'verificada',
      FAILED: 'fallida',
    },
    validity: {
      VALID: 'válida',
      EXPIRING: 'por vencer',
      EXPIRED: 'vencida',
      UNKNOWN: 'sin fechas',
    },
    source: {
      MANUAL: 'introducida a mano',
      IMPORT: 'importada',
      API: 'de una integración',
      SELF_REPORTED: 'declarada por el titular',
    },
  },

  person: {
    back: 'Todos los miembros',
    own: 'Sus cualificaciones',
    onlyOwn:
      'Solo ve sus propios registros. Los administradores y gestores de la organización ven los de toda la plantilla.',
    qualifications: 'Cualificaciones para sus puestos',
    noJobRole: 'El miembro no tiene ningún puesto que exija una cualificación.',
    others: 'Otras cualificaciones',
    noQualifications: 'La organización aún no tiene cualificaciones.',
    membership: 'Pertenencia',
    role: 'Rol',
    status: 'Estado',
    statuses: { ACTIVE: 'activo', INVITED: 'invitado', SUSPENDED: 'suspendido' },
    email: 'Correo electrónico',
    externalId: 'Identificador externo',
    memberSince: 'Miembro desde',
    jobRoles: 'Puestos',
    main: 'principal',
    assigned: (day) => `desde el ${day}`,
    noJobRoles: 'ninguno',
    certifications: 'Certificaciones',
    noCertifications: 'No hay ninguna certificación registrada.',
    serial: 'Número',
    issued: 'Emitida',
    state: 'Estado',
    verification: 'Verificación',
    source: 'Origen',
    history: 'Historial',
    historyText: 'Los últimos cambios de las certificaciones de arriba.',
    noHistory: 'No hay cambios registrados.',
    created: 'registrada',
    changed: 'modificada',
    by: (name) => `por ${name}`,
    through: (app) => `mediante ${app}`,
    effective: (day) => `con efecto el ${day}`,
    empty: 'vacío',
    properties: {
      issuedOn: 'fecha de emisión',
      expiresOn: 'último día',
      issuerName: 'emisor',
      serialNumber: 'número',
      lifecycleStatus: 'estado',
      verificationStatus: 'verificación',
      verificationMethod: 'método de verificación',
      lastVerifiedAt: 'verificada',
      organizationMemberId: 'titular',
      certificationTypeId: 'tipo de certificación',
      externalId: 'identificador externo',
      externalSource: 'sistema externo',
      source: 'origen',
    },
  },

  expiries: {
    byWeek: 'Registros que vencen, por semana',
    ownByWeek: 'Sus registros que vencen, por semana',
    summary: (weeks, total) =>
      `En ${weeks} semanas ${
        total === 0
          ? 'no vence ningún registro'
          : count(total, { one: 'vence # registro', other: 'vencen # registros' })
      }`,
    busiest: (day, value) => `la semana con más empieza el ${day}: ${value}`,
    week: (from, until, value) =>
      `Del ${from} al ${until}: ${
        value === 0
          ? 'no vence ningún registro'
          : count(value, { one: 'vence # registro', other: 'vencen # registros' })
      }`,
    asTable: 'Lo mismo en una tabla',
    from: 'Desde',
    to: 'Hasta',
    records: 'Registros que vencen',
    endingBy: (until) => `Vencen hasta el ${until}`,
    endingFrom: (from, until) => `Vencen del ${from} al ${until}`,
    allWeeks: 'Todas las semanas',
    none: 'Ningún registro vence en este periodo.',
    losses: 'Cualificaciones que se pierden en 13 semanas',
    noLosses: 'Nadie pierde una cualificación.',
    lostOn: 'No apto desde',
    qualification: 'Cualificación',
    renew: 'Por renovar',
    regained: 'Apto de nuevo',
  },

  unverified: {
    title: 'Registros por verificar',
    text: 'Compare cada registro con el certificado o con el registro de su emisor. Lo que declara el propio titular solo cuenta cuando está verificado.',
    none: 'Todos los registros están comprobados.',
    since: 'Registrada',
  },

  crew: {
    title: '¿Quién hace falta?',
    managersOnly:
      'Los administradores y gestores de la organización planifican las cuadrillas. Sus cualificaciones están en Aptitud.',
    archived:
      'Una cualificación que necesita esta cuadrilla está archivada. Elija otra y compruebe la cuadrilla de nuevo.',
    empty:
      'Añada las cualificaciones que necesita y compruebe si hay suficientes personas aptas el día elegido arriba.',
    none: 'La organización aún no tiene cualificaciones.',
    need: (position) => `Necesidad ${position}`,
    qualification: 'Cualificación',
    people: 'Personas',
    removeNeed: (position) => `Quitar la necesidad ${position}`,
    check: 'Comprobar la cuadrilla',
    add: 'Añadir una cualificación',
    complete: (day) => `La cuadrilla está completa el ${day}.`,
    short: (missing, day) =>
      `A la cuadrilla le ${count(missing, { one: 'falta # persona', other: 'faltan # personas' })} el ${day}.`,
    shortage: (names, needs, needed, eligible) =>
      `${names}: ${count(needed, { one: 'hace falta # persona', other: 'hacen falta # personas' })}${needs === 1 ? '' : ' en total'}, y ${
        eligible === 0
          ? 'ningún miembro es apto'
          : count(eligible, { one: 'solo # es apto', other: 'solo # son aptos' })
      } para ${needs === 1 ? 'ella' : 'alguna de ellas'}.`,
    filled: (assigned, needed) => `${assigned} de ${needed}`,
    missing: (missing) =>
      `${count(missing, { one: 'Falta # persona', other: 'Faltan # personas' })}`,
    partOfGap: 'Parte de la carencia.',
    noneQualified: 'Nadie es apto ese día.',
    qualified: (value) => count(value, { one: '# apto en total.', other: '# aptos en total.' }),
    others: 'Quién más podría ir',
    more: 'y más',
    assigned: 'Asignados',
  },
};
