import { Migration } from '@mikro-orm/migrations';

/**
 * A write checks its caller once it holds the organization's version clock
 * (database/record-changes.ts). The clock is locked before it is advanced, so each organization
 * needs one. A stored response names its organization, which a later caller must still have access
 * to.
 */
export class NoPresumedWriters extends Migration {
  override up(): void {
    this.addSql(`
      -- because no release has called it
      drop function require_same(text, text);
    `);
    this.addSql('alter table idempotency_records add column organization_id uuid');
    this.addSql(`
      -- because only organizations without a write of their own lack a clock: rows that were inserted by hand
      insert into organization_clocks (organization_id, ticked_at)
        select id, updated_at from organizations on conflict (organization_id) do nothing;
    `);
  }
}
