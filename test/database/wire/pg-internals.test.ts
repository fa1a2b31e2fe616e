/**
 * The private interface of pg that src/database/wire/pg-internals.ts uses is there. Look at each of
 * these before a version is raised.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import {
  clientMethods,
  connectionOf,
  prepareValue,
  type Submittable,
  serialize,
  verifiedVersions,
} from '../../../src/database/wire/pg-internals.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { expectInstalled } from '../../support/verified.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test('the installed versions are those that were verified', () =>
  expectInstalled(verifiedVersions));

test('a client has a connection with its socket, and the methods that a subclass replaces', () => {
  expect(connectionOf(client).stream).toBeInstanceOf(Socket);
  expect(typeof clientMethods.query).toBe('function');
  expect(typeof clientMethods.end).toBe('function');
});

test('values become text', () => {
  expect([
    prepareValue(7),
    prepareValue(['a', null]),
    prepareValue({ a: 1 }),
    prepareValue(undefined),
  ]).toEqual(['7', '{"a",NULL}', '{"a":1}', null]);
});

/** Sends messages, and notes what pg calls as they are answered. */
async function callsOf(name: string, text: string, messages: readonly Buffer[]): Promise<string[]> {
  const calls: string[] = [];
  const done = Promise.withResolvers<void>();
  const submittable: Submittable = {
    name,
    text,
    submit(connection) {
      expect(connection).toBe(connectionOf(client));
      connectionOf(client).stream.write(Buffer.concat(messages));
      return undefined;
    },
    handleRowDescription: ({ fields }) =>
      void calls.push(`columns ${fields.map((field) => `${field.name} ${field.dataTypeID}`)}`),
    handleDataRow: ({ fields }) => void calls.push(`row ${fields}`),
    handleCommandComplete: () => void calls.push('complete'),
    handleEmptyQuery: () => void calls.push('empty'),
    handleError(error) {
      calls.push(`error ${(error as { code: string }).code}`);
      done.resolve();
    },
    handleReadyForQuery() {
      calls.push('ready');
      done.resolve();
    },
  };
  client.query(submittable);
  await done.promise;
  return calls;
}

const text = 'select $1::int as value, 12 / $1::int as ratio';
const asking = (value: number): Buffer[] => [
  serialize.bind({ statement: 'ratio', values: [value], valueMapper: prepareValue }),
  serialize.describe({ type: 'P' }),
  serialize.execute(),
];

test('a submittable gets the answers in order, and pg knows what is prepared', async () => {
  expect(connectionOf(client).parsedStatements.ratio).toBeUndefined();
  const all = [serialize.parse({ name: 'ratio', text }), ...asking(3), serialize.sync()];
  expect(await callsOf('ratio', text, all)).toEqual([
    'columns value 23,ratio 23',
    'row 3,4',
    'complete',
    'ready',
  ]);
  expect(connectionOf(client).parsedStatements.ratio).toBe(text);
});

test('after an error nothing else of what was sent is answered', async () => {
  const all = [...asking(2), ...asking(0), ...asking(3), serialize.sync()];
  expect(await callsOf('ratio', text, all)).toEqual([
    'columns value 23,ratio 23',
    'row 2,6',
    'complete',
    'error 22012',
  ]);
});

test('a simple query and an empty one', async () => {
  expect(await callsOf('', '', [serialize.query('begin; select 1 as one; commit')])).toEqual([
    'complete',
    'columns one 23',
    'row 1',
    'complete',
    'complete',
    'ready',
  ]);
  expect(await callsOf('', '', [serialize.query('')])).toEqual(['empty', 'ready']);
});
