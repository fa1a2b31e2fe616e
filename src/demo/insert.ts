/** Inserts demo rows. */
import type { EntityClass } from '@mikro-orm/core';
import { historyOf, insertRows } from '../database/change-statements.js';
import type { Database } from '../database/connection.js';
import { takeStamps } from '../database/record-changes.js';
import { Certification, type LifecycleStatus } from '../entities/certification.js';
import type { certificationRows } from './certifications.js';

type Row = Record<string, unknown>;
type OwnedRow = Row & { readonly organizationId: string };
type Rows<Each> = readonly (readonly [entity: EntityClass<object>, rows: readonly Each[]])[];

/** Why a record is no longer active, for its history. */
const reasons: Readonly<Record<LifecycleStatus, string | null>> = {
  active: null,
  revoked: 'The issuer withdrew the certificate after an audit of the course.',
  archived: 'A newer certificate replaces it.',
};

/** Rows that no organization owns. */
export async function insertFree(tx: Database, all: Rows<Row>): Promise<void> {
  for (const [entity, rows] of all)
    if (rows.length > 0) await insertRows(tx, entity, Object.keys(rows[0] ?? {}), [...rows]);
}

/**
 * Rows that organizations own: stamped by their version clocks, with the history of the
 * certifications.
 * @param founded Organizations that are created with them: they are stamped last.
 */
export async function insertOwned(
  tx: Database,
  others: Rows<OwnedRow>,
  certifications: ReturnType<typeof certificationRows>,
  founded: readonly string[],
): Promise<void> {
  const all: Rows<OwnedRow> = [...others, [Certification, certifications]];
  const owners = Map.groupBy(
    [...all.flatMap(([, rows]) => rows.map((row) => row.organizationId)), ...founded],
    (id) => id,
  );
  const stamps = new Map<string, string[]>();
  for (const [id, each] of [...owners].sort(([one], [other]) => (one < other ? -1 : 1)))
    stamps.set(id, await takeStamps(tx, id, each.length));
  const next = (organizationId: string) => stamps.get(organizationId)?.shift() ?? '';
  for (const [entity, rows] of all) {
    const stamped = rows.map((row) => ({ ...row, updatedAt: next(row.organizationId) }));
    await insertRows(tx, entity, Object.keys(stamped[0] ?? {}), stamped);
  }
  const history = certifications.map(({ organizationId, id, createdAt, lifecycleStatus }) => ({
    organizationId,
    id,
    effectiveOn: createdAt.slice(0, 10),
    reason: reasons[lifecycleStatus],
  }));
  await tx.query(...historyOf({ userId: null, appId: null, requestId: null }, history));
  for (const id of founded)
    await tx.query('update organizations set updated_at = $2 where id = $1', [id, next(id)]);
}
