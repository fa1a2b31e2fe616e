/** A database for one test file: a copy of the template that global.ts prepares. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { forgetNames } from '../../src/database/wire/pipeline.js';

export interface TestDatabase {
  readonly url: string;
  /** Ends its connections, too. */
  drop(): Promise<void>;
}

/** @param template `template1` for an empty one. */
export async function createDatabase(template = 'lanyard_template'): Promise<TestDatabase> {
  // The files before this one, in the same process, would leave none of the names.
  forgetNames();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

/** Whether the tests run on a cluster: see global.ts. */
export const isCluster = process.env.LANYARD_TEST_NODES !== undefined;

/**
 * A test of what only a single PostgreSQL has: locks of single rows of what all organizations
 * share, or locks that show who waits.
 */
export const testOnOne = isCluster ? test.skip : test;

/** The addresses of all nodes; the first one coordinates. One for a single PostgreSQL. */
const nodes = (): string[] =>
  (process.env.LANYARD_TEST_NODES?.split(',') ?? [undefined]).map((port) => {
    const url = new URL(adminUrl());
    if (port) url.port = port;
    return url.href;
  });

/** Takes everything of the demo set out of a database that is otherwise ready. */
export async function removeDemo(client: pg.Client): Promise<void> {
  await client.query('alter table audit_events disable trigger user');
  await client.query('truncate organizations, users, apps cascade');
  await client.query('alter table audit_events enable trigger user');
}

function adminUrl(): string {
  const url = process.env.LANYARD_TEST_POSTGRES;
  if (!url) throw new Error('No PostgreSQL for tests: run them with "npm test"');
  return url;
}

/** On each node: Citus gives each database its own shards, in databases of the same name. */
async function administer(statement: string): Promise<void> {
  for (const url of nodes()) {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('set citus.enable_create_database_propagation = off').catch(() => {});
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
