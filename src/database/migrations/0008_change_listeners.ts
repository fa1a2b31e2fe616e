import { Migration } from '@mikro-orm/migrations';

/**
 * Listeners for changes by organization, so that writes notify only where one exists. Unlogged: a
 * crash ends the listeners too.
 */
export class ChangeListeners extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table change_listeners (
        organization_id uuid not null,
        listener_id uuid not null,
        expires_at timestamptz not null,
        primary key (organization_id, listener_id)
      );
      create index change_listeners_expiry on change_listeners (expires_at);
    `);
  }
}
