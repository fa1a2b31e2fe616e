/** The settings of a server under test, the same for all. */
import { pino } from 'pino';

export const settings = {
  database: process.env.DATABASE_URL ?? '',
  port: Number(process.env.PORT),
  base: process.env.BASE_URL ?? '',
  poolSize: Number(process.env.DATABASE_POOL_SIZE ?? 10),
};

const log = pino(pino.destination({ sync: false, minLength: 16_000, periodicFlush: 100 }));

/**
 * One line for each request, as every server here writes; lines go out together, as Lanyard's do.
 */
export const logRequest = (
  method: string | undefined,
  path: string | undefined,
  status: number,
  started: number,
): void =>
  log.info(
    { method, path, status, milliseconds: Math.round((performance.now() - started) * 10) / 10 },
    'request',
  );
