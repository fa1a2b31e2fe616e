/** The settings of a server under test, the same for all. */
import { pino } from 'pino';

export const settings = {
  database: process.env.DATABASE_URL ?? '',
  port: Number(process.env.PORT),
  base: process.env.BASE_URL ?? '',
  poolSize: Number(process.env.DATABASE_POOL_SIZE ?? 10),
};

const log = pino();

/** One line for each request, as every server here writes. */
export const logRequest = (method: string | undefined, path: string | undefined, status: number, started: number): void =>
  log.info({ method, path, status, milliseconds: Math.round((performance.now() - started) * 10) / 10 }, 'request');
