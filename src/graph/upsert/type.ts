import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import type { UpsertOutcome as Outcome } from '../../rules/upsert/plan.js';
import { UUID } from '../../scalars/scalars.js';
import { UpsertMode, UpsertOutcome } from '../enums.js';

const text = (description: string) => ({ nullable: true, description });

/** All properties are plain strings, so that an invalid value fails only its row. */
@InputType({
  description:
    'One certification record of an upsert, identified by `externalSource` and `externalId`. An ' +
    'omitted property keeps its value; null clears an optional one.',
})
export class CertificationUpsert {
  @Field(() => String, text('The id of the record in the external system. Required in every row.'))
  externalId?: string | null;

  @Field(() => String, text('The external system that `externalId` belongs to.'))
  externalSource?: string | null;

  @Field(
    () => String,
    text(
      'The id of the member who holds the certification. A new record requires this, `memberExternalId` or `memberEmail`.',
    ),
  )
  organizationMemberId?: string | null;

  @Field(() => String, text('The external id of the member who holds the certification.'))
  memberExternalId?: string | null;

  @Field(() => String, text('The e-mail address of the member who holds the certification.'))
  memberEmail?: string | null;

  @Field(
    () => String,
    text(
      'The id of the certification type. A new record requires this or `certificationTypeSlug`.',
    ),
  )
  certificationTypeId?: string | null;

  @Field(
    () => String,
    text(
      "The slug of the certification type. The organization's own type takes precedence over a standard one.",
    ),
  )
  certificationTypeSlug?: string | null;

  @Field(() => String, text('The day of issue, `YYYY-MM-DD`.'))
  issuedOn?: string | null;

  @Field(
    () => String,
    text(
      'The last day on which the certification is valid, `YYYY-MM-DD`. Must not be before `issuedOn`.',
    ),
  )
  expiresOn?: string | null;

  @Field(() => String, text('The name of the issuer.'))
  issuerName?: string | null;

  @Field(() => String, text('The serial number on the certificate.'))
  serialNumber?: string | null;
}

@InputType({
  description:
    'One member of an upsert, identified by `externalId`, else by `email`. An omitted property ' +
    'keeps its value; null clears a name. The e-mail address of an existing member is never ' +
    'changed.',
})
export class OrganizationMemberUpsert {
  @Field(
    () => String,
    text(
      'The id of the member in an external system. A member identified by e-mail address who has none receives it.',
    ),
  )
  externalId?: string | null;

  @Field(() => String, text('The e-mail address. Required for a new member, who is then invited.'))
  email?: string | null;

  @Field(
    () => String,
    text(
      'The display name. For a new member without one, it is derived from the other names or the e-mail address.',
    ),
  )
  displayName?: string | null;

  @Field(() => String, text('The first name.'))
  firstName?: string | null;

  @Field(() => String, text('The last name.'))
  lastName?: string | null;

  @Field(
    () => String,
    text(
      'The role. Defaults to `member` for a new member. Only an admin can grant the role `admin`.',
    ),
  )
  role?: string | null;
}

@ArgsType()
export class UpsertArgs {
  @Field(() => UpsertMode, {
    defaultValue: 'atomic',
    description: 'Whether a failed row prevents all rows from being written.',
  })
  mode: 'atomic' | 'partial' = 'atomic';

  @Field({
    defaultValue: false,
    description: 'Whether only to report the outcomes, without any change.',
  })
  dryRun: boolean = false;
}

@ObjectType({ description: 'A problem with one value of a row.', simpleResolvers: true })
export class RowProblem {
  @Field({ description: 'The name of the property of the row.' })
  path!: string;

  @Field(() => [String], { description: 'The description of the problem.' })
  messages!: string[];
}

@ObjectType({
  description: 'The result of one row of an upsert or of its dry run.',
  simpleResolvers: true,
})
export class UpsertRowResult {
  @Field(() => Int, { description: 'The index of the row in the request, from 0.' })
  index!: number;

  @Field(() => UpsertOutcome, { description: 'The outcome of the row.' })
  outcome!: Outcome;

  @Field(() => UUID, {
    nullable: true,
    description: 'The id of the record; null when there is none or it has not been created.',
  })
  id!: string | null;

  @Field(() => [RowProblem], {
    description: 'The reasons why the row failed. Empty when it did not.',
  })
  problems!: RowProblem[];
}

@ObjectType({ description: 'The result of an upsert, row by row.', simpleResolvers: true })
export class UpsertResult {
  @Field({
    description:
      'Whether the outcomes were written. False after a dry run, or when a failed row prevented all rows from being written.',
  })
  applied!: boolean;

  @Field(() => Int, { description: 'The number of rows that created a record.' })
  createdCount!: number;

  @Field(() => Int, { description: 'The number of rows that changed a record.' })
  updatedCount!: number;

  @Field(() => Int, {
    description:
      'The number of rows whose record already had these values. Their `updatedAt` is unchanged.',
  })
  unchangedCount!: number;

  @Field(() => Int, { description: 'The number of rows that failed.' })
  failedCount!: number;

  @Field(() => [UpsertRowResult], {
    description: 'The result of each row, in the order of the request.',
  })
  rows!: UpsertRowResult[];
}
