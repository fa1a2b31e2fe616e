import { Migration } from '@mikro-orm/migrations';

/** Fails unless a caller is still whom they were presumed to be, so that PostgreSQL runs nothing of what was sent behind it (auth/presumption.ts). */
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
