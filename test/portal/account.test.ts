import { createLink } from '../../src/auth/accounts/links.js';
import { demoId } from '../../src/demo/ids.js';
import { demoPassword } from '../../src/demo/people.js';
import { Browser, formsOf, type Visit } from '../auth/oauth/browser.js';
import { startOAuthApp } from '../auth/oauth/client.js';
import { nothing } from '../support/names.js';

const app = await startOAuthApp();
const operator = { userId: null, appId: null, requestId: null };
const newPassword = 'seven steel bolts 42';

async function signIn(
  email: string,
  password = demoPassword,
): Promise<{ browser: Browser; home: Visit }> {
  const browser = new Browser(app.base);
  const home = await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email,
    password,
  });
  return { browser, home };
}

const isSignedIn = async (browser: Browser) =>
  (await browser.get('/portal')).url.pathname === '/portal';
const canSignIn = async (email: string, password: string) =>
  (await signIn(email, password)).home.url.pathname === '/portal';
const textOf = ({ html }: Visit): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const choose = (browser: Browser, page: Visit, password = newPassword, repeated = password) =>
  browser.submit(page, page.url.pathname, { password, repeated });
const eventsOf = async (userId: string) =>
  (
    await app.db.query<{ action: string }>(
      `select action from audit_events where subject_type = 'User' and subject_id = $1 and action not in ('sign_in', 'fail_sign_in') order by occurred_at`,
      [userId],
    )
  ).map(({ action }) => action);

describe('a new password', () => {
  const email = 'mateo.villanueva@skyline.example';

  it('ends the other sessions, says so, and replaces the old one', async () => {
    const [here, there] = await Promise.all([signIn(email), signIn(email)]);
    const account = await here.browser.get('/portal/account');
    const done = await here.browser.submit(account, '/password', {
      current: demoPassword,
      password: newPassword,
      repeated: newPassword,
    });
    expect(textOf(done)).toMatch(
      /Your password is changed\. You were signed out in 1 other place\./,
    );
    expect(await isSignedIn(here.browser)).toBe(true);
    expect(await isSignedIn(there.browser)).toBe(false);
    expect(await canSignIn(email, demoPassword)).toBe(false);
    expect(await canSignIn(email, newPassword)).toBe(true);
    expect(await eventsOf(demoId('user', email))).toEqual(['change_password']);
  });

  it('is refused with the reason, and changes nothing', async () => {
    const { browser } = await signIn(email, newPassword);
    const account = await browser.get('/portal/account');
    const good = {
      current: newPassword,
      password: 'another good password',
      repeated: 'another good password',
    };
    const refusals: [Partial<typeof good>, RegExp][] = [
      [{ current: demoPassword }, /not your current password/],
      [{ password: 'too short', repeated: 'too short' }, /at least 12 characters/],
      [{ password: 'abababababababab', repeated: 'abababababababab' }, /more than four different/],
      [{ password: `my ${email} password`, repeated: '' }, /Leave your e-mail address out/],
      [{ repeated: 'another' }, /not the same/],
    ];
    for (const [change, reason] of refusals) {
      const refused = await browser.submit(account, '/password', { ...good, ...change });
      expect(refused.status).toBe(422);
      expect(textOf(refused)).toMatch(reason);
    }
    expect(await canSignIn(email, newPassword)).toBe(true);
  });
});

