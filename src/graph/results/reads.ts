/** Reads qualification results: of one member, of many, and of the caller. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { ApiError } from '../../errors.js';
import { type AsOfArgs, asOfFrom, asOfIdentity } from '../evaluation/as-of.js';
import { batch } from '../reads/batch.js';
import { type Connection, type PageArgs, toConnection } from '../reads/connection.js';
import { byIdAlone, decodeCursor } from '../reads/cursor.js';
import { recordsOf, type Selection, selectionOf } from '../reads/selection.js';
import { assess } from './assessment.js';
import type { Subject, Which } from './subjects.js';
import { summarize } from './summary.js';
import type { QualificationResult } from './type.js';

/** Result fields that need no records. All other fields do. */
const ofResult = new Set([
  'organizationMemberId',
  'qualificationId',
  'qualification',
  'status',
  'metRequirementCount',
  'totalRequirementCount',
  'missingCertificationTypeIds',
  'asOf',
  'evaluatedAt',
  '__typename',
]);

/** The results of each subject, reading only what the selected fields need. */
function read(
  ctx: Context,
  asked: Selection,
  of: readonly Subject[],
  which: Which,
): Promise<readonly QualificationResult[][]> {
  const isPlain = which.at.isPresent && [...asked.keys()].every((field) => ofResult.has(field));
  return isPlain ? summarize(ctx, of, which) : assess(ctx, of, which);
}

const place = ({ qualificationId }: QualificationResult) => ({
  updatedAt: '',
  id: qualificationId,
});

export type ResultsArgs = PageArgs & AsOfArgs;

const identityOf = ({ organizationId, memberId }: Subject, args: AsOfArgs) => [
  'qualificationResults',
  organizationId,
  memberId,
  ...asOfIdentity(args),
];

/**
 * @throws {ApiError} `validation_error` when the cursor does not belong to this member's results.
 */
const pageOf = (ctx: Context, subject: Subject, { first, after, ...args }: ResultsArgs): Which => ({
  ...(after && { after: decodeCursor(identityOf(subject, args), after, 'after', byIdAlone).id }),
  limit: first + 1,
  at: asOfFrom(ctx, args),
});

type Page = Promise<Connection<QualificationResult>>;

/**
 * The results of one member, by qualification id.
 * @throws {ApiError} `not_found` when the organization has no such member.
 */
export async function listResults(
  ctx: Context,
  info: GraphQLResolveInfo,
  subject: Subject,
  args: ResultsArgs,
): Page {
  const [results = []] = await read(
    ctx,
    recordsOf(selectionOf(info)),
    [subject],
    pageOf(ctx, subject, args),
  );
  if (results.length === 0) await requireMember(ctx, subject);
  return toConnection(() => identityOf(subject, args), args, results, place);
}

/**
 * The results of a member; batched. A cursor belongs to one member, and is also valid on the root
 * field.
 */
export async function listResultsOf(
  ctx: Context,
  info: GraphQLResolveInfo,
  subject: Subject,
  args: ResultsArgs,
): Page {
  const page = pageOf(ctx, subject, args);
  const loader = batch<Subject, QualificationResult[]>(ctx, info, 'results', (of) =>
    read(ctx, recordsOf(selectionOf(info)), of, page),
  );
  return toConnection(() => identityOf(subject, args), args, await loader.load(subject), place);
}

/**
 * The result of one member for one qualification.
 * @throws {ApiError} `not_found` when the organization has no such member or cannot use such an
 * active qualification.
 */
export async function readResult(
  ctx: Context,
  info: GraphQLResolveInfo,
  subject: Subject,
  qualificationId: string,
  args: AsOfArgs,
): Promise<QualificationResult> {
  const [[result] = []] = await read(ctx, selectionOf(info), [subject], {
    limit: 1,
    at: asOfFrom(ctx, args),
    qualificationId,
  });
  if (!result) throw new ApiError('not_found');
  return result;
}

/**
 * The caller's own result: in the organization that owns the qualification, or for a standard one
 * in the primary membership.
 */
export async function readMyResult(
  ctx: Context,
  info: GraphQLResolveInfo,
  caller: Access,
  qualificationId: string,
  args: AsOfArgs,
): Promise<QualificationResult> {
  const { memberships } = caller.principal;
  const [owner] = await ctx.db.query<{ organizationId: string; scope: string }>(
    `select organization_id as "organizationId", scope from qualifications where id = $1 and status = 'active'`,
    [qualificationId],
  );
  const own =
    owner?.scope === 'standard'
      ? memberships[0]
      : memberships.find(({ organizationId }) => organizationId === owner?.organizationId);
  if (!own) throw new ApiError('not_found');
  const { organizationId, memberId } = caller.organization(own.organizationId);
  return readResult(ctx, info, { organizationId, memberId }, qualificationId, args);
}

async function requireMember(ctx: Context, { organizationId, memberId }: Subject): Promise<void> {
  const [member] = await ctx.db.query(
    'select 1 from organization_members where organization_id = $1 and id = $2',
    [organizationId, memberId],
  );
  if (!member) throw new ApiError('not_found');
}
