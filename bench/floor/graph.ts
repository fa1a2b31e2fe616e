/**
 * What the GraphQL operations of the benchmark answer, by their names: the floor reads no
 * documents.
 */
import { type Caller, managed } from './caller.js';
import { query } from './database.js';
import { matrix } from './evaluation.js';
import { cursorOf } from './records.js';

const upper = (word: string): string => word.toUpperCase().replaceAll('-', '_');

interface ListRow {
  readonly id: string;
  readonly organization_member_id: string;
  readonly lifecycle_status: string;
  readonly source: string;
  readonly issued_on: string | null;
  readonly expires_on: string | null;
  readonly verification_status: string;
  readonly updated_at: string;
  readonly type_id: string;
  readonly type_slug: string;
  readonly type_title: string;
}

const typeOf = ({
  type_id,
  type_slug,
  type_title,
}: Pick<ListRow, 'type_id' | 'type_slug' | 'type_title'>) => ({
  id: type_id,
  slug: type_slug,
  title: type_title,
});
const columns =
  'c.id, c.issued_on, c.expires_on, c.lifecycle_status, c.verification_status, c.updated_at, t.id as type_id, t.slug as type_slug, t.title as type_title';

async function list(caller: Caller, organizationId: string): Promise<object> {
  managed(caller, organizationId, 'certification_records:read');
  const rows = await query<ListRow>(
    `select ${columns}, c.organization_member_id, c.source from certifications c join certification_types t on t.id = c.certification_type_id
     where c.organization_id = $1 order by c.updated_at, c.id limit 51`,
    [organizationId],
  );
  const nodes = rows.slice(0, 50).map((row) => ({
    id: row.id,
    organizationMemberId: row.organization_member_id,
    lifecycleStatus: upper(row.lifecycle_status),
    source: upper(row.source),
    issuedOn: row.issued_on,
    expiresOn: row.expires_on,
    verificationStatus: upper(row.verification_status),
    updatedAt: row.updated_at,
    certificationType: typeOf(row),
  }));
  const hasNextPage = rows.length > 50;
  return {
    certifications: {
      nodes,
      pageInfo: { hasNextPage, endCursor: cursorOf(rows[nodes.length - 1]) },
    },
  };
}

interface MemberRow {
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
}

async function dashboard(caller: Caller, organizationId: string): Promise<object> {
  managed(caller, organizationId, 'organization_members:read');
  managed(caller, organizationId, 'certification_records:read');
  const members = await query<MemberRow>(
    'select m.id, m.display_name, m.email from organization_members m where m.organization_id = $1 order by m.updated_at, m.id limit 50',
    [organizationId],
  );
  const rows = await query<ListRow & { parent: string }>(
    `select parent.number::int - 1 as parent, page.* from unnest($2::uuid[]) with ordinality as parent(id, number) cross join lateral (
       select ${columns} from certifications c join certification_types t on t.id = c.certification_type_id
       where c.organization_id = $1 and c.organization_member_id = parent.id order by c.updated_at, c.id limit 10) page
     order by parent.number, page.updated_at, page.id`,
    [organizationId, members.map(({ id }) => id)],
  );
  const below: object[][] = members.map(() => []);
  for (const row of rows) {
    below[Number(row.parent)]?.push({
      id: row.id,
      issuedOn: row.issued_on,
      expiresOn: row.expires_on,
      lifecycleStatus: upper(row.lifecycle_status),
      verificationStatus: upper(row.verification_status),
      updatedAt: row.updated_at,
      certificationType: typeOf(row),
    });
  }
  const nodes = members.map(({ id, display_name, email }, index) => ({
    id,
    displayName: display_name,
    email,
    certifications: { nodes: below[index] },
  }));
  return { organizationMembers: { nodes } };
}

const operations: Readonly<
  Record<string, (caller: Caller, organizationId: string) => Promise<object>>
> = {
  List: list,
  Dashboard: dashboard,
  Matrix: matrix,
};

interface GraphRequest {
  readonly operationName: string;
  readonly variables: { readonly organizationId: string };
}

export async function graph(
  caller: Caller,
  { operationName, variables }: GraphRequest,
): Promise<object> {
  const operation = operations[operationName];
  if (!operation) throw new Error(`There is no operation ${operationName}.`);
  return { data: await operation(caller, variables.organizationId) };
}
