/**
 * Reads the rows of a bulk upsert. An invalid value is a problem of its row, not of the whole
 * request.
 */
import { GraphQLError, type GraphQLScalarType } from 'graphql';
import { invalid, type Problems } from '../../errors.js';
import type { UpsertRow, Values } from '../../rules/upsert/plan.js';
import { DateScalar, Email, ExternalId, Name, Slug, Text, UUID } from '../../scalars/scalars.js';

/**
 * Maximum number of rows per request, so that the version clock of the organization is held only
 * briefly.
 */
export const maxRows = 1000;

type Scalars = Readonly<Record<string, GraphQLScalarType<string, unknown>>>;

/** The properties of a row, with their scalars. */
export const certificationColumns = {
  externalId: ExternalId,
  externalSource: ExternalId,
  organizationMemberId: UUID,
  memberExternalId: ExternalId,
  memberEmail: Email,
  certificationTypeId: UUID,
  certificationTypeSlug: Slug,
  issuedOn: DateScalar,
  expiresOn: DateScalar,
  issuerName: Text,
  serialNumber: Text,
} as const satisfies Scalars;

export const memberColumns = {
  externalId: ExternalId,
  email: Email,
  displayName: Text,
  firstName: Text,
  lastName: Text,
  role: Name,
} as const satisfies Scalars;

export type Given<Columns> = { readonly [Name in keyof Columns]?: string | null | undefined };

/** @throws {ApiError} `validation_error` when there are too many rows. */
export function readRows<Columns extends Scalars>(
  columns: Columns,
  rows: readonly Given<Columns>[],
): UpsertRow[] {
  if (rows.length > maxRows) throw invalid({ rows: [`must have at most ${maxRows} entries`] });
  return rows.map((row) => {
    const values: Record<string, string | null> = {};
    const problems: Problems = {};
    for (const [name, scalar] of Object.entries(columns)) {
      const value = row[name];
      if (value === undefined) continue;
      try {
        // Blank text is equivalent to null.
        values[name] = value === null ? null : scalar.parseValue(value) || null;
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        problems[name] = [error.message];
      }
    }
    return { values, problems };
  });
}

/** The distinct values of a property in all rows. */
export const allOf = (rows: readonly UpsertRow[], ...names: readonly string[]): string[] => [
  ...new Set(
    rows.flatMap(({ values }: { values: Values }) => names.flatMap((name) => values[name] ?? [])),
  ),
];
