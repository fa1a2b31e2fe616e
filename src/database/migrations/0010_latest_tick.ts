import { Migration } from '@mikro-orm/migrations';

/**
 * The newest stamp of all organizations, as committed at the moment of the call: a volatile function takes a snapshot of its own, where a subquery would
 * see what its statement began with (database/clock.ts needs what was committed while it waited for the clock's row).
 */
export class LatestTick extends Migration {
  override up(): void {
    this.addSql(`
      create index organization_clocks_latest on organization_clocks (ticked_at);
      create function latest_tick() returns timestamptz language plpgsql volatile as $$
        begin
          return (select max(ticked_at) from organization_clocks);
        end
      $$;
    `);
  }
}
