/**
 * Imports a CSV file through the bulk upserts of the API, 1,000 rows per transaction. An
 * interrupted import can be repeated: rows that were written are unchanged.
 */
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { upsertCertifications } from '../../graph/upsert/certifications.js';
import { upsertMembers } from '../../graph/upsert/members.js';
import { certificationColumns, maxRows, memberColumns } from '../../graph/upsert/rows.js';
import type { Target, Upserted, UpsertOptions } from '../../graph/upsert/run.js';
import type { UpsertOutcome } from '../../rules/upsert/plan.js';
import { stopIfAsked } from '../interrupt.js';
import type { NotifyProgress } from '../output/progress.js';
import { Rejections } from './report.js';
import { type CsvRow, readCsv } from './rows.js';

type Values = CsvRow['values'];

interface Kind {
  readonly columns: readonly string[];
  /** The identity of a row within the file. */
  readonly keyOf: (values: Values) => string | null | undefined;
  readonly upsert: (
    target: Target,
    rows: readonly Values[],
    options: UpsertOptions,
  ) => Promise<Upserted>;
}

export const importKinds: Readonly<Record<string, Kind>> = {
  certifications: {
    columns: Object.keys(certificationColumns),
    keyOf: ({ externalId, externalSource }) =>
      externalId && JSON.stringify([externalId, externalSource ?? null]),
    upsert: (target, rows, options) => upsertCertifications(target, rows, options, 'import'),
  },
  members: {
    columns: Object.keys(memberColumns),
    keyOf: ({ externalId, email }) => externalId ?? email?.toLowerCase(),
    upsert: upsertMembers,
  },
};

export interface Import {
  readonly file: string;
  readonly kind: Kind;
  /** Slug of the organization, and e-mail address of the person who acts. */
  readonly organization: string;
  readonly user: string;
  /** Write valid rows although others are refused. */
  readonly partial: boolean;
  readonly dryRun: boolean;
  /** Default for rows without one. */
  readonly externalSource?: string | undefined;
  readonly notify: NotifyProgress;
  /** Ends the import between two transactions. */
  readonly signal: AbortSignal;
}

export type Tally = Readonly<Record<UpsertOutcome, number>>;

/**
 * Without `partial` a dry run checks the file first, and nothing is written if a row is refused.
 * @returns The number of rows by outcome, whether they were written, and the file of the refused
 * ones.
 * @throws {ApiError} `forbidden` unless the person manages the organization.
 * @throws {Interrupted}
 */
export async function importFile(
  db: Database,
  given: Import,
): Promise<{ tally: Tally; applied: boolean; report: string | undefined }> {
  const person = await findManager(db, given.organization, given.user);
  const rejections = new Rejections(`${given.file}.rejected.csv`, given.kind.columns);
  const run = (what: string, dryRun: boolean, report?: Rejections) =>
    bringIn(db, person, given, { what, dryRun, report });
  try {
    let tally = await run(
      given.partial ? 'importing' : 'checking',
      given.dryRun || !given.partial,
      rejections,
    );
    const applied = !given.dryRun && (given.partial || tally.failed === 0);
    if (applied && !given.partial) tally = await run('importing', false);
    return { tally, applied, report: rejections.count > 0 ? rejections.file : undefined };
  } finally {
    await rejections.end();
  }
}

type Person = Omit<Target, 'tx'>;

async function findManager(db: Database, slug: string, email: string): Promise<Person> {
  const [found] = await db.query<{ organizationId: string; userId: string; role: string }>(
    `select o.id as "organizationId", u.id as "userId", m.role from organizations o
     join organization_members m on m.organization_id = o.id and m.status = 'active'
     join users u on u.id = m.user_id and u.status = 'active'
     where o.slug = $1 and lower(u.email) = lower($2) and m.role in ('admin', 'manager')`,
    [slug, email],
  );
  if (!found)
    throw new ApiError(
      'forbidden',
      `${email} is not an active admin or manager of the organization ${slug}.`,
    );
  const { organizationId, userId, role } = found;
  return { organizationId, role, actor: { userId, appId: null, requestId: null } };
}

interface Pass {
  readonly what: string;
  readonly dryRun: boolean;
  readonly report: Rejections | undefined;
}

async function bringIn(
  db: Database,
  person: Person,
  { file, kind, externalSource, notify, signal }: Import,
  { what, dryRun, report }: Pass,
): Promise<Tally> {
  const tally = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const lines = new Map<string, number>();
  let count = 0;
  const refuse = async (row: CsvRow, problems: Record<string, string[]>): Promise<void> => {
    tally.failed++;
    await report?.add(row, problems);
  };
  const bring = async (batch: readonly CsvRow[]): Promise<void> => {
    stopIfAsked(signal, () => (dryRun ? untouched : half(tally)));
    const rows = batch.map(({ values }) => values);
    const upserted = await db.transaction((tx) =>
      kind.upsert({ ...person, tx }, rows, { isAtomic: false, dryRun }),
    );
    for (const { index, outcome, problems } of upserted.rows) {
      const row = batch[index];
      if (outcome === 'failed' && row) await refuse(row, problems);
      else tally[outcome]++;
    }
    notify({ doing: what, done: count, unit: 'rows', fraction: batch.at(-1)?.progress ?? 1 });
  };

  let batch: CsvRow[] = [];
  for await (const read of readCsv(file, kind.columns)) {
    count++;
    const values = externalSource
      ? { ...read.values, externalSource: read.values.externalSource ?? externalSource }
      : read.values;
    const row = { ...read, values };
    const key = kind.keyOf(values);
    const earlier = key ? lines.get(key) : undefined;
    if (earlier !== undefined) {
      await refuse(row, { externalId: [`is already the key of line ${earlier}`] });
      continue;
    }
    if (key) lines.set(key, row.line);
    batch.push(row);
    if (batch.length === maxRows) {
      await bring(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await bring(batch);
  return tally;
}

const untouched = 'Stopped before anything was written.';

const half = ({ created, updated, unchanged }: Tally): string =>
  `Stopped. Written so far: ${created} created, ${updated} updated, ${unchanged} unchanged. Run the same command again to go on: what is there stays as it is.`;
