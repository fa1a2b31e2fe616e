import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import type { UpsertOutcome as Outcome } from '../../entities/upsert/plan.js';
import { UpsertMode, UpsertOutcome } from '../enums.js';
import { UUID } from '../scalars.js';

const text = (description: string) => ({ nullable: true, description });

/** All are plain strings, so that a value that is no good fails its row alone. */
@InputType({
  description:
    'One certification record of an upsert, found by `externalSource` and `externalId`. What is left out stays as it is; null clears what may be empty.',
})
export class CertificationUpsert {
  @Field(() => String, text('The id of the record in the outside system. Every row needs one.'))
  externalId?: string | null;

  @Field(() => String, text('The outside system that `externalId` belongs to.'))
  externalSource?: string | null;

  @Field(() => String, text('The member who holds the certification, by id. A new record needs this or one of the next two.'))
  organizationMemberId?: string | null;

  @Field(() => String, text('The holder by the external id of the member.'))
  memberExternalId?: string | null;

  @Field(() => String, text('The holder by the e-mail address of the member.'))
  memberEmail?: string | null;

  @Field(() => String, text('The kind of certification, by id. A new record needs this or the next.'))
  certificationTypeId?: string | null;

  @Field(() => String, text("The kind of certification by its slug; the organization's own before a standard one."))
  certificationTypeSlug?: string | null;

  @Field(() => String, text('The day of issue, `YYYY-MM-DD`.'))
  issuedOn?: string | null;

  @Field(() => String, text('The last day on which the certification holds, `YYYY-MM-DD`; not before `issuedOn`.'))
  expiresOn?: string | null;

  @Field(() => String, text('Who issued the certification.'))
  issuerName?: string | null;

  @Field(() => String, text('The serial number on the certificate.'))
  serialNumber?: string | null;
}

@InputType({
  description:
    'One member of an upsert, found by `externalId`, else by `email`. What is left out stays as it is; null empties a name. The address of a member is not changed.',
})
export class OrganizationMemberUpsert {
  @Field(() => String, text('The id of the member in an outside system; a member found by address who has none takes it.'))
  externalId?: string | null;

  @Field(() => String, text('The e-mail address. A new member needs one; who has no user yet is invited.'))
  email?: string | null;

  @Field(() => String, text('The name to show; made from the other names or the address when a new member has none.'))
  displayName?: string | null;

  @Field(() => String, text('The first name.'))
  firstName?: string | null;

  @Field(() => String, text('The last name.'))
  lastName?: string | null;

  @Field(() => String, text('The role; `member` for a new member when left out. Only an admin can make an `admin`.'))
  role?: string | null;
}

@ArgsType()
export class UpsertArgs {
  @Field(() => UpsertMode, { defaultValue: 'atomic', description: 'Whether one row that fails keeps all from being written.' })
  mode: 'atomic' | 'partial' = 'atomic';

  @Field({ defaultValue: false, description: 'Write nothing, and report what would happen.' })
  dryRun: boolean = false;
}

@ObjectType({ description: 'What is wrong with one value of a row.', simpleResolvers: true })
export class RowProblem {
  @Field({ description: 'The property of the row.' })
  path!: string;

  @Field(() => [String], { description: 'What is wrong with it.' })
  messages!: string[];
}

@ObjectType({ description: 'What an upsert did with one of its rows, or would have done.', simpleResolvers: true })
export class UpsertRowResult {
  @Field(() => Int, { description: 'The number of the row in the call, from 0.' })
  index!: number;

  @Field(() => UpsertOutcome, { description: 'What became of the row.' })
  outcome!: Outcome;

  @Field(() => UUID, { nullable: true, description: 'The record; null when there is none, or none yet.' })
  id!: string | null;

  @Field(() => [RowProblem], { description: 'Why the row failed.' })
  problems!: RowProblem[];
}

@ObjectType({ description: 'What an upsert did, row by row.', simpleResolvers: true })
export class UpsertResult {
  @Field({ description: 'Whether the outcomes hold. False after a dry run, and when a failed row kept all others from being written.' })
  applied!: boolean;

  @Field(() => Int, { description: 'Rows that created a record.' })
  createdCount!: number;

  @Field(() => Int, { description: 'Rows that changed a record.' })
  updatedCount!: number;

  @Field(() => Int, { description: 'Rows whose record already had these values: it keeps its `updatedAt`.' })
  unchangedCount!: number;

  @Field(() => Int, { description: 'Rows that failed.' })
  failedCount!: number;

  @Field(() => [UpsertRowResult], { description: 'The rows in the order of the call.' })
  rows!: UpsertRowResult[];
}
