/** Bulk upsert of members: one read, and a write for each 200 rows. */
import { invited, OrganizationMember } from '../../entities/member.js';
import { planMember } from '../../rules/upsert/member.js';
import { repetitions, type UpsertRow } from '../../rules/upsert/plan.js';
import { members } from '../members/reads.js';
import { plainColumns } from '../reads/projection.js';
import { allOf, type Given, memberColumns, readRows } from './rows.js';
import { type Target, takeTurn, type Upserted, type UpsertOptions, writePlans } from './run.js';

const emailOf = ({ values }: UpsertRow): string | undefined => values.email?.toLowerCase();

/**
 * Creates or changes the members with these keys: externalId, or the e-mail address in a row
 * without one. A new member is invited.
 * @throws {ApiError} `validation_error` for too many rows.
 */
export async function upsertMembers(
  target: Target,
  given: readonly Given<typeof memberColumns>[],
  options: UpsertOptions,
): Promise<Upserted> {
  const rows = readRows(memberColumns, given);
  const repeatedIds = repetitions(rows, ({ values }) => values.externalId ?? undefined);
  const repeatedEmails = repetitions(rows, emailOf);
  await takeTurn(target);
  const { byExternalId, byEmail } = await lockStored(target, rows);
  const plans = rows.map((row, index) => {
    const email = emailOf(row) ?? '';
    const found = {
      byExternalId: byExternalId.get(row.values.externalId ?? ''),
      byEmail: byEmail.get(email),
      repeatsId: repeatedIds[index],
      repeatsEmail: repeatedEmails[index],
    };
    return planMember(row, found, target.role === 'admin');
  });
  return writePlans(target, OrganizationMember, plans, options, (id) => ({
    ...invited(id),
    isPrimary: false,
  }));
}

interface Stored {
  readonly byExternalId: Map<string, OrganizationMember>;
  readonly byEmail: Map<string, OrganizationMember>;
}

async function lockStored(
  { tx, organizationId }: Target,
  rows: readonly UpsertRow[],
): Promise<Stored> {
  const emails = allOf(rows, 'email').map((email) => email.toLowerCase());
  const stored = await tx.query<OrganizationMember>(
    `select ${plainColumns(members)} from ${members.from}
     where m.organization_id = $1 and ((m.external_id <> '' and m.external_id = any($2)) or lower(m.email) = any($3))
     order by m.id for no key update of m`,
    [organizationId, allOf(rows, 'externalId'), emails],
  );
  return {
    byExternalId: new Map(
      stored.flatMap((member) => (member.externalId ? [[member.externalId, member]] : [])),
    ),
    byEmail: new Map(stored.map((member) => [member.email.toLowerCase(), member])),
  };
}
