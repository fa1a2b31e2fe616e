/** The real application on a port of its own, over a database of its own. */
import { Agent, type Dispatcher, request } from 'undici';
import { type App, createApp } from '../../src/app.js';
import { issueToken } from '../../src/auth/tokens.js';
import { type Config, readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { migrations } from '../../src/database/migrate.js';
import { entities } from '../../src/entities/tables.js';
import { createLogger } from '../../src/http/log.js';
import { assertContract } from './contract.js';
import { createDatabase, type TestDatabase } from './database.js';
import { untilEnd } from './until-end.js';

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever came back; tests say what they expect of it
export type Body = any;

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestApp extends AsyncDisposable {
  readonly base: string;
  readonly url: string;
  readonly db: Database;
  readonly config: Config;
  readonly log: object[];
  /** An access token, the same for each pair as long as the file runs. */
  token(email: string, app?: string): Promise<string>;
  /** Sends a request, and checks the response against the OpenAPI document. */
  rest(method: string, path: string, options?: RequestOptions): Promise<Response>;
  graphql(query: string, variables?: object, options?: RequestOptions): Promise<Response>;
}

/**
 * Starts the application for a test file; it stops after the file's last test, and drops the
 * database.
 */
export async function startApp(...given: Parameters<typeof openApp>): Promise<TestApp> {
  return untilEnd(await openApp(...given));
}

/**
 * Starts the application for one test, with `await using`; disposing of it drops the database.
 * @param given Left out: a new one. With DATABASE_URL in the environment the application alone
 * comes to it by that way.
 */
export async function openApp(
  environment: Record<string, string> = {},
  given?: TestDatabase,
): Promise<TestApp> {
  const database = given ?? (await createDatabase());
  const settings = {
    NODE_ENV: 'test',
    PORT: '0',
    BASE_URL: 'http://127.0.0.1:4000',
    RATE_LIMIT_PER_MINUTE: '0',
    DATABASE_URL: database.url,
  };
  const config = readConfig({ ...settings, ...environment });
  const { DATABASE_URL = '', DATABASE_POOL_SIZE: poolSize, DATABASE_DIRECT_URL } = config;
  const orm = await connect(DATABASE_URL, {
    poolSize,
    entities,
    migrations,
    isPooled: DATABASE_DIRECT_URL !== undefined,
  });
  const log: object[] = [];
  const app: App = await createApp(
    config,
    orm,
    createLogger('info', { write: (line: string) => void log.push(JSON.parse(line)) }),
  );
  const base = `http://127.0.0.1:${await app.listen()}`;
  const own = await connect(database.url, { poolSize: 4, entities, migrations, timeLimits: false });
  const db = new Database(own.em);
  const dispose = async () => {
    // The module of a test file keeps them as long as the process.
    log.length = 0;
    tokens.clear();
    await app.close();
    await own.close();
    await database.drop();
  };

  const tokens = new Map<string, Promise<string>>();
  const token = (email: string, client = 'demo-dashboard') => {
    const id = `${email} ${client}`;
    const issued = tokens.get(id) ?? issueToken(db, config, email, client);
    tokens.set(id, issued);
    return issued;
  };
  const rest = async (method: string, path: string, options: RequestOptions = {}) => {
    const response = await send(base, method, path, options);
    if (method !== 'HEAD')
      assertContract(method, path, response.status, response.headers, response.body);
    return response;
  };
  const graphql = (query: string, variables: object = {}, options: RequestOptions = {}) =>
    send(base, 'POST', '/graphql', { ...options, body: { query, variables } });
  return {
    base,
    url: database.url,
    db,
    config,
    log,
    token,
    rest,
    graphql,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * It lets go of an idle connection seconds before the server does: a request on one that is closed
 * meanwhile would be lost.
 */
const dispatcher = new Agent({ keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });

/**
 * @param options A body that is a string or bytes goes out as it is, with whatever Content-Type the
 * headers say; any other as JSON.
 */
export async function send(
  base: string,
  method: string,
  path: string,
  { token, body, headers = {} }: RequestOptions,
): Promise<Response> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await request(base + path, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const received = new Headers();
  for (const [name, values = []] of Object.entries(answer.headers))
    for (const value of [values].flat()) received.append(name, value);
  const text = await answer.body.text();
  const isJson = received.get('content-type')?.includes('json');
  return {
    status: answer.statusCode,
    headers: received,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}
