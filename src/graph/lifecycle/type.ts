import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateScalar, Name, Text, UUID } from '../scalars.js';

const effectiveOn = 'The day (UTC) from which on it holds: not before the record was made, not after today. Today when left out.';
const reason = 'Why; kept in the history.';

@InputType({ description: 'How the state of a certification record changes.' })
export class CertificationMove {
  @Field(() => Text, { nullable: true, description: reason })
  reason?: string | null;

  @Field(() => DateScalar, { nullable: true, description: effectiveOn })
  effectiveOn?: string | null;
}

@InputType({ description: 'How a certification record is taken back.' })
export class CertificationRevocation {
  @Field(() => Name, { description: reason })
  reason!: string;

  @Field(() => DateScalar, { nullable: true, description: effectiveOn })
  effectiveOn?: string | null;
}

@InputType({ description: 'The outcome of checking a certification record.' })
export class CertificationCheck extends CertificationMove {
  @Field(() => Name, { description: 'How it was checked: `document-review`, `issuer-registry`.' })
  method!: string;
}

@InputType({ description: 'Which certification records to take back: the active ones of an issuer that were issued in a range of days.' })
export class CertificationBulkRevocation extends CertificationRevocation {
  @Field(() => Name, { description: 'The name of the issuer, in any case.' })
  issuerName!: string;

  @Field(() => DateScalar, { description: 'The first day of issue.' })
  issuedFrom!: string;

  @Field(() => DateScalar, { description: 'The last day of issue.' })
  issuedUntil!: string;
}

@ObjectType({ description: 'What a bulk revocation did, or would do.', simpleResolvers: true })
export class BulkRevocationResult {
  @Field({ description: 'Whether this only reported what would happen.' })
  dryRun!: boolean;

  @Field(() => Int, { description: 'How many records are revoked.' })
  revokedCount!: number;

  @Field(() => [UUID], { description: 'The records that are revoked.' })
  revokedIds!: string[];

  @Field(() => [UUID], {
    description:
      'Records that fit, but are archived, and so cannot be revoked: restore them first, or they may come into force again later.',
  })
  archivedIds!: string[];
}
