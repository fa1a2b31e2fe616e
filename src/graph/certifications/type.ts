import { Field, InputType } from 'type-graphql';
import { Certification, CertificationSource } from '../../entities/certification.js';
import { DateScalar, ExternalId, Text, UUID } from '../../scalars/scalars.js';
import { NotNull } from '../input/blank.js';
import { connectionOf } from '../reads/connection.js';

export const CertificationConnection = connectionOf(Certification, 'Certification', true);

@InputType({
  description:
    'The properties of a certification record to change. An omitted property keeps its value; null clears it.',
})
export class CertificationUpdate {
  @Field(() => ExternalId, {
    nullable: true,
    description: 'The id of the record in an external system, unique per external system.',
  })
  externalId?: string | null;

  @Field(() => ExternalId, {
    nullable: true,
    description: 'The external system that `externalId` belongs to.',
  })
  externalSource?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'The day of issue.' })
  issuedOn?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The last day on which the certification is valid. Must not be before `issuedOn`.',
  })
  expiresOn?: string | null;

  @Field(() => Text, { nullable: true, description: 'The name of the issuer.' })
  issuerName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The serial number on the certificate.' })
  serialNumber?: string | null;
}

@InputType({ description: 'A new certification record.' })
export class CertificationCreate extends CertificationUpdate {
  @NotNull()
  @Field(() => UUID, {
    nullable: true,
    description:
      "The member who holds the certification. When omitted, it is the caller's own membership " +
      'and `source` must be `self-reported`. For a certification of the caller, it must be one ' +
      "of the caller's memberships and defaults to the primary one.",
  })
  organizationMemberId?: string;

  @Field(() => UUID, {
    description: 'The certification type: active, and usable by the organization.',
  })
  certificationTypeId!: string;

  @Field(() => CertificationSource, {
    nullable: true,
    description:
      'How the record was created. Only `self-reported` is allowed without the `admin` or `manager` role.',
  })
  source?: CertificationSource | null;
}
