/**
 * Each hostile GraphQL request, without a token and with one, by POST, GET and as a stream: none
 * holds up the process.
 */
import { type Response, send, startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import { managerEmail } from '../../support/names.js';
import { corpus, type Hostile } from './corpus.js';

const app = await startApp();
const token = await app.token(managerEmail);

/** Milliseconds of the thread that runs the event loop, whatever else the machine does. */
const maxMilliseconds = 50;
/** What the machine made slow once is fast another time. */
const rounds = 8;

type Send = (request: Hostile, token: string | undefined) => Promise<Response>;

const bodyOf = ({ query, variables = '{}' }: Hostile): string =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`;
const post =
  (path: string): Send =>
  (request, token) =>
    send(app.base, 'POST', path, { token, body: bodyOf(request) });
const get: Send = ({ query, variables }, token) =>
  send(
    app.base,
    'GET',
    `/graphql?${new URLSearchParams({ query, ...(variables && { variables }) })}`,
    { token },
  );

const ways: readonly [how: string, send: Send, token: string | undefined][] = [
  ['without a token by POST', post('/graphql'), undefined],
  ['without a token by GET', get, undefined],
  ['with a token by POST', post('/graphql'), token],
  ['with a token by GET', get, token],
  ['with a token as a stream', post('/graphql/stream'), token],
];

const refusals: ReadonlySet<number> = new Set([400, 401, 405, 413, 422, 431]);

/** An error of a stream is in an event. */
const isRefused = ({ status, text }: Response): boolean =>
  refusals.has(status) || /^event: next\ndata: \{"errors":/.test(text);

test('there are at least 60', () => expect(Object.keys(corpus).length).toBeGreaterThanOrEqual(60));

for (const [how, sendBy, by] of ways) {
  describe(how, () => {
    for (const [name, request] of Object.entries(corpus)) {
      test(name, async () => {
        const taken: number[] = [];
        while (taken.length < rounds && !(Math.min(...taken) < maxMilliseconds)) {
          const before = process.threadCpuUsage();
          const response = await sendBy(request, by);
          const { user, system } = process.threadCpuUsage(before);
          taken.push((user + system) / 1000);
          ensure(isRefused(response), `${response.status}: ${response.text.slice(0, 500)}`);
        }
        const least = Math.min(...taken);
        ensure(least < maxMilliseconds, `took ${taken.map(Math.round).join(', ')} ms`);
        process.env.CORPUS_TIMES && console.error(`${least.toFixed(1)} ${how}: ${name}`);
      });
    }
  });
}
