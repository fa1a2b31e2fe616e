/** Bulk upsert of certification records: three reads, and a write for each 200 rows. */
import { Certification, type CertificationSource } from '../../entities/certification.js';
import {
  givenName,
  holderNames,
  planCertification,
  typeNames,
} from '../../rules/upsert/certification.js';
import { repetitions, type UpsertRow } from '../../rules/upsert/plan.js';
import { certifications } from '../certifications/reads.js';
import { available } from '../definitions/reads.js';
import { plainColumns } from '../reads/projection.js';
import { allOf, certificationColumns, type Given, readRows } from './rows.js';
import { type Target, takeTurn, type Upserted, type UpsertOptions, writePlans } from './run.js';

const keyOf = (externalId: string, externalSource: string | null | undefined): string =>
  JSON.stringify([externalId, externalSource ?? null]);

/**
 * Creates or changes the records with these keys: (externalSource, externalId).
 * @param source The source of new records.
 * @throws {ApiError} `validation_error` for too many rows.
 */
export async function upsertCertifications(
  target: Target,
  given: readonly Given<typeof certificationColumns>[],
  options: UpsertOptions,
  source: CertificationSource,
): Promise<Upserted> {
  const rows = readRows(certificationColumns, given);
  const keys = rows.map(({ values }) =>
    values.externalId ? keyOf(values.externalId, values.externalSource) : undefined,
  );
  const repeats = repetitions(keys, (key) => key);
  await takeTurn(target);
  const stored = await lockStored(target, rows);
  const holderOf = await findHolders(target, rows);
  const typeOf = await findTypes(target, rows);
  const plans = rows.map((row, index) =>
    planCertification(
      row,
      {
        stored: stored.get(keys[index] ?? ''),
        holder: holderOf(row),
        type: typeOf(row),
        repeats: repeats[index],
      },
      source,
    ),
  );
  return writePlans(target, Certification, plans, options);
}

/** Locks in the order of ids, as every lock of several records does. */
async function lockStored(
  { tx, organizationId }: Target,
  rows: readonly UpsertRow[],
): Promise<Map<string, Certification>> {
  const keyed = rows.filter(({ values }) => values.externalId);
  const records = await tx.query<Certification>(
    `select ${plainColumns(certifications)} from unnest($2::text[], $3::text[]) as given (external_id, external_source)
     join ${certifications.from} on c.organization_id = $1 and c.external_id = given.external_id
       and c.external_source is not distinct from given.external_source
     order by c.id for no key update of c`,
    [
      organizationId,
      keyed.map(({ values }) => values.externalId),
      keyed.map(({ values }) => values.externalSource ?? null),
    ],
  );
  return new Map(
    records.map((record) => [keyOf(record.externalId ?? '', record.externalSource), record]),
  );
}

interface Holder {
  readonly id: string;
  readonly userId: string;
  readonly externalId: string;
  readonly email: string;
}

async function findHolders(
  { tx, organizationId }: Target,
  rows: readonly UpsertRow[],
): Promise<(row: UpsertRow) => Holder | undefined> {
  const emails = allOf(rows, 'memberEmail').map((email) => email.toLowerCase());
  const members = await tx.query<Holder>(
    `select id, user_id as "userId", external_id as "externalId", lower(email) as email from organization_members
     where organization_id = $1 and (id = any($2::uuid[]) or (external_id <> '' and external_id = any($3)) or lower(email) = any($4))`,
    [organizationId, allOf(rows, 'organizationMemberId'), allOf(rows, 'memberExternalId'), emails],
  );
  const by = {
    organizationMemberId: new Map(members.map((member) => [member.id, member])),
    memberExternalId: new Map(members.map((member) => [member.externalId, member])),
    memberEmail: new Map(members.map((member) => [member.email, member])),
  };
  return (row) => {
    const name = givenName(holderNames, row);
    const value = name && row.values[name];
    return name && by[name].get((name === 'memberEmail' ? value?.toLowerCase() : value) ?? '');
  };
}

interface Type {
  readonly id: string;
  readonly slug: string;
  readonly status: string;
}

/** For a slug, the organization's own type takes precedence over a standard one. */
async function findTypes(
  { tx, organizationId }: Target,
  rows: readonly UpsertRow[],
): Promise<(row: UpsertRow) => Type | undefined> {
  const types = await tx.query<Type>(
    `select t.id, t.slug, t.status from certification_types t
     where (t.id = any($2::uuid[]) or t.slug = any($3)) and ${available('t', '$1')} order by t.organization_id = any($1::uuid[])`,
    [[organizationId], allOf(rows, 'certificationTypeId'), allOf(rows, 'certificationTypeSlug')],
  );
  const by = {
    certificationTypeId: new Map(types.map((type) => [type.id, type])),
    certificationTypeSlug: new Map(types.map((type) => [type.slug, type])),
  };
  return (row) => {
    const name = givenName(typeNames, row);
    return name && by[name].get(row.values[name] ?? '');
  };
}
