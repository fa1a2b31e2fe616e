import { ArgsType, Field, ObjectType } from 'type-graphql';
import { DateScalar, DateTime, PageSize, UUID } from '../scalars.js';

@ObjectType({ description: 'One property that a change gave another value.', simpleResolvers: true })
export class PropertyChange {
  @Field({ description: 'The name of the property: `lifecycleStatus`, `expiresOn`.' })
  property!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it was, as stored (`self-reported`, `verified`); null when it was empty, or the record is new.',
  })
  from!: string | null;

  @Field(() => String, { nullable: true, description: 'What it became, as stored; null when it became empty.' })
  to!: string | null;
}

@ObjectType({ description: 'A change of a certification record: who, when, from what to what, and why.', simpleResolvers: true })
export class CertificationChange {
  @Field(() => DateTime, { description: 'When the change was recorded: `updatedAt` of the record then.' })
  recordedAt!: string;

  @Field(() => DateScalar, { description: 'The day (UTC) from which on the change of lifecycle or verification holds.' })
  effectiveOn!: string;

  @Field(() => [PropertyChange], { description: 'What differs from the record before; of a new record, all that it has.' })
  changes!: PropertyChange[];

  @Field(() => String, { nullable: true, description: 'The reason that was given.' })
  reason!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'The user who made the change; null for the operator, and from before changes were kept.',
  })
  userId!: string | null;

  @Field(() => String, { nullable: true, description: 'The name of that user.' })
  userDisplayName!: string | null;

  @Field(() => String, { nullable: true, description: 'The name of the app through which the change came.' })
  appName!: string | null;

  @Field(() => String, { nullable: true, description: 'The `X-Request-Id` of the request that made the change.' })
  requestId!: string | null;
}

const defaultHistory = 20;

@ArgsType()
export class HistoryArgs {
  @Field(() => PageSize, { defaultValue: defaultHistory, description: 'How many changes to give at most.' })
  first: number = defaultHistory;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Only changes recorded before this instant: the last `recordedAt` that you have, to read on.',
  })
  before?: string | null;
}
