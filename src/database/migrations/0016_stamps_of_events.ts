import { Migration } from '@mikro-orm/migrations';

/**
 * The version clock takes the last stamp from the audit events (database/version-clock.ts): that of
 * all organizations, and that of one. The second index omits the events that no version clock
 * stamps.
 */
export class StampsOfEvents extends Migration {
  override isTransactional = (): boolean => false;

  override up(): void {
    this.addSql('drop index concurrently if exists audit_events_latest');
    this.addSql('create index concurrently audit_events_latest on audit_events (occurred_at)');
    this.addSql('drop index concurrently if exists audit_events_stamps');
    this.addSql(`create index concurrently audit_events_stamps on audit_events (organization_id, occurred_at)
      where subject_type not in ('App', 'Invitation', 'SigningKey', 'User')`);
  }
}
