/** The subjects of results: members and qualifications. */
import type { AsOf } from '../evaluation/as-of.js';

/** A member whose results are requested. */
export interface Subject {
  readonly organizationId: string;
  readonly memberId: string;
}

export const organizationOf = ({ organizationId }: Pick<Subject, 'organizationId'>): string =>
  organizationId;

/** The results to read per subject. */
export interface Which {
  readonly after?: string;
  readonly limit: number;
  readonly at: AsOf;
  readonly qualificationId?: string;
}

const active = (owner: string): string => `
  (select id from qualifications where ${owner} and status = 'active' and id > $3 and ($5::uuid is null or id = $5) order by id limit $4)`;

/**
 * SQL of each existing subject, with a page `q` of the active qualifications that its organization
 * can use. $1 organizations, $2 members, $3 after, $4 limit, $5 one qualification or null.
 */
export const subjects = `
  unnest($1::uuid[], $2::uuid[]) with ordinality as subject(organization_id, member_id, number)
  join organization_members m on m.organization_id = subject.organization_id and m.id = subject.member_id
  cross join lateral (
    select id from (${active("organization_id = subject.organization_id and scope = 'organization'")} union all ${active("scope = 'standard'")}) usable
    order by id limit $4) q`;

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** The values of {@link subjects}. */
export const valuesOf = (
  of: readonly Subject[],
  { after = beforeAll, limit, qualificationId }: Which,
): unknown[] => [
  of.map(({ organizationId }) => organizationId),
  of.map(({ memberId }) => memberId),
  after,
  limit,
  qualificationId ?? null,
];

/** The instant of the computation. */
export const evaluatedNow = (): string => `${new Date().toISOString().slice(0, -1)}000Z`;
