import { ArgsType, Field, ObjectType } from 'type-graphql';
import { DateScalar, DateTime, PageSize, UUID } from '../../../scalars/scalars.js';

@ObjectType({
  description: 'A property that a change set to another value.',
  simpleResolvers: true,
})
export class PropertyChange {
  @Field({ description: 'The name of the property, such as `lifecycleStatus` or `expiresOn`.' })
  property!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The previous stored value, such as `self-reported` or `verified`; null when it was empty or the record is new.',
  })
  from!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The new stored value; null when it was cleared.',
  })
  to!: string | null;
}

@ObjectType({
  description: 'A change of a certification record, with its author, time, values and reason.',
  simpleResolvers: true,
})
export class CertificationChange {
  @Field(() => DateTime, {
    description: 'The time at which the change was recorded: the `updatedAt` that it set.',
  })
  recordedAt!: string;

  @Field(() => DateScalar, {
    description:
      'The day (UTC) from which a lifecycle change applies, or the day of the verification. For other changes, the day of the change.',
  })
  effectiveOn!: string;

  @Field(() => [PropertyChange], {
    description: 'The changed properties; for a new record, all its initial values.',
  })
  changes!: PropertyChange[];

  @Field(() => String, {
    nullable: true,
    description: 'The reason given for the change; null when none was given.',
  })
  reason!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The id of the user who made the change; null for an operator command or a change older than the history.',
  })
  userId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The display name of the user, or the e-mail address without one; null when there is no user.',
  })
  userDisplayName!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The name of the app through which the change came; null when there is none or it was deleted.',
  })
  appName!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The `X-Request-Id` of the request that made the change; null when there was none.',
  })
  requestId!: string | null;
}

const defaultHistory = 20;

@ArgsType()
export class HistoryArgs {
  @Field(() => PageSize, {
    defaultValue: defaultHistory,
    description: 'The maximum number of changes to return.',
  })
  first: number = defaultHistory;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Returns only changes recorded before this time. To read the next page, send the last `recordedAt` received.',
  })
  before?: string | null;
}
