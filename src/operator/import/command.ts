import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { type Arguments, type Command, UsageError } from '../usage.js';
import { importFile, importKinds } from './import.js';

/** Does something with the database of the configuration. */
type WithDatabase = <T>(config: Config, work: (db: Database) => Promise<T>) => Promise<T>;

/** `lanyard import`. Ends with 0 when every row is in, with 1 when some were refused, with 2 when it was called wrongly. */
export const importCommand = (withDatabase: WithDatabase): Command => ({
  does: 'bring certifications or members in from a CSV file; the rows that are refused go to FILE.rejected.csv',
  usage: 'FILE --organization SLUG --user E-MAIL [--kind KIND] [--partial] [--dry-run] [--external-source NAME]',
  async run(config, values: Arguments) {
    const { FILE: file = '', organization = '', user = '', kind: name = 'certifications' } = values;
    const kind = importKinds[name];
    if (!kind) throw new UsageError(`--kind must be one of ${Object.keys(importKinds).join(', ')}.`);
    const given = { file, kind, organization, user, externalSource: values['external-source'] };
    const flags = { partial: values.partial === 'true', dryRun: values['dry-run'] === 'true' };
    const { tally, applied, report } = await withDatabase(config, (db) => importFile(db, { ...given, ...flags }));
    const { created, updated, unchanged, failed } = tally;
    process.stdout.write(
      `${applied ? 'Imported' : 'Nothing was written; it would be'}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} refused.\n` +
        (report ? `The refused rows, with the reasons: ${report}\n` : ''),
    );
    if (failed > 0) process.exitCode = 1;
  },
});
