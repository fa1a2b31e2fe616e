/** Filters and sort orders of member lists. */
import { ArgsType, Field } from 'type-graphql';
import { MemberStatus } from '../../entities/member.js';
import { Email, ExternalId, Name, Text, UUID } from '../../scalars/scalars.js';
import { OrganizationMemberOrderField } from '../enums.js';
import { SyncArgs } from '../reads/connection.js';
import { isInstant } from '../reads/cursor.js';
import { type Branch, type Condition, contains, type Order } from '../reads/keyset.js';
import { isBeginning, type OrderBy, orderByOf, orderedLength } from '../reads/order.js';

type OrderName = 'display_name' | 'updated_at';

const OrganizationMemberOrder = orderByOf<OrderName>(
  'OrganizationMemberOrder',
  OrganizationMemberOrderField,
);

@ArgsType()
export class MemberFilters extends SyncArgs {
  @Field(() => Email, {
    nullable: true,
    description: 'Returns only the member with this e-mail address. Case-insensitive.',
  })
  email?: string | null;

  @Field(() => ExternalId, {
    nullable: true,
    description: 'Returns only the member with exactly this external id.',
  })
  externalId?: string | null;

  @Field(() => MemberStatus, {
    nullable: true,
    description: 'Returns only members with this status.',
  })
  status?: MemberStatus | null;

  @Field(() => Name, {
    nullable: true,
    description: 'Returns only members with exactly this role.',
  })
  role?: string | null;

  @Field(() => UUID, { nullable: true, description: 'Returns only members with this job role.' })
  jobRoleId?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'Returns only members that contain this text in a name, the e-mail address or the external id. Case-insensitive.',
  })
  q?: string | null;

  @Field(() => OrganizationMemberOrder, {
    nullable: true,
    description: 'The order of the list. Defaults to the oldest change first.',
  })
  orderBy?: OrderBy<OrderName> | null;
}

export const orders: Readonly<Record<OrderName, Omit<Order, 'isDescending'>>> = {
  display_name: { by: `left(lower(m.display_name), ${orderedLength})`, isPlace: isBeginning },
  updated_at: { by: 'm.updated_at', isPlace: isInstant },
};

/** SQL condition: a member has a job role. The arguments are SQL of the organization and the id. */
export const holdsJobRole = (
  organizationId: string,
  memberId: string,
  jobRoleId: string,
): Condition => [
  `exists (select from member_job_roles a where a.organization_id = ${organizationId} and a.organization_member_id = ${memberId} and a.job_role_id = ?)`,
  jobRoleId,
];

const searched =
  "concat_ws(' ', m.display_name, m.first_name, m.last_name, m.email, m.external_id)";

/** @param pinned The organization, on a cluster: assignments are on its node, members on all. */
const heldOf = (jobRoleId: string, pinned: string | undefined): Condition => {
  const [sql, ...values] = holdsJobRole(
    pinned ? '?::uuid' : 'm.organization_id',
    'm.id',
    jobRoleId,
  );
  return pinned ? [sql, pinned, ...values] : [sql, ...values];
};

/**
 * @param readable The rows that the caller can read.
 * @param pinned The organization, on a cluster.
 */
export function branchOf(
  readable: Branch['equals'],
  { email, externalId, status, role, jobRoleId, q }: MemberFilters,
  pinned: string | undefined,
): Branch {
  const where: Condition[] = [];
  if (jobRoleId) where.push(heldOf(jobRoleId, pinned));
  if (q) where.push(contains(searched, q));
  return {
    equals: {
      ...readable,
      'lower(m.email)': email?.toLowerCase(),
      'm.external_id': externalId,
      'm.status': status,
      'm.role': role,
    },
    where,
  };
}
