/** Liveness and readiness, for supervisors and load balancers. */
import type { Router } from '@koa/router';
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';
import { createRouter } from './router.js';

export interface Health {
  readonly router: Router;
  /** Marks the server as not ready. */
  stop(): void;
}

export function createHealth(db: Database): Health {
  let isStopping = false;
  let check: Promise<unknown> | undefined;
  const router = createRouter();
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/readyz', async (ctx) => {
    if (isStopping) throw new ApiError('service_unavailable', 'The server is stopping.');
    // Unauthenticated, so concurrent requests share the statement.
    check ??= db.query('select 1').finally(() => {
      check = undefined;
    });
    await check;
    ctx.body = { status: 'ready' };
  });
  return {
    router,
    stop() {
      isStopping = true;
    },
  };
}
