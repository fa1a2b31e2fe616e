import { Migration } from '@mikro-orm/migrations';

/**
 * The newest committed stamp of all organizations at the time of the call. A volatile function
 * takes its own snapshot; a subquery would see that of its statement (database/version-clock.ts
 * needs what was committed while it waited for the clock's row).
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