describe('sessions', () => {
  it('are listed, and ended one by one or all but this', async () => {
    const email = 'kenji.nakamura@skyline.example';
    const [here, second, third] = await Promise.all([signIn(email), signIn(email), signIn(email)]);
    const account = await here.browser.get('/portal/account');
    expect(account.html.match(/this browser/g)?.length).toBe(1);
    const after = await here.browser.submit(account, '/sessions/end');
    // One of the two ended.
    expect((await isSignedIn(second.browser)) !== (await isSignedIn(third.browser))).toBe(true);
    const last = await here.browser.submit(after, '/sessions/end-others');
    expect(textOf(last)).toMatch(/signed out in 1 other place/);
    expect(
      await Promise.all([here, second, third].map(({ browser }) => isSignedIn(browser))),
    ).toEqual([true, false, false]);
  });

  it("of somebody else can't be ended", async () => {
    const [mine, theirs] = await Promise.all([
      signIn('luca.ferrante@skyline.example'),
      signIn('hassan.qureshi@skyline.example'),
    ]);
    const [{ id }] = (await app.db.query(
      `select s.id from web_sessions s join users u on u.id = s.user_id where u.email = 'hassan.qureshi@skyline.example'`,
    )) as [{ id: string }];
    await signIn('luca.ferrante@skyline.example');
    const account = await mine.browser.get('/portal/account');
    const answers = await Promise.all(
      [id, nothing, 'no id'].map((session) =>
        mine.browser.submit(account, '/sessions/end', { session }),
      ),
    );
    // Equal answers: they do not reveal that the session exists.
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(textOf(answer)).toBe(textOf(answers[1] ?? answer));
    }
    expect(await isSignedIn(theirs.browser)).toBe(true);
  });
});

describe('apps that work for the person', () => {
  it('are listed, and ended at once', async () => {
    const email = 'desta.alemu@skyline.example';
    const token = await app.token(email, 'demo-reader');
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(200);
    const { browser } = await signIn(email);
    const account = await browser.get('/portal/account');
    expect(textOf(account)).toMatch(/Demo Reader Since/);
    expect(textOf(await browser.submit(account, '/grants/end'))).toMatch(/The app is signed out/);
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(401);
  });

  it("of somebody else can't be ended", async () => {
    const token = await app.token('mei-ling.zhou@skyline.example', 'demo-reader');
    const [grant] = await app.db.query<{ id: string }>('select id from grants where user_id = $1', [
      demoId('user', 'mei-ling.zhou@skyline.example'),
    ]);
    const { browser, home } = await signIn('amara.okonkwo@skyline.example');
    const csrf = formsOf(home.html)[0]?.fields.csrf ?? '';
    expect(
      (await browser.post('/portal/account/grants/end', { csrf, grant: grant?.id ?? '' })).status,
    ).toBe(404);
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(200);
  });
});

describe('the first password', () => {
  /** As the operator makes it. */
  const link = () =>
    createLink(
      app.db,
      app.config,
      operator,
      demoId('user', 'latoya.fontaine@skyline.example'),
      'invitation',
    );

  it('is set once by several who open the link at the same time', async () => {
    const { url } = await link();
    const browsers = Array.from({ length: 4 }, () => new Browser(app.base));
    const pages = await Promise.all(browsers.map((browser) => browser.get(url)));
    const ends = await Promise.all(
      browsers.map((browser, index) =>
        choose(browser, pages[index] as Visit, `${newPassword} ${index}`),
      ),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });

  it('link expires, and ends when there is a newer one', async () => {
    const [first, second] = [await link(), await link()];
    const status = async (url: string) => (await new Browser(app.base).get(url)).status;
    expect([await status(first.url), await status(second.url)]).toEqual([404, 200]);
    const browser = new Browser(app.base);
    const page = await browser.get(second.url);
    await app.db.query(`update one_time_links set expires_at = now()`);
    expect((await choose(browser, page)).status).toBe(404);
  });
});

describe('a reset link', () => {
  it('replaces the password and ends every session', async () => {
    const email = 'ruth.abernathy@skyline.example';
    const { browser } = await signIn(email);
    const link = await createLink(app.db, app.config, operator, demoId('user', email), 'reset');
    const invitation = await createLink(
      app.db,
      app.config,
      operator,
      demoId('user', email),
      'invitation',
    );
    const other = new Browser(app.base);
    expect((await choose(other, await other.get(link.url))).url.pathname).toBe('/portal');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await canSignIn(email, demoPassword)).toBe(false);
    expect(await canSignIn(email, newPassword)).toBe(true);
    // Another link of the person ends with it.
    expect((await other.get(invitation.url)).status).toBe(404);
  });

  it('can be asked for only where mail is sent; elsewhere the page says who can make one', async () => {
    const page = await new Browser(app.base).get('/portal/forgotten-password');
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(
      /This server sends no e-mail, .* Ask an admin there: .* lanyard user reset-password/,
    );
  });
});
