/**
 * The rules of a bulk upsert of members, by external id, or by e-mail address in a row without one.
 */
import type { OrganizationMember } from '../../entities/member.js';
import { changes, creates, fails, type Plan, type UpsertRow } from './plan.js';

export interface FoundMember {
  readonly byExternalId?: OrganizationMember | undefined;
  readonly byEmail?: OrganizationMember | undefined;
  /** The indexes of earlier rows with the same external id or the same address. */
  readonly repeatsId?: number | undefined;
  readonly repeatsEmail?: number | undefined;
}

/**
 * A member identified only by address receives the row's external id if it has none. The address
 * never changes.
 * @param mayMakeAdmins Whether the caller is an admin.
 */
export function planMember(row: UpsertRow, found: FoundMember, mayMakeAdmins: boolean): Plan {
  const problems = { ...row.problems };
  const addProblem = (path: string, sentence: string): void => {
    problems[path] ??= [sentence];
  };
  const { externalId, email, role, ...names } = row.values;
  const { byExternalId, byEmail, repeatsId, repeatsEmail } = found;
  if (repeatsId !== undefined) addProblem('externalId', `is already the key of row ${repeatsId}`);
  if (repeatsEmail !== undefined)
    addProblem('email', `is already the address of row ${repeatsEmail}`);

  const stored = byExternalId ?? byEmail;
  if (byExternalId && email && email.toLowerCase() !== byExternalId.email.toLowerCase())
    addProblem(
      'email',
      `is not the address of this member, ${byExternalId.email}: an upsert cannot change addresses`,
    );
  if (!byExternalId && externalId && byEmail?.externalId)
    addProblem('email', 'belongs to a member with another external id');
  if (!stored && !email) addProblem('email', 'is required for a new member');
  const changesRole = role && role !== stored?.role;
  if (changesRole && role === 'admin' && !mayMakeAdmins)
    addProblem('role', 'can be set to admin only by an admin');
  if (changesRole && stored?.role === 'admin')
    addProblem('role', 'of an admin cannot be changed by an upsert');
  if (Object.keys(problems).length > 0) return fails(problems);

  // Missing values are stored as empty text.
  const given = Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name, value ?? '']),
  );
  if (stored) {
    const { displayName, ...others } = given;
    return changes(
      { ...stored },
      {
        ...others,
        ...(displayName && { displayName }),
        ...(externalId && { externalId }),
        ...(role && { role }),
      },
    );
  }
  const { firstName = '', lastName = '' } = given;
  const displayName =
    given.displayName || [firstName, lastName].filter(Boolean).join(' ') || email?.split('@')[0];
  return creates({
    email,
    displayName,
    firstName,
    lastName,
    externalId: externalId ?? '',
    role: role ?? 'member',
  });
}
