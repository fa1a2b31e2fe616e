/**
 * A mark in every text of every row that an organization owns, so that any byte of an answer tells
 * whose row it comes from.
 */
import type { Database } from '../../../src/database/connection.js';

/**
 * `zq-{organization}-{owner}-`: the owner is a member, or `shared` for what every member may read,
 * or `admin` for what admins alone may.
 */
const mark = (organization: string, owner: string) =>
  `'zq-' || ${organization}::text || '-' || ${owner} || '-'`;

/** Whose a row is, where not every member may read it. */
const owners: Readonly<Record<string, string>> = {
  organization_members: 'id::text',
  certifications: 'organization_member_id::text',
  certification_history: 'organization_member_id::text',
  audit_events: `'admin'`,
};

/** Texts with a meaning, which a mark would change. */
const meaningful = new Set([
  'organization_members.role',
  'audit_events.action',
  'audit_events.subject_type',
  'audit_events.subject_id',
]);

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Plants the marks in every organization. @returns The columns that have them now. */
export async function plantMarks(db: Database): Promise<string[]> {
  const columns = await db.query<Column>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     where c.table_schema = 'public' and c.data_type = 'text'
       and exists (select from information_schema.columns o where o.table_name = c.table_name and o.column_name = 'organization_id')
       and not exists (select from information_schema.constraint_column_usage u
         join information_schema.check_constraints k using (constraint_name)
         where u.table_name = c.table_name and u.column_name = c.column_name and k.check_clause like '%ANY%')
     order by 1, 2`,
  );
  const planted = columns.filter(
    ({ table, column }) =>
      !meaningful.has(`${table}.${column}`) && !/(_status|^source)$/.test(column),
  );
  await db.query('alter table audit_events disable trigger user');
  for (const { table, column } of planted) {
    const owner = owners[table] ?? `'shared'`;
    await db.query(
      `update ${table} set ${column} = ${mark('organization_id', owner)} || ${column} where ${column} <> ''`,
    );
  }
  await db.query(`update audit_events set changes = changes || ('{"planted": [null, "' || ${mark('organization_id', `'admin'`)} || '"]}')::jsonb
    where organization_id is not null`);
  await db.query('alter table audit_events enable trigger user');
  await db.query(
    `update organizations set name = ${mark('id', `'shared'`)} || name, slug = ${mark('id', `'shared'`)} || slug`,
  );
  return [
    ...planted.map(({ table, column }) => `${table}.${column}`),
    'audit_events.changes',
    'organizations.name',
    'organizations.slug',
  ];
}

export interface Mark {
  readonly organizationId: string;
  readonly owner: string;
}

/** Whose each id is: an id tells, too. */
export async function ownersOfIds(db: Database): Promise<ReadonlyMap<string, Mark>> {
  const tables = [
    'organization_members',
    'certifications',
    'certification_types',
    'qualifications',
    'job_roles',
    'audit_events',
  ];
  const rows = await Promise.all(
    tables.map((table) =>
      db.query<Mark & { id: string }>(
        `select id, organization_id as "organizationId", ${owners[table] ?? `'shared'`} as owner from ${table} where organization_id is not null`,
      ),
    ),
  );
  return new Map(
    rows.flat().map(({ id, organizationId, owner }) => [id, { organizationId, owner }]),
  );
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const marks = new RegExp(`zq-(${uuid})-(shared|admin|${uuid})-`, 'g');
const uuids = new RegExp(uuid, 'g');

/**
 * Whose rows an answer shows, each once: by the marks, and by the ids where their owners are given.
 */
export function marksIn(text: string, ids: ReadonlyMap<string, Mark> = new Map()): Mark[] {
  const marked = [...text.matchAll(marks)].map(
    ([, organizationId = '', owner = '']): Mark => ({ organizationId, owner }),
  );
  const named = [...new Set(text.match(uuids))].flatMap((id) => ids.get(id) ?? []);
  return [
    ...new Map(
      [...marked, ...named].map((mark) => [`${mark.organizationId} ${mark.owner}`, mark]),
    ).values(),
  ];
}
