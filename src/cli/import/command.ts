import type { WithDatabase } from '../commands/on.js';
import { type Command, UsageError } from '../usage.js';
import { importFile, importKinds } from './import.js';

/** Distinguishes an import with refused rows from a failure, for scripts. */
export const exitCodeOfRefusedRows = 3;

export const importCommand = (withDatabase: WithDatabase): Command => ({
  does: 'import certifications or members from a CSV file; refused rows go to FILE.rejected.csv',
  usage:
    'FILE --organization SLUG --user E-MAIL [--kind KIND] [--partial] [--dry-run] [--external-source NAME]',
  explains: {
    FILE: 'CSV in UTF-8, with a first line of column names',
    '--organization': 'the organization of the records',
    '--user': 'the admin or manager who is recorded as the author',
    '--kind': `${Object.keys(importKinds).join(' or ')}; default: certifications`,
    '--partial': 'write the valid rows even if others are refused; default: all rows or none',
    '--dry-run': 'write nothing, and report what would happen',
    '--external-source': 'the source system, for rows without one',
  },
  example: 'people.csv --organization skyline-towers --user manager@skyline.example --kind members',
  notes:
    'When interrupted, it finishes the current 1,000 rows and stops; run the same command again to continue.',
  exits: { [exitCodeOfRefusedRows]: 'finished, with refused rows' },
  json: 'kind, written, created, updated, unchanged, refused, refused_file',
  isLong: true,
  async run({ config, values, notify, signal }) {
    const { FILE: file = '', organization = '', user = '', kind: name = 'certifications' } = values;
    const kind = importKinds[name];
    if (!kind)
      throw new UsageError(`--kind must be one of ${Object.keys(importKinds).join(', ')}.`);
    const given = {
      file,
      kind,
      organization,
      user,
      externalSource: values['external-source'],
      notify,
      signal,
    };
    const flags = { partial: values.partial === 'true', dryRun: values['dry-run'] === 'true' };
    const { tally, applied, report } = await withDatabase(config, (db) =>
      importFile(db, { ...given, ...flags }),
    );
    const { failed: refused, ...counts } = tally;
    const { created, updated, unchanged } = counts;
    return {
      text:
        `${applied ? 'Imported' : 'Nothing was written; it would have been'}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.\n` +
        (report ? `The refused rows, with the reasons: ${report}\n` : ''),
      json: {
        kind: name,
        written: applied,
        created,
        updated,
        unchanged,
        refused,
        refused_file: report ?? null,
      },
      ...(refused > 0 && { exitCode: exitCodeOfRefusedRows }),
    };
  },
});
