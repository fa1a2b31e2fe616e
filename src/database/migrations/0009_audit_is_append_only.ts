import { Migration } from '@mikro-orm/migrations';

/**
 * Audit events are append-only: PostgreSQL refuses to change or delete them, and nothing purges
 * them. If the law demands a removal, the table's owner can disable the trigger in the transaction
 * that removes them. An event outlives the app that it names, so the deletion of an app clears
 * nothing. The indexes serve the queries of admins: by subject and by person.
 */
export class AuditIsAppendOnly extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_events drop constraint audit_events_app_id_fkey;

      create function refuse_audit_change() returns trigger language plpgsql as $$
      begin
        raise exception 'audit_events is append-only: % is refused', lower(tg_op) using errcode = 'insufficient_privilege';
      end $$;
      create trigger audit_events_append_only before update or delete or truncate on audit_events
        for each statement execute function refuse_audit_change();

      create index audit_events_of_subject on audit_events (organization_id, subject_id, occurred_at, id);
      create index audit_events_of_user on audit_events (organization_id, user_id, occurred_at, id);
    `);
  }
}
