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
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
}

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

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(adminUrl());
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
