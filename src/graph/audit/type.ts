import { ArgsType, Field } from 'type-graphql';
import { AuditEvent } from '../../entities/journal.js';
import { DateTime, Name, Text, UUID } from '../../scalars/scalars.js';
import { connectionOf, PageArgs } from '../connection.js';

export const AuditEventConnection = connectionOf(AuditEvent, 'AuditEvent');

@ArgsType()
export class AuditFilters extends PageArgs {
  @Field(() => Name, {
    nullable: true,
    description: 'Returns only events with this subject type, such as `Certification`.',
  })
  subjectType?: string | null;

  @Field(() => Text, { nullable: true, description: 'Returns only events with this subject id.' })
  subjectId?: string | null;

  @Field(() => UUID, { nullable: true, description: 'Returns only events of this user.' })
  userId?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'Returns only events that came through this app.',
  })
  appId?: string | null;

  @Field(() => Name, {
    nullable: true,
    description: 'Returns only events with this action, such as `update`.',
  })
  action?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Returns only events at or after this time.',
  })
  occurredFrom?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Returns only events before this time.' })
  occurredBefore?: string | null;
}
