/**
 * What organizations own, read straight from the tables, and what the audit must say of a
 * difference: worked out without the code that writes the audit.
 */
import type { Database } from '../../../src/database/connection.js';

type Row = Readonly<Record<string, unknown>>;

/** By table: the name that the audit has for its rows, and the columns that name one. */
const tables: Readonly<Record<string, readonly [subjectType: string, ...keys: string[]]>> = {
  organizations: ['Organization', 'id'],
  organization_members: ['OrganizationMember', 'id'],
  member_job_roles: ['MemberJobRole', 'organization_member_id', 'job_role_id'],
  certifications: ['Certification', 'id'],
  certification_types: ['CertificationType', 'id'],
  qualifications: ['Qualification', 'id'],
  qualification_requirements: [
    'QualificationRequirement',
    'qualification_id',
    'certification_type_id',
  ],
  job_roles: ['JobRole', 'id'],
  job_role_qualifications: ['JobRoleQualification', 'job_role_id', 'qualification_id'],
};

/**
 * Kept beside the rows: clocks, the audit itself, what a record was before, what apps may do, who
 * listens, links, and stored answers.
 */
const others = [
  'organization_clocks',
  'reference_clocks',
  'audit_events',
  'certification_history',
  'app_approvals',
  'change_listeners',
  'invitations',
  'unsettled_members',
  'one_time_links',
  'idempotency_records',
];

/** Set by the database, or by the stamp. */
const own = new Set(['created_at', 'updated_at', 'assigned_at', 'organization_id']);

export type Snapshot = ReadonlyMap<string, Row>;

/**
 * All rows, by `SubjectType id`. @throws {Error} when an organization owns rows of a table that
 * isn't known here.
 */
export async function takeSnapshot(db: Database): Promise<Snapshot> {
  const found = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`,
  );
  const unknown = found
    .map(({ name }) => name)
    .filter((name) => !(name in tables) && !others.includes(name));
  if (unknown.length > 0)
    throw new Error(`test/security/audit/rows.ts: are changes of ${unknown.join(', ')} audited?`);
  const snapshot = new Map<string, Row>();
  for (const [table, [subjectType, ...keys]] of Object.entries(tables)) {
    for (const { row } of await db.query<{ row: Row }>(
      `select to_jsonb(t) as row from ${table} t`,
    )) {
      snapshot.set(`${subjectType} ${keys.map((key) => row[key]).join('/')}`, row);
    }
  }
  return snapshot;
}

export interface Told {
  readonly action: string;
  /** `SubjectType id`. */
  readonly subject: string;
  readonly organizationId: unknown;
  /** Property → [before, after], where they differ. */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Times are written in more than one way. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
    ? new Date(value).toISOString()
    : (value ?? null);

/** Without what doesn't differ, and without what names the row. */
function differing(
  changes: Readonly<Record<string, readonly [unknown, unknown]>>,
  leftOut: ReadonlySet<string>,
): Told['changes'] {
  const pairs = Object.entries(changes)
    .map(([name, [from, to]]) => [name, [plain(from), plain(to)]] as const)
    .filter(
      ([name, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to) && !leftOut.has(name),
    );
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const keysOf = (subject: string): readonly string[] =>
  Object.values(tables)
    .find(([type]) => subject.startsWith(`${type} `))
    ?.slice(1) ?? [];
const leftOutOf = (subject: string) => new Set([...own, ...keysOf(subject)].map(camelCase));
const bySubject = (one: Told, other: Told) => (one.subject < other.subject ? -1 : 1);

/** The events that must tell of the difference: one for each row that is new, gone or otherwise. */
export function expectedOf(before: Snapshot, after: Snapshot): Told[] {
  const subjects = [...new Set([...before.keys(), ...after.keys()])];
  const told = subjects.flatMap((subject): Told[] => {
    const [was, is] = [before.get(subject), after.get(subject)];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const columns = Object.keys(was ?? is ?? {});
    const changes = Object.fromEntries(
      columns.map((column) => [camelCase(column), [was?.[column], is?.[column]] as const]),
    );
    const row = is ?? was;
    return [
      {
        action: !was ? 'create' : !is ? 'delete' : 'update',
        subject,
        organizationId: row?.organization_id ?? row?.id,
        changes: differing(changes, leftOutOf(subject)),
      },
    ];
  });
  return told.sort(bySubject);
}

export interface StoredEvent {
  readonly id: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly organizationId: string | null;
  readonly userId: string | null;
  readonly appId: string | null;
  readonly requestId: string | null;
  readonly occurredAt: string;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** @param known Ids of events to leave out. */
export const readEvents = (db: Database, known: readonly string[] = []): Promise<StoredEvent[]> =>
  db.query(
    `select id, action, subject_type as "subjectType", subject_id as "subjectId", organization_id as "organizationId", user_id as "userId",
       app_id as "appId", request_id as "requestId", occurred_at as "occurredAt", changes
     from audit_events where id <> all($1::uuid[]) order by occurred_at, id`,
    [known],
  );

/** The events that the work leaves, oldest first. */
export async function eventsOf(db: Database, work: () => Promise<unknown>): Promise<StoredEvent[]> {
  const known = (await readEvents(db)).map(({ id }) => id);
  await work();
  return readEvents(db, known);
}

/** The events in the form of {@link expectedOf}; the reason of a change is no property of a row. */
export const toldBy = (events: readonly StoredEvent[]): Told[] =>
  events
    .map(({ action, subjectType, subjectId, organizationId, changes: { reason, ...changes } }) => {
      const subject = `${subjectType} ${subjectId}`;
      return { action, subject, organizationId, changes: differing(changes, leftOutOf(subject)) };
    })
    .sort(bySubject);
