import {
  type ProofAction,
  type ProofRefusal,
  recordFailedProof,
  type Tried,
} from '../auth/denied-attempts.js';
import { ApiError } from '../errors.js';
import { afterAnswer } from '../http/background.js';
import type { PortalContext } from './route.js';

/** Runs an authentication; a failure is audited after the response. */
export async function audited<T>(
  ctx: PortalContext,
  action: ProofAction,
  tried: Tried,
  wrong: ProofRefusal,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const { portal, requestId } = ctx.state;
    const reason =
      error instanceof ApiError && error.code === 'rate_limited' ? 'too_many_attempts' : wrong;
    if (error instanceof ApiError)
      afterAnswer(ctx.res, portal.log, requestId, () =>
        recordFailedProof(portal.db, requestId, action, tried, reason),
      );
    throw error;
  }
}
