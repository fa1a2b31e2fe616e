/** Resolvers over hydrated entities, with a DataLoader for what hangs below members. */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { PageInfo } from '../../src/graph/reads/connection.js';
import { DateTime, ExternalId, UUID } from '../../src/scalars/scalars.js';
import { type Caller, managed, Refused } from '../floor/caller.js';
import { CertificationEntity, MemberEntity, NewCertification } from './entities.js';
import { record } from './record.js';

export interface Context {
  readonly caller: Caller;
  readonly em: SqlEntityManager;
  readonly idempotencyKey: string | undefined;
  /** Of this request: the first records of each member. */
  records?: DataLoader<string, CertificationEntity[]>;
}

@ObjectType()
class CertificationConnection {
  @Field(() => [CertificationEntity]) nodes!: CertificationEntity[];
  @Field(() => PageInfo) pageInfo!: PageInfo;
}

@ObjectType()
class OrganizationMemberConnection {
  @Field(() => [MemberEntity]) nodes!: MemberEntity[];
  @Field(() => PageInfo) pageInfo!: PageInfo;
}

const oldestFirst = { updatedAt: 'asc', id: 'asc' } as const;

const cursorOf = (row: { id: string; updatedAt: string } | undefined): string | null =>
  row ? Buffer.from(`${row.updatedAt} ${row.id}`).toString('base64url') : null;

function pageOf<Row extends { id: string; updatedAt: string }>(
  rows: Row[],
  first: number,
): { nodes: Row[]; pageInfo: PageInfo } {
  const nodes = rows.slice(0, first);
  const [hasNextPage, endCursor] = [rows.length > first, cursorOf(nodes.at(-1))];
  return {
    nodes,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: false,
      startCursor: cursorOf(nodes[0]),
      endCursor,
      nextCursor: hasNextPage ? endCursor : null,
    },
  };
}

@Resolver(() => CertificationEntity)
export class CertificationResolver {
  @Query(() => CertificationEntity)
  async certification(
    @Arg('organizationId', () => UUID) organizationId: string,
    @Arg('id', () => UUID) id: string,
    @Ctx() { caller, em }: Context,
  ) {
    const found = await em.findOneOrFail(
      CertificationEntity,
      { organizationId, id },
      { populate: ['certificationTypeEntity'] },
    );
    const isOwn = caller.memberships.some(
      (own) => own.organizationId === organizationId && own.memberId === found.organizationMemberId,
    );
    if (!isOwn) throw new Refused(404);
    return found;
  }

  @Query(() => CertificationConnection)
  async certifications(
    @Arg('organizationId', () => UUID) organizationId: string,
    @Arg('first', () => Int) first: number,
    @Arg('externalSource', () => ExternalId, { nullable: true }) externalSource: string | undefined,
    @Arg('updatedAfter', () => DateTime, { nullable: true }) updatedAfter: string | undefined,
    @Ctx() { caller, em }: Context,
  ) {
    managed(caller, organizationId, 'certification_records:read');
    const where = {
      organizationId,
      ...(externalSource && { externalSource }),
      ...(updatedAfter && { updatedAt: { $gt: updatedAfter } }),
    };
    const rows = await em.find(CertificationEntity, where, {
      populate: ['certificationTypeEntity'],
      orderBy: oldestFirst,
      limit: first + 1,
    });
    return pageOf(rows, first);
  }

  @Mutation(() => CertificationEntity)
  createCertification(
    @Arg('organizationId', () => UUID) organizationId: string,
    @Arg('input', () => NewCertification) input: NewCertification,
    @Ctx() { caller, em, idempotencyKey }: Context,
  ) {
    managed(caller, organizationId, 'certification_records:write');
    return record(em, caller, organizationId, input, idempotencyKey);
  }
}

@Resolver(() => MemberEntity)
export class MemberResolver {
  @Query(() => OrganizationMemberConnection)
  async organizationMembers(
    @Arg('organizationId', () => UUID) organizationId: string,
    @Arg('first', () => Int) first: number,
    @Ctx() { caller, em }: Context,
  ) {
    managed(caller, organizationId, 'organization_members:read');
    return pageOf(
      await em.find(MemberEntity, { organizationId }, { orderBy: oldestFirst, limit: first + 1 }),
      first,
    );
  }

  /**
   * All records of the members in one statement, then the first of each: an ORM has no limit per
   * parent.
   */
  @FieldResolver(() => CertificationConnection)
  async certifications(
    @Root() { organizationId, id }: MemberEntity,
    @Arg('first', () => Int) first: number,
    @Ctx() context: Context,
  ) {
    context.records ??= new DataLoader(async (ids) => {
      const where = { organizationId, organizationMemberId: { $in: [...ids] } };
      const rows = await context.em.find(CertificationEntity, where, {
        populate: ['certificationTypeEntity'],
        orderBy: oldestFirst,
      });
      const byMember = Map.groupBy(rows, ({ organizationMemberId }) => organizationMemberId);
      return ids.map((each) => byMember.get(each) ?? []);
    });
    return pageOf(await context.records.load(id), first);
  }
}
