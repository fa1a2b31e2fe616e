import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The stored answer to a create that carried an Idempotency-Key. */
@Entity({ tableName: 'idempotency_records' })
export class IdempotencyRecord {
  @PrimaryKey({ type: 'uuid' }) appId!: string;
  @PrimaryKey({ type: 'uuid' }) userId!: string;
  @PrimaryKey({ type: 'text' }) key!: string;
  @Property({ type: 'text' }) fingerprint!: string;
  @Property({ type: 'integer', nullable: true }) status!: number | null;
  @Property({ type: 'json', columnType: 'json', nullable: true }) headers!: Record<string, string> | null;
  @Property({ type: 'text', nullable: true }) body!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}

/** Who changed what, when, from what to what. Written with the change itself; never changed. */
@Entity({ tableName: 'audit_events' })
export class AuditEvent {
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'uuid', nullable: true }) organizationId!: string | null;
  @Property({ type: 'uuid', nullable: true }) userId!: string | null;
  @Property({ type: 'uuid', nullable: true }) appId!: string | null;
  @Property({ type: 'text' }) action!: string;
  @Property({ type: 'text' }) subjectType!: string;
  @Property({ type: 'text' }) subjectId!: string;
  @Property({ type: 'json', columnType: 'jsonb' }) changes!: object;
  @Property({ type: 'text', nullable: true }) requestId!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) occurredAt!: string;
}
