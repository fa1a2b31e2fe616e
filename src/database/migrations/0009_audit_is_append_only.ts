import { Migration } from '@mikro-orm/migrations';

/**
 * What is in the audit stays as it was written: PostgreSQL itself refuses to change or delete it. Events are kept for good and nothing purges them; whoever
 * must remove some all the same, as the law may demand, turns the trigger off in the transaction that does so, which only the table's owner can.
 * An event outlives the app that it names, so that deleting an app clears nothing. The indexes serve what admins ask for: one subject, one person.
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
