/**
 * From the start of the process to its first answer: on a ready database, and with an embedded
 * PostgreSQL that has to be made first.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../options.js';
import { short } from '../report/table.js';
import { spreadOf } from '../rounds.js';
import type { Say } from '../seed/seed.js';
import { lanyard, start } from '../servers.js';
import { inSession } from '../session.js';

const times = 3;
const cores = '0,1';

export async function starts({ scale }: Options, say: Say): Promise<void> {
  const ready: number[] = [];
  await inSession(scale, say, async (session) => {
    for (let count = 0; count < times; count++) {
      const server = await session.start(lanyard, { cores });
      ready.push(server.startedIn);
      await session.stop(server);
    }
  });
  const first: number[] = [];
  for (let count = 0; count < times; count++) first.push(await firstStart());
  for (const [what, values] of [
    ['on a ready database', ready],
    ['first start, embedded', first],
  ] as const) {
    const { median, least, most } = spreadOf(values.map((value) => value / 1000));
    say(`${what.padEnd(22)} ${short(median)} s (${short(least)}–${short(most)}, ${times} starts)`);
  }
}

async function firstStart(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-bench-'));
  // Where we are root, PostgreSQL is somebody else.
  chmodSync(directory, 0o755);
  try {
    const server = await start(lanyard, {
      cores,
      environment: { DATA_DIR: join(directory, 'data') },
    });
    await server.stop();
    return server.startedIn;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
