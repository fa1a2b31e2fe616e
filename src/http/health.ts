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

/**
 * Takes new space in the file system of the tables, and commits. A temporary table leaves nothing
 * behind. A role without the right to one is not checked.
 */
const writeCheck = `do $$ begin
  if has_database_privilege(current_database(), 'temporary') then
    create temporary table readiness on commit drop as select repeat('x', 1000) from generate_series(1, 100);
  end if;
end $$`;

/**
 * Milliseconds for which the outcome of a check of writes stands. Anyone may ask, and each check
 * costs a commit.
 */
const writableForMs = 5000;
const unwritableForMs = 1000;

export function createHealth(db: Database): Health {
  let isStopping = false;
  let check: Promise<unknown> | undefined;
  let write: Promise<unknown> | undefined;
  const keepFor = (milliseconds: number) => () => {
    setTimeout(() => {
      write = undefined;
    }, milliseconds).unref();
  };
  const requireReads = async () => {
    if (isStopping) throw new ApiError('service_unavailable', 'The server is stopping.');
    // Unauthenticated, so concurrent requests share the statement.
    check ??= db.query('select 1').finally(() => {
      check = undefined;
    });
    await check;
  };
  const router = createRouter();
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/readyz', async (ctx) => {
    await requireReads();
    if (!write) {
      write = db.query(writeCheck);
      write.then(keepFor(writableForMs), keepFor(unwritableForMs));
    }
    await write;
    ctx.body = { status: 'ready' };
  });
  router.get('/readyz/reads', async (ctx) => {
    await requireReads();
    ctx.body = { status: 'ready' };
  });
  return {
    router,
    stop() {
      isStopping = true;
    },
  };
}
