import { Migration } from '@mikro-orm/migrations';

/**
 * The row of a version clock is only locked, and no longer updated (database/version-clock.ts).
 *
 * Servers of the former release read `ticked_at`, for their change feeds and for lists over several
 * organizations. While such servers may run beside new ones, for a day, a trigger keeps the column.
 * A new database has none. Their function `latest_tick` reads the audit events.
 */
export class ClocksAreLocks extends Migration {
  override up(): void {
    this.addSql(`
      drop index organization_clocks_latest;
      create or replace function latest_tick() returns timestamptz language plpgsql volatile as $$
        begin
          return greatest((select max(occurred_at) from audit_events), (select max(ticked_at) from organization_clocks));
        end
      $$;
      create function keep_ticked_at() returns trigger language plpgsql as $$
        begin
          update organization_clocks set ticked_at = new.occurred_at
            where organization_id = new.organization_id and ticked_at < new.occurred_at;
          return null;
        end
      $$;
      -- because the condition ends with the day, and the next release removes the trigger
      do $$
        begin
          if exists (select from organizations) then
            execute format('create trigger audit_events_keep_ticked_at after insert on audit_events for each row
              when (now() < %L and new.subject_type not in (''App'', ''Invitation'', ''SigningKey'', ''User''))
              execute function keep_ticked_at()', now() + interval '1 day');
          end if;
        end
      $$;
    `);
  }
}
