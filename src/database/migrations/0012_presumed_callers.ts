import { Migration } from '@mikro-orm/migrations';

/**
 * Fails if the principal of a caller has changed, so that PostgreSQL runs no statement of the same
 * pipeline after it. Migration 0015 drops it.
 */
export class PresumedCallers extends Migration {
  override up(): void {
    this.addSql(`
      create function require_same(actual text, presumed text) returns void language plpgsql as $$
        begin
          if actual is distinct from presumed then
            raise exception 'the caller is not whom they were presumed to be' using errcode = 'LY001';
          end if;
        end
      $$;
    `);
  }
}
