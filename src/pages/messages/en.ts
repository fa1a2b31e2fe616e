/** The texts of pages in English. A text with a count or a name is a function; `{}` is a part. */

export const en = {
  locale: 'en-GB',

  frame: {
    skip: 'Skip to content',
    portal: 'Portal',
    home: 'Home',
    dashboard: 'Dashboard',
    apps: 'Apps',
    account: 'Account',
    signOut: 'Sign out',
    footer: 'Lanyard: who may safely work on site.',
    language: 'Language',
    copy: 'Copy',
    copied: 'Copied',
    optional: '(optional)',
    needsScript: (name: string) =>
      `${name} needs JavaScript. Turn it on in your browser, then reload this page.`,
    goToPortal: 'Go to the portal',
    request: 'Request {}',
  },

  errors: {
    unknown: 'Something went wrong',
    headings: {
      403: 'Not allowed',
      404: 'Page not found',
      405: 'Not possible here',
      409: 'That did not work',
      422: 'That did not work',
      429: 'Too many attempts',
      503: 'Back in a moment',
    } as Readonly<Record<number, string>>,
    sentences: {
      not_found: 'It does not exist, or no longer exists. Go back, reload the page, and try again.',
      invalid_request: 'The page received something that it could not read. Go back and try again.',
      internal_error:
        'The fault is on our side. Try again in a minute. If it happens again, tell the people who run this server the number below.',
      service_unavailable:
        'Lanyard cannot be reached for the moment. Wait a few seconds, then reload this page.',
    } as Readonly<Record<string, string>>,
    /** Messages of the code, by their English text. Others stay English. */
    said: {} as Readonly<Record<string, string>>,
    wait: (minutes: number) =>
      `There were too many attempts: wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
  },

  signIn: {
    title: 'Sign in',
    continueTo: 'to continue to {}',
    email: 'E-mail address',
    emailHint: 'Or the sign-in name that you got with your invitation.',
    password: 'Password',
    button: 'Sign in',
    or: 'or',
    passkey: 'Sign in with a passkey',
    forgotten: 'Forgotten your password?',
    cancel: (app: string) => `Cancel and go back to ${app}`,
    signedInAs: 'Signed in as {}.',
    notYou: 'Not you?',
    back: 'Back to sign-in',
  },

  passkeyScript: {
    NotAllowedError:
      'The passkey was not used: you cancelled, or it took too long. Try again, or use your password.',
    InvalidStateError: 'This device has a passkey for your account already.',
    tooMany: 'There were too many attempts: wait a few minutes, then try again.',
    outdated: 'This page is out of date: reload it and try again.',
  },

  forgotten: {
    title: 'Forgotten password',
    lead: 'We will send you a link to set a new one.',
    emailHint: 'Or your sign-in name, if it is not the address.',
    send: 'Send the link',
    withoutMail: 'This server sends no e-mail, so another person must give you a link.',
    invited: 'An admin of your organization gave you the link with which you joined?',
    askAdmin:
      'Ask an admin there: they find “Make a reset link” under Members, as long as you belong to no other organization.',
    otherwise: 'Otherwise',
    askOperator: 'ask the operator of this server, who runs {} with your sign-in name.',
    sent: 'Check your e-mail',
    sentText:
      'If there is an account for {}, a link is on its way. It works once, for an hour. If nothing comes, look in your spam folder. We send one mail in half an hour at most, so a link of a moment ago is still the right one.',
  },

  link: {
    welcome: 'Welcome to Lanyard',
    reset: 'Choose a new password',
    welcomeText: (name: string) =>
      `${name}, you have an account here. Choose a password, and you are signed in.`,
    resetText:
      'You will be signed out everywhere else, and apps can no longer act for you until you sign in to them again.',
    signInName: 'You sign in as {}',
    newPassword: 'New password',
    passwordHint: 'At least 12 characters. A few words in a row are easy to remember.',
    again: 'The new password again',
    save: 'Save and sign in',
  },

  invitation: {
    join: (organization: string) => `Join ${organization}`,
    lead: (name: string, organization: string) => `${name}, ${organization} invited you as {}.`,
    hasAccount: 'You have an account for {} already. Sign in, and accept the invitation.',
    newAccount: 'A new account for {}',
    make: 'Make an account and join',
    takesOver:
      'If you signed in here before, join with that account: a new one takes this address over.',
    other: 'Join with an account you have',
    isMember: (organization: string) =>
      `You are a member of ${organization} already, with the account you are signed in to.`,
    forAnother: (invited: string, user: string) =>
      `The invitation is for ${invited}, and you are signed in as ${user}. Join only if both are you.`,
    endsManagement:
      'Until now, an admin of your organization could set your password. With a second organization your account is yours alone: choose a new password. You will be signed out everywhere else, and asked about each passkey.',
    title: 'Invitations',
    invitedOn: 'invited you on {}',
    accept: 'Accept',
    acceptOf: (organization: string) => `Accept the invitation of ${organization}`,
    decline: 'Decline',
    declineOf: (organization: string) => `Decline the invitation of ${organization}`,
  },

  consent: {
    title: (app: string) => `Allow ${app}?`,
    lead: (app: string) => `${app} wants to work with Lanyard for you. It was registered by {}.`,
    operator: 'the operator of this server',
    aboutYou: 'About you, it may',
    inOrganizations: 'In your organizations, it may',
    identity: {
      openid: 'Recognize you when you come back',
      profile: 'See your name',
      email: 'See your e-mail address',
    } as Readonly<Record<string, string>>,
    /** By API scope; the descriptions of the scopes stand for the others. */
    scopes: {} as Readonly<Record<string, string>>,
    where: 'Where',
    whereText:
      'Only in organizations that approved the app, and there only what you may do yourself.',
    none: 'You are not an active member of any organization.',
    approved: 'approved',
    partly: 'approved in part',
    waiting: 'waiting',
    approvedOn: 'Approved on {}.',
    approvedBy: (name: string) => `Approved by ${name} on {}.`,
    added: 'What was added to the app since waits for an admin.',
    notApproved: (organization: string) =>
      `The app has no access here until an admin of ${organization} approves it.`,
    seeApprovals: 'You are an admin here: see approvals',
    allow: 'Allow',
    deny: "Don't allow",
  },

  home: {
    title: 'Home',
    signedInAs: (email: string) => `Signed in as ${email}`,
    outcomes: {
      accepted: 'You joined the organization.',
      declined: 'You declined the invitation. The organization can invite you again.',
      primary: 'Your main organization is changed.',
    } as Readonly<Record<string, string>>,
    welcome: 'Welcome. On other devices you sign in as {}: note it down.',
    noOrganization: 'No organization yet',
    noOrganizationText:
      'You are not an active member of an organization. Ask an admin of your organization to invite you.',
    apps: 'Apps',
    appsText:
      'For developers: register an app to read and write safety records for the people who use it, through REST or GraphQL.',
    yourApps: 'Your apps',
    reference: 'API reference',
    explorer: 'GraphQL explorer',
    account: 'Your account',
    accountText: 'Change your password, add a passkey, and see where you are signed in.',
    accountLink: 'Account',
    main: 'main',
    approvals: 'App approvals',
    members: 'Members',
    audit: 'Audit log',
    adminsApprove: 'Its admins approve the apps that can be used here.',
    makeMain: 'Make it my main organization',
    makeMainOf: (name: string) => `Make it my main organization: ${name}`,
  },

  account: {
    title: 'Account',
    unconfirmed: 'A passkey waits until you confirm it.',
    lookAtIt: 'Look at it',
    password: 'Password',
    passwordText:
      'A new password signs you out everywhere but here. Select the other items as well, unless you know that no one else used the old one.',
    current: 'Current password',
    endGrants: 'End what apps may do for me',
    askPasskeys: 'Ask me to confirm each passkey',
    change: 'Change password',
    passwordChanged: 'Your password is changed.',
    nowhereElse: 'You were signed in nowhere else.',
    endedPlaces: (ended: number) =>
      `You were signed out in ${ended} other ${ended === 1 ? 'place' : 'places'}.`,
    done: {
      passkey: 'The passkey is added. You can sign in with it from now on.',
      'passkey-removed': 'The passkey is removed. You can no longer sign in with it.',
      session: 'You are signed out there.',
      grant: 'The app is signed out. It can no longer act for you.',
    } as Readonly<Record<string, string>>,
    activity: 'Recent activity',
    activityText:
      "If you don't recognize something here, change your password and end the sessions that aren't yours.",
    allActivity: 'All activity',
    activityTitle: 'Activity',
    activityLead: 'Sign-ins, also failed ones, and changes of your account.',
    happened: 'What happened',
    back: 'Back to the account',
  },

  sessions: {
    title: 'Where you are signed in',
    text: "If you don't recognize one of them, sign it out and change your password.",
    here: 'this browser',
    methods: { password: 'by password', passkey: 'by passkey', link: 'by one-time link' },
    since: (method: string) => `${method} on {}`,
    active: 'last active {}',
    signOut: 'Sign out',
    signOutOf: (device: string) => `Sign out ${device}`,
    others: 'Sign out everywhere else',
    unknown: 'Unknown browser',
    on: (browser: string, system: string) => `${browser} on ${system}`,
  },

  grants: {
    title: 'Apps with access to your account',
    text: 'Each sign-in through an app lasts until you end it here, or until the day shown.',
    none: 'No app is signed in for you.',
    since: 'Since {}',
    until: 'until {} at the latest',
    end: 'End',
    endOf: (app: string) => `End the sign-in through ${app}`,
  },

  passkeys: {
    title: 'Passkeys',
    text: "A passkey signs you in with your device's own lock, such as a fingerprint, instead of a password.",
    unconfirmed: 'not confirmed',
    added: 'Added {}',
    used: 'last used {}',
    unused: 'not used yet',
    confirm: 'Confirm',
    confirmOf: (name: string) => `Confirm ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    confirmTitle: 'Confirm your passkeys',
    confirmText:
      "A passkey signs in without the password. Keep yours, and remove any that you don't recognize.",
    allConfirmed: 'Every passkey is confirmed.',
    later: 'Later',
    needsDomain:
      'Passkeys need a domain name, and this server is reached at an IP address. On your own machine, set BASE_URL to http://localhost with the port.',
    signInAgainText: 'To add a passkey, sign in again to confirm that it is you.',
    signInAgain: 'Sign in again',
    name: 'Name of the passkey',
    nameHint: 'A name to recognize it by, such as “Work phone”.',
    add: 'Add a passkey',
  },

  oauth: {
    notSignedIn: 'The app could not sign you in',
    notSignedInText:
      'Go back to the app and start again. If that does not help, tell the people who run the app this:',
    refused: 'This request can not go on',
    signOut: 'Sign out of Lanyard?',
    signOutText:
      'This signs you out in this browser. Apps with access to your account in the background go on.',
    signOutBy: (app: string) =>
      `${app} asks to sign you out in this browser. Apps with access to your account in the background go on.`,
    stay: 'Stay signed in',
    close: 'You can close this page',
  },
};

export type Messages = typeof en;
