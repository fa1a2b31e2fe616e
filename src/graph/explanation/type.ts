import { Field, ObjectType } from 'type-graphql';
import type { Action, Explanation, ActionKind as Kind, MissReason as Reason } from '../../entities/evaluation/explanation.js';
import { MissReason, QualificationActionKind } from '../enums.js';
import { DateScalar, UUID } from '../scalars.js';

@ObjectType({ description: 'One thing to do so that a requirement is met.', simpleResolvers: true })
export class QualificationAction implements Action {
  @Field(() => QualificationActionKind, { description: 'What to do.' })
  kind!: Kind;

  @Field(() => UUID, { description: 'The certification type that is required.' })
  certificationTypeId!: string;

  @Field(() => UUID, { nullable: true, description: 'The record to do it with, or in place of; null where none is held.' })
  certificationId!: string | null;
}

@ObjectType({
  description: 'How a member stands with one requirement on a day: met through a record, or how near to it.',
  simpleResolvers: true,
})
export class RequirementResult implements Explanation {
  @Field(() => UUID, { description: 'The certification type that is required.' })
  certificationTypeId!: string;

  @Field({ description: 'Whether the qualification cannot be had without it.' })
  isRequired!: boolean;

  @Field({ description: 'Whether the member meets it.' })
  isMet!: boolean;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The record that meets it, of several the one that lasts longest; else the nearest miss: what needs no new certificate before what does, then what takes fewer actions, then by the order of the reasons, then by the last day. Null when none is held.',
  })
  certificationId!: string | null;

  @Field(() => MissReason, { nullable: true, description: 'Why that record does not meet it; null when it does.' })
  reason!: Reason | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The day behind the reason: the last day of an expired record, the day of issue of one issued in the future.',
  })
  reasonDay!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The last day on which it is met without a break, through records that follow each other too; null when no end is known.',
  })
  metUntil!: string | null;

  @Field(() => [QualificationAction], { description: 'The fewest actions that would meet it, in order; none when it is met.' })
  actions!: QualificationAction[];
}
