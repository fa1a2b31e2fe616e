import { Field, ObjectType } from 'type-graphql';
import type {
  Action,
  Explanation,
  ActionKind as Kind,
  MissReason as Reason,
} from '../../entities/evaluation/explanation.js';
import { DateScalar, UUID } from '../../scalars/scalars.js';
import { MissReason, QualificationActionKind } from '../enums.js';

@ObjectType({ description: 'One action towards meeting a requirement.', simpleResolvers: true })
export class QualificationAction implements Action {
  @Field(() => QualificationActionKind, { description: 'The kind of action.' })
  kind!: Kind;

  @Field(() => UUID, { description: 'The required certification type.' })
  certificationTypeId!: string;

  @Field(() => UUID, {
    nullable: true,
    description: 'The record to act on or to replace; null when the member holds none.',
  })
  certificationId!: string | null;
}

@ObjectType({
  description:
    'The result of a member for one requirement on a day: the record that meets it, or the nearest miss.',
  simpleResolvers: true,
})
export class RequirementResult implements Explanation {
  @Field(() => UUID, { description: 'The required certification type.' })
  certificationTypeId!: string;

  @Field({
    description:
      'Whether the certification type is required; an optional one does not affect the result.',
  })
  isRequired!: boolean;

  @Field({ description: 'Whether the member meets the requirement.' })
  isMet!: boolean;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The record that meets the requirement; of several, the one that stays valid longest. If ' +
      'the requirement is not met, the nearest miss: records that need no new certificate ' +
      'first, then fewer actions, then the order of the reasons, then the last day. Null when ' +
      'the member holds no record of the type.',
  })
  certificationId!: string | null;

  @Field(() => MissReason, {
    nullable: true,
    description: 'Why the requirement is not met; null when it is met.',
  })
  reason!: Reason | null;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The date of the reason: the last day of an expired record, or the day of issue of a ' +
      'record issued in the future. Null for other reasons.',
  })
  reasonDay!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The last day on which the requirement is met without a gap, including by consecutive ' +
      'records. Null when it is not met or no end is known.',
  })
  metUntil!: string | null;

  @Field(() => [QualificationAction], {
    description:
      'The fewest actions that would meet the requirement, in order. Empty when it is met.',
  })
  actions!: QualificationAction[];
}
