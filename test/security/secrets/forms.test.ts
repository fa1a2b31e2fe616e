/**
 * Every form of the portal: sent from our own page in the same browser, or refused before anything
 * happens.
 */
import { demoPassword } from '../../../src/demo/people.js';
import { routes } from '../../../src/portal/index.js';
import { Browser, formsOf } from '../../auth/oauth/browser.js';
import { startOAuthApp } from '../../auth/oauth/client.js';
import { ensure } from '../../support/expect.js';

const app = await startOAuthApp();
const email = 'admin@skyline.example';

/** A browser that is signed in, and the token of its pages. */
async function signedIn(): Promise<{ browser: Browser; csrf: string }> {
  const browser = new Browser(app.base);
  const home = await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email,
    password: demoPassword,
  });
  return { browser, csrf: formsOf(home.html)[0]?.fields.csrf ?? '' };
}

const { browser, csrf } = await signedIn();
const other = await signedIn();

const forged: [
  what: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
  refusal: RegExp,
][] = [
  ['without a token', {}, {}, /out of date/],
  ['with the token of another session of the same person', { csrf: other.csrf }, {}, /out of date/],
  ['with a token one character short', { csrf: csrf.slice(0, -1) }, {}, /out of date/],
  ['from another site', { csrf }, { origin: 'https://evil.example' }, /not sent from/],
  ['from another port of this host', { csrf }, { origin: 'http://127.0.0.1:1' }, /not sent from/],
  ['from a page without an origin', { csrf }, { origin: 'null' }, /not sent from/],
];

const state = () =>
  app.db.query(
    `select (select count(*) from audit_events) as events, (select count(*) from apps) as apps, (select count(*) from web_sessions) as sessions,
       (select count(*) from one_time_links) as links, (select count(*) from passkey_challenges) as challenges, (select count(*) from grants) as grants`,
  );

const posts = routes.filter(({ method }) => method === 'POST');

describe('a form that is not from a page of ours', () => {
  for (const { path } of posts) {
    it(`is refused at ${path}`, async () => {
      const before = await state();
      for (const [what, fields, headers, refusal] of forged) {
        const answer = await browser.post(
          path.replaceAll(/:\w+/g, crypto.randomUUID()),
          fields,
          headers,
        );
        expect([what, answer.status]).toStrictEqual([what, 403]);
        expect([what, answer.html]).toStrictEqual([what, expect.stringMatching(refusal)]);
      }
      expect(await state()).toStrictEqual(before);
    });
  }
});

it('a form with its token, from our own origin, is never refused for where it came from', async () => {
  expect(posts.length).toBeGreaterThan(20);
  for (const { path } of posts) {
    const visitor = path.includes('sign-out') ? other : { browser, csrf };
    const answer = await visitor.browser.post(path.replaceAll(/:\w+/g, crypto.randomUUID()), {
      csrf: visitor.csrf,
    });
    expect([path, answer.html]).toStrictEqual([
      path,
      expect.not.stringMatching(/out of date|not sent from/),
    ]);
    ensure(answer.status < 500, path);
  }
});

it('no page does anything on GET that a form is for', () => {
  const gets = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const both = posts.map(({ path }) => path).filter((path) => gets.has(path));
  for (const path of both) expect(path).not.toMatch(/sign-out|revoke|delete|allow|deny|decision/);
});
