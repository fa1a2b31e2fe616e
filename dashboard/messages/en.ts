/** The texts of the page in English. A text with a count or a name is a function. */

const rules = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

/** Chooses by grammatical number; `#` stands for the count. */
const count = (value: number, forms: { one: string; other: string }): string =>
  (rules.select(value) === 'one' ? forms.one : forms.other).replace('#', number.format(value));

const people = (value: number) => count(value, { one: '# person', other: '# people' });

export const en = {
  dashboard: 'Dashboard',
  loading: 'Loading…',
  tryAgain: 'Try again',
  close: 'Close',
  remove: 'Remove',
  show: 'Show',
  showMore: 'Show more',
  exportCsv: 'Export CSV',
  print: 'Print',
  member: 'Member',
  certification: 'Certification',
  issuer: 'Issuer',
  lastDay: 'Last day',
  why: 'Why?',
  whyOf: (what: string) => `Why? ${what}`,

  session: {
    title: 'You are signed out',
    signIn: 'Sign in again',
    cancelled: 'You cancelled the sign-in.',
    ended: 'Your sign-in has ended. Sign in again to go on where you were.',
    elsewhere: 'You signed out in another tab. Sign in again to go on where you were.',
  },

  errors: {
    unreachable: 'Lanyard cannot be reached. Check the connection, and try again.',
    forbidden: 'Only an admin or a manager of this organization may see this.',
    /** By code of the API. The message of the API stands for other codes. */
    byCode: {} as Readonly<Record<string, string>>,
    wait: (seconds: number) =>
      count(seconds, { one: 'Try again in # second.', other: 'Try again in # seconds.' }),
    request: (id: string) => `Request ${id}`,
    truncated: (loaded: number) =>
      `Only ${number.format(loaded)} rows are loaded. Counts, searches and exports do not include the others.`,
    choices: (most: number) =>
      `The organization has more than ${most} job roles or qualifications. Those changed last are not offered here.`,
    loadMore: 'Load more',
    partOf: (loaded: number) => `first ${loaded}`,
  },

  organization: {
    label: 'Organization',
    none: 'No organization yet',
    noneText:
      'You are not a member of an organization. Ask an admin of your organization to add you.',
    unknown: 'You are not a member of the organization that this link leads to.',
    goToYours: 'Go to your organization',
  },

  views: {
    label: 'Views',
    readiness: 'Readiness',
    expiries: 'Expiries',
    unverified: 'To verify',
    crew: 'Crew planner',
  },

  toolbar: {
    label: 'What to show',
    jobRole: 'Job role',
    allJobRoles: 'All job roles',
    archived: 'No longer in use',
    asOf: 'As of',
    today: 'Today',
  },

  finder: {
    label: 'Find a person',
    placeholder: 'Name, e-mail or id',
    none: 'No member matches.',
    found: (value: number) => count(value, { one: '# member matches', other: '# members match' }),
  },

  fresh: {
    read: 'Read',
    old: 'This may be out of date: read',
    refresh: 'Refresh',
    now: 'just now',
    minutes: (value: number) => count(value, { one: '# minute ago', other: '# minutes ago' }),
    hours: (value: number) => count(value, { one: '# hour ago', other: '# hours ago' }),
  },

  tiles: {
    label: 'Summary',
    qualified: (isToday: boolean, day: string) =>
      isToday ? 'Qualified today' : `Qualified on ${day}`,
    qualifiedOf: (whole: number, share: string) =>
      `of ${count(whole, { one: '# member', other: '# members' })} for their job roles · ${share}`,
    onlyGaps: 'Show only gaps',
    expiring: 'Expiring within 30 days',
    expiringText: (value: number) =>
      count(value, { one: 'certification record', other: 'certification records' }),
    unverified: 'Unverified',
    unverifiedText: 'certification records without a check',
    listThem: 'List them',
  },

  matrix: {
    title: 'Readiness',
    label: 'Members and qualifications',
    search: 'Search by name',
    onlyGaps: 'Only gaps',
    columns: 'Columns',
    required: 'Required by job roles',
    onlyRequired: 'Required only',
    all: 'All qualifications',
    sort: 'Order',
    byName: 'Name',
    byGaps: 'Most gaps',
    byEnd: 'Ends first',
    byColumn: (name: string) => `By ${name}`,
    orderBy: (name: string) => `Order by ${name}`,
    gaps: 'Gaps',
    gapsOf: (value: number) =>
      value === 0 ? 'no gaps' : count(value, { one: '# gap', other: '# gaps' }),
    qualifiedOf: (part: number, whole: number) =>
      `${number.format(part)} of ${number.format(whole)}`,
    notRequired: 'Not required by a job role',
    signs: 'Signs',
    good: 'qualified until that day',
    warning: 'ends within 30 days',
    bad: 'not qualified: requirements met, of all',
    shown: (shown: number, all: number) =>
      shown === all
        ? count(all, { one: '# member', other: '# members' })
        : `${number.format(shown)} of ${count(all, { one: '# member', other: '# members' })}`,
    loadingRest: (loaded: number) => `${number.format(loaded)} members loaded…`,
    without: (value: number) =>
      count(value, {
        one: '# member has no job role that requires a qualification.',
        other: '# members have no job role that requires a qualification.',
      }),
    noMatch: 'No member matches the search and the filters.',
    clear: 'Clear the search and the filters',
    nobodyInRole: 'No member has this job role.',
    nothingInRole: 'This job role needs no qualifications yet: name them, or choose all job roles.',
    nothingRequired: 'No job role requires a qualification yet.',
    showAll: 'Show all qualifications',
  },

  setup: {
    title: 'Set up your organization',
    text: 'Readiness compares the certifications of members with what their job roles require. This is still missing:',
    members: 'Add members',
    membersText: 'Invite them one by one, or import a list.',
    membersLink: 'Members and invitations',
    qualifications: 'Define qualifications',
    qualificationsText:
      'This organization has no qualifications yet: create the first, and say which certifications it requires.',
    jobRoles: 'Say what each job role requires',
    jobRolesText: 'Link job roles to qualifications, then assign job roles to members.',
    certifications: 'Record certifications',
    certificationsText: 'Import them from a spreadsheet, or connect the system that has them.',
    guide: 'Read the guide',
  },

  standing: {
    qualified: 'Qualified',
    notQualified: 'Not qualified',
    nothing: 'nothing is required yet',
    has: (met: number, total: number) => `not qualified, has ${met} of ${total}`,
    until: (day: string) => `qualified until ${day}`,
    always: 'qualified',
    on: (day: string) => `on ${day}`,
    sinceDay: (day: string) => `since ${day}`,
    untilDay: (day: string) => `until ${day}`,
    enough: 'What would be enough',
    requirements: 'Requirements',
    met: (met: number, total: number) => `${met} of ${total} met`,
    noRequirements: 'No requirements are defined yet, so no one is qualified.',
    optional: 'optional',
    metUntil: (day: string) => `Met until ${day}`,
    metAlways: 'Met, with no end',
    unmet: 'Not met',
    misses: {
      NONE_HELD: () => 'No record of this certification',
      EXPIRED: (day: string) => `Expired: the last day was ${day}`,
      ISSUED_IN_FUTURE: (day: string) => `Not issued yet: it begins on ${day}`,
      DATES_UNKNOWN: () => 'The record has neither a day of issue nor a last day',
      NOT_VERIFIED: () => 'Reported by the holder, and not verified by anyone',
      VERIFICATION_FAILED: () => 'The record could not be confirmed',
      ARCHIVED: () => 'The record is archived',
      REVOKED: () => 'The record was revoked',
    },
    unknownDay: 'an unknown day',
    actions: {
      OBTAIN: (title: string) => `Obtain ${title}, and record the certificate`,
      RENEW: (title: string) => `Renew ${title}, and record the new certificate`,
      VERIFY: (title: string) => `Have the record of ${title} verified`,
      RESTORE: (title: string) => `Restore the archived record of ${title}`,
      ENTER_DATES: (title: string) => `Enter the dates of ${title}`,
    },
  },

  record: {
    serial: (text: string) => `No. ${text}`,
    issued: (day: string) => `issued ${day}`,
    last: (day: string) => `last day ${day}`,
    noLast: 'no last day',
    lifecycle: { ACTIVE: 'active', REVOKED: 'revoked', ARCHIVED: 'archived' },
    verification: {
      UNVERIFIED: 'unverified',
      PENDING: 'pending',
      VERIFIED: 'verified',
      FAILED: 'failed',
    },
    validity: { VALID: 'valid', EXPIRING: 'expiring', EXPIRED: 'expired', UNKNOWN: 'no dates' },
    source: {
      MANUAL: 'entered by hand',
      IMPORT: 'imported',
      API: 'from an integration',
      SELF_REPORTED: 'reported by the holder',
    },
  },

  person: {
    back: 'All members',
    own: 'Your qualifications',
    onlyOwn:
      'You see only your own records. Admins and managers of the organization see those of the whole crew.',
    qualifications: 'Qualifications for the job roles',
    noJobRole: 'The member has no job role that requires a qualification.',
    others: 'Other qualifications',
    noQualifications: 'The organization has no qualifications yet.',
    membership: 'Membership',
    role: 'Role',
    status: 'Status',
    statuses: { ACTIVE: 'active', INVITED: 'invited', SUSPENDED: 'suspended' },
    email: 'E-mail address',
    externalId: 'External id',
    memberSince: 'Member since',
    jobRoles: 'Job roles',
    main: 'main',
    assigned: (day: string) => `since ${day}`,
    noJobRoles: 'none',
    certifications: 'Certifications',
    noCertifications: 'No certification is recorded.',
    serial: 'Number',
    issued: 'Issued',
    state: 'State',
    verification: 'Verification',
    source: 'Source',
    history: 'History',
    historyText: 'The last changes of the certifications shown above.',
    noHistory: 'No change is recorded.',
    created: 'recorded',
    changed: 'changed',
    by: (name: string) => `by ${name}`,
    through: (app: string) => `through ${app}`,
    effective: (day: string) => `effective ${day}`,
    empty: 'empty',
    properties: {
      issuedOn: 'day of issue',
      expiresOn: 'last day',
      issuerName: 'issuer',
      serialNumber: 'number',
      lifecycleStatus: 'state',
      verificationStatus: 'verification',
      verificationMethod: 'verification method',
      lastVerifiedAt: 'verified',
      organizationMemberId: 'holder',
      certificationTypeId: 'certification type',
      externalId: 'external id',
      externalSource: 'external system',
      source: 'source',
    } as Readonly<Record<string, string>>,
  },

  expiries: {
    byWeek: 'Records that end, by week',
    ownByWeek: 'Your records that end, by week',
    summary: (weeks: number, total: number) =>
      `In ${weeks} weeks ${
        total === 0
          ? 'no record ends'
          : count(total, { one: '# record ends', other: '# records end' })
      }`,
    busiest: (day: string, value: number) => `most in the week from ${day}: ${value}`,
    week: (from: string, until: string, value: number) =>
      `${from} to ${until}: ${
        value === 0
          ? 'no record ends'
          : count(value, { one: '# record ends', other: '# records end' })
      }`,
    asTable: 'The same as a table',
    from: 'From',
    to: 'To',
    records: 'Records that end',
    endingBy: (until: string) => `Ending by ${until}`,
    endingFrom: (from: string, until: string) => `Ending from ${from} to ${until}`,
    allWeeks: 'All weeks',
    none: 'No record expires in this period.',
    losses: 'Qualifications lost within 13 weeks',
    noLosses: 'No one loses a qualification.',
    lostOn: 'Not qualified from',
    qualification: 'Qualification',
    renew: 'To renew',
    regained: 'Qualified again',
  },

  unverified: {
    title: 'Records to verify',
    text: 'Compare each record with the certificate or the register of its issuer. A record that its holder reported counts only when it is verified.',
    none: 'Every record has been checked.',
    since: 'Recorded',
  },

  crew: {
    title: 'Who is needed?',
    managersOnly:
      'Crews are planned by the admins and managers of the organization. Your own qualifications are under Readiness.',
    archived:
      'A qualification that this crew needs is archived. Choose another, then check the crew again.',
    empty:
      'Add the qualifications that you need, then check whether enough people are qualified on the day chosen above.',
    none: 'The organization has no qualifications yet.',
    need: (position: number) => `Need ${position}`,
    qualification: 'Qualification',
    people: 'People',
    removeNeed: (position: number) => `Remove need ${position}`,
    check: 'Check the crew',
    add: 'Add a qualification',
    complete: (day: string) => `The crew is complete on ${day}.`,
    short: (missing: number, day: string) => `The crew is ${people(missing)} short on ${day}.`,
    shortage: (names: string, needs: number, needed: number, eligible: number) =>
      `${names} ${needs === 1 ? 'needs' : 'together need'} ${people(needed)}, and ${
        eligible === 0 ? 'no member is' : count(eligible, { one: 'only # is', other: 'only # are' })
      } qualified for ${needs === 1 ? 'it' : 'any of them'}.`,
    filled: (assigned: number, needed: number) => `${assigned} of ${needed}`,
    missing: (missing: number) => `${people(missing)} missing`,
    partOfGap: 'Part of the gap.',
    noneQualified: 'No one is qualified on this day.',
    qualified: (value: number) => `${number.format(value)} qualified in all.`,
    others: 'Who else could go',
    more: 'and more',
    assigned: 'Assigned',
  },
};

export type Messages = typeof en;
