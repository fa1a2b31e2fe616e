/**
 * The disk of the database is full: its tables lie in a small file system of their own, which
 * something else has filled up. Needs the right to mount it.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { skyline } from '../support/names.js';
import { startCluster } from './cluster.js';
import { openFleet, sized } from './fleet.js';
import { Load } from './load.js';

const disk = mkdtempSync(join(tmpdir(), 'lanyard-disk-'));
const canMount = mount();
afterAll(() => {
  if (canMount) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

/** @returns Whether we may. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Moves the database of a cluster to the disk. What PostgreSQL needs for itself stays where it was.
 */
async function moveToDisk(url: string): Promise<void> {
  const [database, postgres] = [new URL(url).pathname.slice(1), new URL(url)];
  postgres.pathname = '/postgres';
  const client = new pg.Client(postgres.href);
  await client.connect();
  const { rows } = await client.query('show data_directory');
  const folder = join(disk, 'tables');
  mkdirSync(folder);
  const { uid, gid } = statSync(rows[0].data_directory);
  chownSync(folder, uid, gid);
  await client.query(`create tablespace disk location '${folder}'`);
  await client.query(`alter database ${database} set tablespace disk`);
  await client.end();
}

/** Takes all that is left. @returns How to give it back. */
function fill(): () => void {
  const path = join(disk, 'ballast');
  const file = openSync(path, 'w');
  const zeros = Buffer.alloc(2 ** 16);
  try {
    for (;;) writeSync(file, zeros);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
  closeSync(file);
  return () => rmSync(path);
}

(!canMount ? test.skip : test)(
  'the disk is full under load: writes answer 503, reads go on, nothing is half-written, and space is enough to recover',
  async () => {
    await using cluster = await startCluster();
    await moveToDisk(cluster.url);
    await using fleet = await openFleet(cluster.url, { size: 1 });
    await Load.during(fleet, {}, async ({ caller }) => {
      for (let round = 0; round < sized(1, 5); round++) {
        await delay(300);
        const free = fill();
        const before = caller.counts['503'] ?? 0;
        while ((caller.counts['503'] ?? 0) < before + 20 && caller.broken.length === 0) {
          const read = await caller.send('GET', `${skyline}/certifications?limit=50`);
          expect(read?.status).toBe(200);
        }
        const health = (path: string) => fetch(`${fleet.bases[0]}${path}`).then((r) => r.status);
        while ((await health('/readyz')) === 200) await delay(200); // a success stands for 5 s
        expect([await health('/readyz'), await health('/readyz/reads')]).toStrictEqual([503, 200]);
        free();
        await caller.insist('POST', `${skyline}/certification-types`, {
          body: { title: randomUUID() },
        });
        await delay(300);
        const after = caller.counts['503'];
        await delay(300);
        expect(caller.counts['503']).toBe(after); // with space there, all is well
        while ((await health('/readyz')) !== 200) await delay(200);
      }
    });
  },
);
