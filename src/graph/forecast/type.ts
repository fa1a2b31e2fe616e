import { ArgsType, Field, ObjectType } from 'type-graphql';
import { connectionOf, PageArgs } from '../connection.js';
import { DateScalar, DayCount, UUID } from '../scalars.js';

@ObjectType({ description: 'A record whose end costs a qualification.', simpleResolvers: true })
export class EndingRecord {
  @Field(() => UUID, { description: 'The certification type.' })
  certificationTypeId!: string;

  @Field(() => UUID, { description: 'The record.' })
  certificationId!: string;
}

@ObjectType({ description: 'That a member is no longer qualified from a day on, unless something is done.', simpleResolvers: true })
export class QualificationLoss {
  @Field(() => UUID, { description: 'The member.' })
  organizationMemberId!: string;

  @Field(() => UUID, { description: 'The qualification.' })
  qualificationId!: string;

  @Field(() => DateScalar, { description: 'The first day (UTC) without the qualification.' })
  lostOn!: string;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The day on which records that are there already bring the qualification back; null when none do.',
  })
  regainedOn!: string | null;

  @Field(() => [EndingRecord], {
    description: 'The records that end on the day before without another of their type to follow: renew these.',
  })
  through!: EndingRecord[];
}

export const QualificationLossConnection = connectionOf(QualificationLoss, 'QualificationLoss');

@ArgsType()
export class ForecastArgs extends PageArgs {
  @Field(() => DayCount, { description: 'How many days to look ahead of `asOf`.' })
  days!: number;
}
