import { Migration } from '@mikro-orm/migrations';

/**
 * An app may have several secrets at once, so that one can be replaced without downtime. A revoked
 * approval keeps its row, which records who revoked it and when; its scopes are empty, which is all
 * that the API reads.
 */
export class Apps extends Migration {
  override up(): void {
    this.addSql(`
      create table app_secrets (
        id uuid primary key,
        app_id uuid not null references apps on delete cascade,
        hash bytea not null,
        hint text not null,
        created_by uuid references users,
        created_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz,
        last_used_at timestamptz,
        constraint app_secrets_hash_key unique (app_id, hash)
      );

      alter table app_approvals
        add column revoked_by uuid references users,
        add column revoked_at timestamptz,
        add constraint app_approvals_revoked_check check (revoked_at is null or scopes = '{}');

      -- A new organization's clock ticks for the stamp of the organization itself.
      alter table organization_clocks alter constraint organization_clocks_organization_id_fkey deferrable initially deferred;

      create index apps_of_owner on apps (owner_id);
      create index audit_events_of_app on audit_events (subject_id, occurred_at, id) where subject_type = 'App';
    `);
  }
}
