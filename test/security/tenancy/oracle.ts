/**
 * Who may do what, from section 6 of the decisions alone: written without a look at the code that
 * it judges.
 */
import type { FieldCase, Ids } from '../fields.js';
import { apps, home, people, type Who } from './world.js';

/** What an answer is: a code of the table of errors, or `ok`. */
export type Verdict = string;

/**
 * What must come out of asking for something within the organization, before what is asked for is
 * even looked at; undefined when all walls open.
 */
export function refusalOf(
  { needs, scopes }: Pick<FieldCase, 'needs' | 'scopes'>,
  organization: string,
  who: Who,
  clientId: string,
): Verdict | undefined {
  const { email, role } = people[who];
  const app = apps[clientId];
  if (!app || email === undefined || app.isDisabled) return 'unauthenticated';
  if (scopes.some((scope) => !app.scopes.includes(scope))) return 'insufficient_scope';
  if (needs === 'token') return undefined;
  if (organization !== home.organization || role === null) return 'forbidden';
  if (scopes.some((scope) => !app.approved.includes(scope))) return 'approval_required';
  return needs === 'manager' && role === 'member' ? 'forbidden' : undefined;
}

/** Which of the ids a case is made from. */
export const kindsIn = ({ args }: Pick<FieldCase, 'args'>): (keyof Ids)[] =>
  (Object.keys(home) as (keyof Ids)[]).filter((kind) => {
    const mark = `(${kind})`;
    return JSON.stringify(args({ ...home, [kind]: mark })).includes(mark);
  });
