import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateScalar, Name, Text, UUID } from '../../scalars/scalars.js';

const range =
  'Must not be after today, nor before the day of issue, except today. Defaults to today.';
const effectiveOn = `The day (UTC) from which the change applies. It may be before the record was entered. ${range}`;
const reason = 'The reason, kept in the history.';

@InputType({ description: 'The reason and effective day of a lifecycle change.' })
export class CertificationMove {
  @Field(() => Text, { nullable: true, description: reason })
  reason?: string | null;

  @Field(() => DateScalar, { nullable: true, description: effectiveOn })
  effectiveOn?: string | null;
}

@InputType({ description: 'The reason and effective day of a revocation.' })
export class CertificationRevocation {
  @Field(() => Name, { description: reason })
  reason!: string;

  @Field(() => DateScalar, { nullable: true, description: effectiveOn })
  effectiveOn?: string | null;
}

@InputType({ description: 'The method, day and reason of a verification.' })
export class CertificationCheck extends CertificationMove {
  @Field(() => Name, {
    description: 'The verification method, such as `document-review` or `issuer-registry`.',
  })
  method!: string;

  @Field(() => DateScalar, {
    nullable: true,
    description: `The day (UTC) of the verification, returned in \`lastVerifiedAt\`. The outcome applies to all days. ${range}`,
  })
  override effectiveOn?: string | null;
}

@InputType({
  description:
    'The certification records to revoke: the active ones that an issuer issued in a range of days.',
})
export class CertificationBulkRevocation extends CertificationRevocation {
  @Field(() => Name, { description: 'The name of the issuer. Case-insensitive.' })
  issuerName!: string;

  @Field(() => DateScalar, { description: 'The first day of issue of the range.' })
  issuedFrom!: string;

  @Field(() => DateScalar, { description: 'The last day of issue of the range.' })
  issuedUntil!: string;
}

@ObjectType({
  description: 'The result of a bulk revocation or of its dry run.',
  simpleResolvers: true,
})
export class BulkRevocationResult {
  @Field({ description: 'Whether this was a dry run: nothing was changed.' })
  dryRun!: boolean;

  @Field(() => Int, {
    description: 'The number of records revoked, or that would be revoked in a dry run.',
  })
  revokedCount!: number;

  @Field(() => [UUID], {
    description: 'The ids of the records revoked, or that would be revoked in a dry run.',
  })
  revokedIds!: string[];

  @Field(() => [UUID], {
    description:
      'The ids of matching records that are archived and therefore not revoked. To revoke them, ' +
      'restore them first; otherwise they may come into force again later.',
  })
  archivedIds!: string[];
}
