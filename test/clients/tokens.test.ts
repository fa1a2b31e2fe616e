/**
 * Tokens that refresh themselves, on the real authorization server, which ends the sign-in when a
 * refresh token is used twice.
 */
import {
  createLanyard,
  LanyardError,
  type RefreshOptions,
  refreshingTokens,
  type Tokens,
} from '../../clients/typescript/src/index.js';
import { type Issued, startOAuthApp, ThirdParty } from '../auth/oauth/client.js';
import { ensure, satisfying } from '../support/expect.js';
import { managerEmail } from '../support/names.js';

const app = await startOAuthApp();
const thirdParty = ThirdParty.sync(app.base);
let issued: Issued;
let store: Tokens;
let events: string[];

beforeAll(async () => {
  issued = await thirdParty.signIn(managerEmail);
});

beforeEach(() => {
  events = [];
});

/** Notes the order of refreshes, saves and requests with each token. */
const noting: typeof fetch = (input, init) => {
  const isRefresh = String(input).endsWith('/token');
  events.push(
    isRefresh ? 'refresh' : nameOf(new Headers(init?.headers).get('authorization')?.slice(7)),
  );
  return fetch(input, init);
};
const nameOf = (token: string | undefined) =>
  token === store.access_token ? 'request with the stored token' : 'request with another';

const options = (rest: Partial<RefreshOptions> = {}): RefreshOptions => ({
  ...{
    baseUrl: app.base,
    clientId: thirdParty.clientId,
    clientSecret: thirdParty.secret ?? '',
    fetch: noting,
  },
  load: () => store,
  save: async (tokens) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    store = tokens;
    events.push('save');
  },
  ...rest,
});
const client = (rest: Partial<RefreshOptions> = {}) =>
  createLanyard({ baseUrl: app.base, token: refreshingTokens(options(rest)), fetch: noting });

/** The tokens as they are when time has run out. */
const ended = (tokens: Tokens): Tokens => ({ ...tokens, expires_at: Date.now() + 1000 });

test('the answer to the sign-in will do, until its token is refused', async () => {
  store = issued;
  expect((await client().get('/v1/me')).data.user.email).toBe(managerEmail);
  expect(events).toEqual(['request with the stored token']);
});

test('20 requests at once with a refused token: one refresh, stored before its token is used', async () => {
  store = { ...issued, access_token: 'refused' };
  const lanyard = client();
  await Promise.all(Array.from({ length: 20 }, () => lanyard.get('/v1/me')));
  expect(events.filter((event) => event === 'refresh')).toHaveLength(1);
  const afterwards = events.slice(events.indexOf('save') + 1);
  expect(afterwards).toStrictEqual(Array(20).fill('request with the stored token'));
  expect(store.refresh_token).not.toBe(issued.refresh_token);
  expect(store.expires_at ?? 0).toBeGreaterThan(Date.now() + 590_000);
});

test('a token that is about to end is not used any more', async () => {
  store = ended(store);
  await client().get('/v1/me');
  expect(events).toEqual(['refresh', 'save', 'request with the stored token']);
});

test('two processes with one store take turns: who comes second finds the tokens of the first', async () => {
  let turn: Promise<unknown> = Promise.resolve();
  const exclusive = (work: () => Promise<Tokens>) => {
    const next = turn.then(work);
    turn = next.catch(() => {});
    return next;
  };
  const clients = [client({ exclusive }), client({ exclusive }), client({ exclusive })];
  for (let round = 0; round < 5; round++) {
    store = ended(store);
    const before = events.filter((event) => event === 'refresh').length;
    await Promise.all(clients.map((each) => each.get('/v1/me')));
    expect(events.filter((event) => event === 'refresh').length - before).toBeLessThanOrEqual(1);
  }
});

test('tokens that could not be saved are saved before they are used', async () => {
  store = ended(store);
  const old = store.refresh_token;
  let isFull = true;
  const save = (tokens: Tokens) => {
    if (isFull) throw new Error('The disk is full.');
    store = tokens;
    events.push('save');
  };
  const lanyard = client({ save });
  await expect(lanyard.get('/v1/me')).rejects.toThrow(/disk is full/);
  expect(store.refresh_token).toBe(old);
  isFull = false;
  await lanyard.get('/v1/me');
  expect(events).toEqual(['refresh', 'save', 'request with the stored token']);
});

test('no refresh token: unauthenticated', async () => {
  store = { access_token: 'refused' };
  await expect(client().get('/v1/me')).rejects.toMatchObject({
    name: 'LanyardError',
    status: 401,
    code: 'unauthenticated',
  });
});

test('planted: two processes that refresh at once end the sign-in', async () => {
  const tokens = await thirdParty.signIn(managerEmail);
  store = ended(tokens);
  const both = await Promise.allSettled([client().get('/v1/me'), client().get('/v1/me')]);
  const codes = both.flatMap((each) =>
    each.status === 'rejected' && each.reason instanceof LanyardError ? [each.reason.code] : [],
  );
  ensure(codes.includes('invalid_grant'), codes.join());
});

test('a sign-in that was ended: invalid_grant, with the words of the server', async () => {
  const tokens = await thirdParty.signIn(managerEmail);
  await thirdParty.refresh(tokens.refresh_token);
  store = ended(tokens);
  await expect(client().get('/v1/me')).rejects.toEqual(
    satisfying((error) => {
      ensure(error instanceof LanyardError);
      expect([error.status, error.code]).toEqual([400, 'invalid_grant']);
      expect(error.message.length).toBeGreaterThan(10);
      return true;
    }),
  );
});

test('a public app sends its id, and no secret', async () => {
  const reader = ThirdParty.reader(app.base);
  store = ended(await reader.signIn(managerEmail));
  const { clientSecret: _, ...rest } = options({ clientId: reader.clientId });
  const lanyard = createLanyard({ baseUrl: app.base, token: refreshingTokens(rest) });
  expect((await lanyard.get('/v1/me')).data.app.client_id).toBe('demo-reader');
});
