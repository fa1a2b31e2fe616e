import { ArgsType, Field, ObjectType } from 'type-graphql';
import { DateScalar, DayCount, UUID } from '../../scalars/scalars.js';
import { connectionOf, PageArgs } from '../connection.js';

@ObjectType({
  description: 'A record whose expiry causes the loss of a qualification.',
  simpleResolvers: true,
})
export class EndingRecord {
  @Field(() => UUID, { description: 'The id of the certification type.' })
  certificationTypeId!: string;

  @Field(() => UUID, { description: 'The id of the record.' })
  certificationId!: string;
}

@ObjectType({
  description: 'The loss of a qualification by a member from a day on, unless records are renewed.',
  simpleResolvers: true,
})
export class QualificationLoss {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => DateScalar, {
    description: 'The first day (UTC) on which the member is no longer qualified.',
  })
  lostOn!: string;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The day on which existing records make the member qualified again; null when none do.',
  })
  regainedOn!: string | null;

  @Field(() => [EndingRecord], {
    description:
      'The records to renew: they expire on the day before, and no other record of their type follows.',
  })
  through!: EndingRecord[];
}

export const QualificationLossConnection = connectionOf(QualificationLoss, 'QualificationLoss');

@ArgsType()
export class ForecastArgs extends PageArgs {
  @Field(() => DayCount, { description: 'The number of days to look ahead from `asOf`.' })
  days!: number;
}
