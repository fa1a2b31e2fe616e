/** Certification records, as the REST API shows them. */
import { type Caller, managed, Refused } from './caller.js';
import { query } from './database.js';

export interface Row {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly issued_on: string | null;
  readonly expires_on: string | null;
  readonly updated_at: string;
}

const day = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

function validityOf(issuedOn: string | null, expiresOn: string | null): string {
  const today = dayOf(Date.now());
  if (expiresOn === null) return issuedOn !== null && issuedOn <= today ? 'valid' : 'unknown';
  if (expiresOn < today) return 'expired';
  return expiresOn <= dayOf(Date.now() + 30 * day) ? 'expiring' : 'valid';
}

export const select = `select c.id, c.organization_id, c.organization_member_id, c.user_id, c.external_id, c.external_source, c.certification_type_id,
  c.lifecycle_status, c.source, c.issued_on, c.expires_on, c.issuer_name, c.serial_number, c.verification_status, c.verification_method,
  c.last_verified_at, c.created_at, c.updated_at, t.slug as type_slug, t.title as type_title, t.status as type_status
  from certifications c join certification_types t on t.id = c.certification_type_id`;

export const toRecord = (row: Row): object => ({
  id: row.id,
  organization_id: row.organization_id,
  organization_member_id: row.organization_member_id,
  user_id: row.user_id,
  external_id: row.external_id,
  external_source: row.external_source,
  certification_type_id: row.certification_type_id,
  lifecycle_status: row.lifecycle_status,
  source: row.source,
  issued_on: row.issued_on,
  expires_on: row.expires_on,
  issuer_name: row.issuer_name,
  serial_number: row.serial_number,
  verification_status: row.verification_status,
  validity_status: validityOf(row.issued_on, row.expires_on),
  verification_method: row.verification_method,
  last_verified_at: row.last_verified_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  certification_type: {
    id: row.certification_type_id,
    slug: row.type_slug,
    title: row.type_title,
    status: row.type_status,
  },
});

export async function getRecord({ memberships }: Caller, id: string): Promise<object> {
  const approved = memberships.filter(({ approvedScopes }) =>
    approvedScopes?.includes('certification_records:read'),
  );
  const [row] = await query<Row>(
    `${select} where c.organization_id = any($1) and c.id = $2 and c.organization_member_id = any($3)`,
    [
      approved.map(({ organizationId }) => organizationId),
      id,
      approved.map(({ memberId }) => memberId),
    ],
  );
  if (!row) throw new Refused(404);
  return { data: toRecord(row) };
}

/** The last row of a full page tells where the next begins. */
export const cursorOf = (row: { updated_at: string; id: string } | undefined): string | null =>
  row ? Buffer.from(`${row.updated_at} ${row.id}`).toString('base64url') : null;

export async function listRecords(
  caller: Caller,
  organizationId: string,
  parameters: URLSearchParams,
): Promise<object> {
  managed(caller, organizationId, 'certification_records:read');
  const limit = Number(parameters.get('limit') ?? 50);
  const values: unknown[] = [organizationId, limit + 1];
  const where = ['c.organization_id = $1'];
  const source = parameters.get('external_source');
  if (source) where.push(`c.external_source = $${values.push(source)}`);
  const after = parameters.get('updated_after');
  if (after) where.push(`c.updated_at > $${values.push(after)}`);
  const rows = await query<Row>(
    `${select} where ${where.join(' and ')} order by c.updated_at, c.id limit $2`,
    values,
  );
  const hasMore = rows.length > limit;
  const shown = hasMore ? rows.slice(0, limit) : rows;
  return {
    data: shown.map(toRecord),
    page: { next_cursor: hasMore ? cursorOf(shown.at(-1)) : null, has_more: hasMore },
  };
}

export const me = ({
  userId,
  email,
  displayName,
  clientId,
  appName,
  apiScopes,
  identityScopes,
  memberships,
}: Caller): object => ({
  data: {
    user: { id: userId, email, display_name: displayName },
    app: { client_id: clientId, name: appName },
    api_scopes: apiScopes,
    scopes: identityScopes,
    organizations: memberships.map(
      ({ organizationId, slug, name, memberId, role, isPrimary, approvedScopes }) => {
        const approved = apiScopes.filter((scope) => approvedScopes?.includes(scope));
        return {
          id: organizationId,
          slug,
          name,
          organization_member_id: memberId,
          role,
          is_primary: isPrimary,
          approved_scopes: approved,
          approval_required: approved.length < apiScopes.length,
        };
      },
    ),
  },
});
