/**
 * Mirrors the members and certifications of an organization into SQLite, and keeps following.
 * Killed at any moment and started again, it goes on.
 */
import { DatabaseSync } from 'node:sqlite';
import {
  createLanyard,
  follow,
  LanyardError,
  refreshingTokens,
  type SyncPath,
} from '@lanyard/client';

const {
  LANYARD_URL: baseUrl = 'http://localhost:4000',
  ORGANIZATION: organization_id = '',
  MIRROR = 'mirror.sqlite',
} = process.env;
const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', TOKENS = '{}' } = process.env;

const db = new DatabaseSync(MIRROR);
db.exec(`pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists records (list text, id text, record text, primary key (list, id)) strict;
  create table if not exists state (name text primary key, value text, is_current integer, saved_at text default current_timestamp) strict`);
const put = db.prepare('insert or replace into records values (?, ?, ?)');
const save = db.prepare('insert or replace into state (name, value, is_current) values (?, ?, ?)');
const load = (name: string) =>
  db.prepare('select value from state where name = ?').get(name)?.value as string | undefined;

const token = refreshingTokens({
  ...{ baseUrl, clientId, clientSecret },
  load: () => JSON.parse(load('tokens') ?? TOKENS),
  save: (tokens) => void save.run('tokens', JSON.stringify(tokens), null),
});
const lanyard = createLanyard({ baseUrl, token });

async function mirror(
  list: SyncPath & `/v1/organizations/{organization_id}/${string}`,
): Promise<void> {
  try {
    for await (const batch of follow(lanyard, list, {
      params: { path: { organization_id } },
      position: load(list),
      every: 1000,
    })) {
      db.exec('begin immediate');
      for (const record of batch.records) put.run(list, record.id, JSON.stringify(record));
      save.run(list, batch.position, Number(batch.isCurrent));
      db.exec('commit');
    }
  } catch (error) {
    if (!(error instanceof LanyardError && error.code === 'resync_required')) throw error;
    db.exec('begin immediate');
    db.prepare('delete from records where list = ?').run(list);
    db.prepare('delete from state where name = ?').run(list);
    db.exec('commit');
    await mirror(list);
  }
}

await Promise.all([
  mirror('/v1/organizations/{organization_id}/organization-members'),
  mirror('/v1/organizations/{organization_id}/certifications'),
]);
