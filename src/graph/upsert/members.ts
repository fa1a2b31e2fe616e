/** Bulk upsert of members: three reads, one insert of users and one write, whatever the number of rows. */
import { randomUUIDv7 } from 'node:crypto';
import { OrganizationMember } from '../../entities/member.js';
import { planMember } from '../../entities/upsert/member.js';
import { type Plan, repetitions, type UpsertRow } from '../../entities/upsert/plan.js';
import { canSignIn } from '../../entities/user.js';
import { members } from '../member/reads.js';
import { plainColumns } from '../source.js';
import { allOf, type Given, memberColumns, readRows } from './rows.js';
import { type Target, takeTurn, type Upserted, type UpsertOptions, writePlans } from './run.js';

const emailOf = ({ values }: UpsertRow): string | undefined => values.email?.toLowerCase();

/**
 * Creates or changes the members with these keys: externalId, or e-mail address where a row has none. A person who has no user yet is invited.
 * @throws {ApiError} `validation_error` when there are too many rows.
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
  const { byExternalId, byEmail, userEmails } = await lockStored(target, rows);
  const plans = rows.map((row, index) => {
    const email = emailOf(row) ?? '';
    const found = {
      byExternalId: byExternalId.get(row.values.externalId ?? ''),
      byEmail: byEmail.get(email),
      isUserMember: userEmails.has(email),
      repeatsId: repeatedIds[index],
      repeatsEmail: repeatedEmails[index],
    };
    return planMember(row, found, target.role === 'admin');
  });
  return writePlans(target, OrganizationMember, plans, options, (created) => completeNew(target, created));
}

interface Stored {
  readonly byExternalId: Map<string, OrganizationMember>;
  readonly byEmail: Map<string, OrganizationMember>;
  /** The addresses of the users behind. */
  readonly userEmails: Set<string>;
}

async function lockStored({ tx, organizationId }: Target, rows: readonly UpsertRow[]): Promise<Stored> {
  const emails = allOf(rows, 'email').map((email) => email.toLowerCase());
  const stored = await tx.query<OrganizationMember & { userEmail: string }>(
    `select ${plainColumns(members)}, lower(u.email) as "userEmail" from ${members.from} join users u on u.id = m.user_id
     where m.organization_id = $1 and ((m.external_id <> '' and m.external_id = any($2)) or lower(m.email) = any($3)
       or m.user_id = any(array(select id from users where lower(email) = any($3))))
     order by m.id for no key update of m`,
    [organizationId, allOf(rows, 'externalId'), emails],
  );
  const userEmails = new Set(stored.map(({ userEmail }) => userEmail));
  const records = stored.map(({ userEmail, ...member }) => member);
  return {
    byExternalId: new Map(records.flatMap((member) => (member.externalId ? [[member.externalId, member]] : []))),
    byEmail: new Map(records.map((member) => [member.email.toLowerCase(), member])),
    userEmails,
  };
}

interface User {
  readonly id: string;
  readonly email: string;
  readonly canSignIn: boolean;
  readonly hasPrimary: boolean;
}

/** The users behind new members, made where there is none, in the order of addresses and then of ids, so that two such calls don't deadlock. */
async function completeNew({ tx }: Target, created: readonly Plan[]): Promise<object[]> {
  if (created.length === 0) return [];
  const wanted = created.map(({ set }) => ({ email: String(set.email), name: String(set.displayName) }));
  await tx.query(
    `insert into users (id, email, display_name) select * from unnest($1::uuid[], $2::text[], $3::text[]) as given (id, email, name)
     order by lower(email) on conflict (lower(email)) do nothing`,
    [wanted.map(() => randomUUIDv7()), wanted.map(({ email }) => email), wanted.map(({ name }) => name)],
  );
  const users = await tx.query<User>(
    `select u.id, lower(u.email) as email, exists (select from organization_members m where m.user_id = u.id and m.is_primary) as "hasPrimary",
       ${canSignIn('u')} as "canSignIn"
     from users u where lower(u.email) = any($1) order by u.id for no key update of u`,
    [wanted.map(({ email }) => email.toLowerCase())],
  );
  const byEmail = new Map(users.map((user) => [user.email, user]));
  return wanted.map(({ email }) => {
    const user = byEmail.get(email.toLowerCase());
    return { userId: user?.id, status: user?.canSignIn ? 'active' : 'invited', isPrimary: !user?.hasPrimary };
  });
}
