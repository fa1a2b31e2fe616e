/** Which states may follow which. What no table names is refused. */
import { ApiError } from '../errors.js';
import type { LifecycleStatus, VerificationStatus } from './certification.js';
import type { DefinitionStatus } from './definition.js';
import type { MemberStatus } from './member.js';

type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

/** Revoked never becomes active: not by way of the archive either, see {@link requireRestorable}. */
export const lifecycleMoves: Moves<LifecycleStatus> = {
  active: ['revoked', 'archived'],
  revoked: ['archived'],
  archived: ['active'],
};

/** An edit of what was checked makes any record unverified: that is `verificationAfter`. */
export const verificationMoves: Moves<VerificationStatus> = {
  unverified: ['pending', 'verified', 'failed'],
  pending: ['verified', 'failed'],
  verified: [],
  failed: ['pending'],
};

/** Whoever is invited becomes active by signing in. A reinstated member who never did is invited again. */
export const memberMoves: Moves<MemberStatus> = {
  invited: ['active', 'suspended'],
  active: ['suspended'],
  suspended: ['active', 'invited'],
};

export const definitionMoves: Moves<DefinitionStatus> = {
  active: ['archived'],
  archived: ['active'],
};

/** @throws {ApiError} `invalid_transition` naming both states, when one may not follow the other. */
export function requireMove<State extends string>(moves: Moves<State>, from: State, to: State): void {
  if (moves[from].includes(to)) return;
  const sentence = from === to ? `This is ${to} already.` : `What is ${from} can't become ${to}.`;
  throw new ApiError('invalid_transition', sentence, { from, to });
}

/** @throws {ApiError} `invalid_transition`, when an archived record had been revoked before. */
export function requireRestorable(wasRevoked: boolean): void {
  if (!wasRevoked) return;
  throw new ApiError('invalid_transition', "This record was revoked before it was archived. What was revoked can't become active.", {
    from: 'archived',
    to: 'active',
  });
}
