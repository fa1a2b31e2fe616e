/** The allowed state transitions. All others are rejected. */

import type { LifecycleStatus, VerificationStatus } from '../entities/certification.js';
import type { DefinitionStatus } from '../entities/definition.js';
import type { MemberStatus } from '../entities/member.js';
import { ApiError } from '../errors.js';

type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/**
 * A revoked record never becomes active, not even after archiving; see {@link requireRestorable}.
 */
export const lifecycleTransitions: Transitions<LifecycleStatus> = {
  active: ['revoked', 'archived'],
  revoked: ['archived'],
  archived: ['active'],
};

/** In addition, `verificationAfter` resets any state to unverified. */
export const verificationTransitions: Transitions<VerificationStatus> = {
  unverified: ['pending', 'verified', 'failed'],
  pending: ['verified', 'failed'],
  verified: [],
  failed: ['pending'],
};

/**
 * An invited member becomes active by accepting and suspended by declining. A reinstated member who
 * never accepted is invited again.
 */
export const memberTransitions: Transitions<MemberStatus> = {
  invited: ['active', 'suspended'],
  active: ['suspended'],
  suspended: ['active', 'invited'],
};

export const definitionTransitions: Transitions<DefinitionStatus> = {
  active: ['archived'],
  archived: ['active'],
};

/** @throws {ApiError} `invalid_transition` with both states when the transition is not allowed. */
export function requireTransition<State extends string>(
  transitions: Transitions<State>,
  from: State,
  to: State,
): void {
  if (transitions[from].includes(to)) return;
  const sentence =
    from === to
      ? `The status is already ${to}.`
      : `The status cannot change from ${from} to ${to}.`;
  throw new ApiError('invalid_transition', sentence, { from, to });
}

/** @throws {ApiError} `invalid_transition` when an archived record was revoked before. */
export function requireRestorable(wasRevoked: boolean): void {
  if (!wasRevoked) return;
  throw new ApiError(
    'invalid_transition',
    'The record was revoked before it was archived and cannot be restored.',
    {
      from: 'archived',
      to: 'active',
    },
  );
}
