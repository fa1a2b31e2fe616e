/**
 * `node dist/tools/measure/functions.js [--names]`: counts the files and functions of `src` that a
 * warm REST request runs, by V8's coverage. A function counts if each of several equal requests
 * runs it, which excludes timers and first uses.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createApp } from '../../src/app.js';
import { ensureKeys } from '../../src/auth/key-store.js';
import { issueToken } from '../../src/auth/tokens.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { startEmbedded } from '../../src/database/embedded.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { demoId } from '../../src/demo/ids.js';
import { loadDemo } from '../../src/demo/load.js';
import { entities } from '../../src/entities/tables.js';
import { createLogger } from '../../src/http/log.js';
import { packageRoot } from '../../src/root.js';

const warmUps = 20;
const measured = 5;

const source = pathToFileURL(join(packageRoot, 'dist', 'src')).href;
const manager = 'manager@skyline.example';
const organization = `/v1/organizations/${demoId('organization', 'skyline-towers')}`;
const path = `${organization}/certifications`;
const record = {
  organization_member_id: demoId('member', 'skyline-towers/climber@skyline.example'),
  certification_type_id: demoId('certification-type', 'osha-30'),
};

interface Sample {
  readonly method: string;
  readonly path: string;
  readonly body?: (time: number) => object;
  readonly headers?: () => Record<string, string>;
}

const directory = mkdtempSync(join(tmpdir(), 'lanyard-measure-'));
const server = await startEmbedded(directory, { durable: false });
try {
  await measureAll(server.url);
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function measureAll(url: string): Promise<void> {
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    BASE_URL: 'http://127.0.0.1:4000',
    RATE_LIMIT_PER_MINUTE: '0',
    DATABASE_URL: url,
  });
  const orm = await connect(url, { poolSize: config.DATABASE_POOL_SIZE, entities, migrations });
  await migrate(orm);
  const db = new Database(orm.em);
  await loadDemo(db);
  await ensureKeys(db, config);
  const token = await issueToken(db, config, manager, 'demo-dashboard');
  const app = await createApp(config, orm, createLogger('info', { write: () => {} }));
  const base = `http://127.0.0.1:${await app.listen()}`;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const send = async ({ method, path: address, body, headers }: Sample, time: number) => {
    const response = await fetch(base + address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers?.(),
      },
      ...(body && { body: JSON.stringify(body(time)) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
    // The log line is written after the response is closed.
    await delay(10);
    return text;
  };
  const taken = async (): Promise<Set<string>> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Set(
      result
        .filter((script) => script.url.startsWith(source))
        .flatMap(({ url: file, functions }) =>
          functions
            .filter(
              ({ ranges: [range], functionName }) =>
                range && range.count > 0 && (functionName !== '' || range.startOffset > 0),
            )
            .map(
              ({ ranges: [range], functionName }) =>
                `${relative(fileURLToPath(source), fileURLToPath(file))} ${functionName} ${range?.startOffset}`,
            ),
        ),
    );
  };
  const { data } = JSON.parse(await send({ method: 'POST', path, body: () => record }, 0));
  const samples: Record<string, Sample> = {
    create: { method: 'POST', path, body: () => record },
    'create with key': {
      method: 'POST',
      path,
      body: () => record,
      headers: () => ({ 'idempotency-key': randomUUID() }),
    },
    get: {
      method: 'GET',
      path: `${organization}/certification-types/${record.certification_type_id}`,
    },
    list: { method: 'GET', path: `${path}?limit=50` },
    update: {
      method: 'PATCH',
      path: `${path}/${data.id}`,
      body: (time) => ({ issuer_name: `Tower Academy ${time}` }),
    },
  };
  for (const [name, sample] of Object.entries(samples)) {
    for (let time = 0; time < warmUps; time++) await send(sample, time);
    let functions: Set<string> | undefined;
    for (let time = 0; time < measured; time++) {
      await taken();
      await send(sample, time);
      const ran = await taken();
      functions = functions ? new Set([...functions].filter((each) => ran.has(each))) : ran;
    }
    show(name, functions ?? new Set());
  }
  session.disconnect();
  await app.close();
}

function show(name: string, functions: ReadonlySet<string>): void {
  const all = [...functions].map((each) => each.split(' '));
  const files = Map.groupBy(all, ([file = '']) => file);
  const folders = Map.groupBy(all, ([file = '']) => file.split('/').slice(0, -1).join('/') || '.');
  const counts = [...folders]
    .map(([folder, ran]) => `${folder} ${new Set(ran.map(([file]) => file)).size}/${ran.length}`)
    .sort();
  process.stdout.write(
    `${name}: ${files.size} files, ${functions.size} functions (${counts.join(', ')})\n`,
  );
  if (!process.argv.includes('--names')) return;
  for (const [file, ran] of [...files].sort())
    process.stdout.write(`  ${file}: ${ran.map(([, each]) => each || '(anonymous)').join(' ')}\n`);
}
