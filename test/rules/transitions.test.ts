import { lifecycleStatuses, verificationStatuses } from '../../src/entities/certification.js';
import { definitionStatuses } from '../../src/entities/definition.js';
import { memberStatuses } from '../../src/entities/member.js';
import type { ApiError } from '../../src/errors.js';
import {
  definitionTransitions,
  lifecycleTransitions,
  memberTransitions,
  requireRestorable,
  requireTransition,
  verificationTransitions,
} from '../../src/rules/transitions.js';
import { satisfying } from '../support/expect.js';

/** What decisions.md allows, as it says it; the test refuses everything else. */
const allowed = {
  lifecycle: 'active → revoked, active → archived, revoked → archived, archived → active',
  verification:
    'unverified → pending, pending → verified, pending → failed, unverified → verified, unverified → failed, failed → pending',
  member:
    'invited → active, invited → suspended, active → suspended, suspended → active, suspended → invited',
  definition: 'active → archived, archived → active',
};
const tables = {
  lifecycle: [lifecycleStatuses, lifecycleTransitions],
  verification: [verificationStatuses, verificationTransitions],
  member: [memberStatuses, memberTransitions],
  definition: [definitionStatuses, definitionTransitions],
} as const;

for (const [name, [states, moves]] of Object.entries(tables)) {
  describe(`the moves of ${name}`, () => {
    for (const from of states) {
      for (const to of states) {
        const may = allowed[name as keyof typeof allowed].split(', ').includes(`${from} → ${to}`);
        test(`${from} → ${to}: ${may ? 'allowed' : 'refused'}`, () => {
          const move = () =>
            requireTransition(moves as Record<string, readonly string[]>, from, to);
          if (may) move();
          else
            expect(move).toThrow(
              satisfying(
                (error: ApiError) =>
                  error.code === 'invalid_transition' &&
                  error.message.includes(to) &&
                  error.message.includes(from === to ? 'already' : from),
              ),
            );
        });
      }
    }
  });
}

test('what was revoked before it was archived is not restored', () => {
  requireRestorable(false);
  expect(() => requireRestorable(true)).toThrow(
    satisfying((error: ApiError) => error.status === 409 && error.code === 'invalid_transition'),
  );
});
