/** Qualification results: what is read of members, requirements and records for the evaluator. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { evaluate, type HeldRecord, type Requirement } from '../../entities/result.js';
import { ApiError } from '../../errors.js';
import { batch } from '../batch.js';
import { type Connection, type PageArgs, toConnection } from '../connection.js';
import { decodeCursor } from '../cursor.js';
import type { QualificationResult } from './type.js';

/** A member of an organization, whose results are asked for. */
interface Subject {
  readonly organizationId: string;
  readonly memberId: string;
}

interface Row extends HeldRecord, Requirement {
  readonly subject: number;
  readonly qualificationId: string;
  /** Null for a qualification without requirements. */
  readonly certificationTypeId: string;
  /** Null for a requirement that no record meets. */
  readonly lifecycleStatus: HeldRecord['lifecycleStatus'];
}

/**
 * For each member (if there is one) the active qualifications that the organization can use, by id, each with its requirements in order and the records that the
 * member holds of those types: one row per qualification, requirement and record.
 * $1 organizations, $2 members, $3 after, $4 limit, $5 one qualification or null.
 */
const assessment = `
  select subject.number::int - 1 as subject, q.id as "qualificationId", r.certification_type_id as "certificationTypeId", r.is_required as "isRequired",
    c.lifecycle_status as "lifecycleStatus", c.verification_status as "verificationStatus", c.source, c.issued_on as "issuedOn", c.expires_on as "expiresOn"
  from unnest($1::uuid[], $2::uuid[]) with ordinality as subject(organization_id, member_id, number)
  join organization_members m on m.organization_id = subject.organization_id and m.id = subject.member_id
  cross join lateral (
    select id from (
      (select id from qualifications where organization_id = subject.organization_id and scope = 'organization' and status = 'active'
        and id > $3 and ($5::uuid is null or id = $5) order by id limit $4)
      union all
      (select id from qualifications where scope = 'standard' and status = 'active'
        and id > $3 and ($5::uuid is null or id = $5) order by id limit $4)) usable
    order by id limit $4) q
  left join qualification_requirements r on r.qualification_id = q.id
  left join certifications c on c.organization_id = subject.organization_id and c.organization_member_id = subject.member_id
    and c.certification_type_id = r.certification_type_id
  order by subject.number, q.id, r.position`;

const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Which {
  readonly after?: string;
  readonly limit: number;
  readonly qualificationId?: string;
}

async function assess(
  ctx: Context,
  subjects: readonly Subject[],
  { after = beforeAll, limit, qualificationId }: Which,
): Promise<QualificationResult[][]> {
  const rows = await ctx.db.query<Row>(assessment, [
    subjects.map(({ organizationId }) => organizationId),
    subjects.map(({ memberId }) => memberId),
    after,
    limit,
    qualificationId ?? null,
  ]);
  const evaluatedAt = `${new Date().toISOString().slice(0, -1)}000Z`;
  const results: QualificationResult[][] = subjects.map(() => []);
  for (const of of runs(rows)) {
    const [{ subject, qualificationId }] = of;
    const requirements = new Map(of.filter((row) => row.certificationTypeId !== null).map((row) => [row.certificationTypeId, row]));
    const records = of.filter((row) => row.lifecycleStatus !== null);
    results[subject]?.push({
      ...evaluate(ctx.today, [...requirements.values()], records),
      organizationMemberId: subjects[subject]?.memberId ?? '',
      qualificationId,
      evaluatedAt,
    });
  }
  return results;
}

/** The rows of each member and qualification, which stand together. */
function runs(rows: readonly Row[]): [Row, ...Row[]][] {
  const all: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const last = all.at(-1);
    if (last?.[0].subject === row.subject && last[0].qualificationId === row.qualificationId) last.push(row);
    else all.push([row]);
  }
  return all;
}

const place = ({ qualificationId }: QualificationResult) => ({ updatedAt: '', id: qualificationId });
const identityOf = ({ organizationId, memberId }: Subject) => ['qualificationResults', organizationId, memberId];

/** @throws {ApiError} `validation_error` when the cursor is not of this member's results. */
const pageOf = (subject: Subject, { first, after }: PageArgs): Which => ({
  ...(after && { after: decodeCursor(identityOf(subject), after, 'after', false).id }),
  limit: first + 1,
});

type Page = Promise<Connection<QualificationResult>>;

/**
 * The results of one member, by qualification id.
 * @throws {ApiError} `not_found` when the organization has no such member.
 */
export async function listResults(ctx: Context, info: GraphQLResolveInfo, subject: Subject, args: PageArgs): Page {
  const [results = []] = await assess(ctx, [subject], pageOf(subject, args));
  if (results.length === 0) await requireMember(ctx, subject);
  return toConnection(info, identityOf(subject), args, results, place);
}

/** The results below a member; batched. A cursor belongs to one member, and continues on the root field too. */
export async function listResultsOf(ctx: Context, info: GraphQLResolveInfo, subject: Subject, args: PageArgs): Page {
  const page = pageOf(subject, args);
  const loader = batch<Subject, QualificationResult[]>(ctx, info, 'results', (subjects) => assess(ctx, subjects, page));
  return toConnection(info, identityOf(subject), args, await loader.load(subject), place);
}

/** The caller's own result: in the organization that owns the qualification, or for a standard one in the primary membership. */
export async function readMyResult(ctx: Context, caller: Access, qualificationId: string): Promise<QualificationResult> {
  const { memberships } = caller.principal;
  const [owner] = await ctx.db.query<{ organizationId: string; scope: string }>(
    `select organization_id as "organizationId", scope from qualifications where id = $1 and status = 'active'`,
    [qualificationId],
  );
  const own =
    owner?.scope === 'standard' ? memberships[0] : memberships.find(({ organizationId }) => organizationId === owner?.organizationId);
  if (!own) throw new ApiError('not_found');
  const { organizationId, memberId } = caller.organization(own.organizationId);
  const [[result] = []] = await assess(ctx, [{ organizationId, memberId }], { limit: 1, qualificationId });
  if (!result) throw new ApiError('not_found');
  return result;
}

async function requireMember(ctx: Context, { organizationId, memberId }: Subject): Promise<void> {
  const [member] = await ctx.db.query('select 1 from organization_members where organization_id = $1 and id = $2', [
    organizationId,
    memberId,
  ]);
  if (!member) throw new ApiError('not_found');
}
