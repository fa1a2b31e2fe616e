import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLink, inviteMember } from '../../src/auth/people/links.js';
import { demoId } from '../../src/database/demo/ids.js';
import { demoPassword } from '../../src/database/demo/people.js';
import { ApiError } from '../../src/errors.js';
import { Browser, formsOf, type Visit } from '../auth/oauth/browser.js';
import { startOAuthApp } from '../auth/oauth/client.js';

const app = await startOAuthApp();
const operator = { userId: null, appId: null, requestId: null };
const skyline = demoId('organization', 'skyline-towers');
const newPassword = 'seven steel bolts 42';

async function signIn(email: string, password = demoPassword): Promise<{ browser: Browser; home: Visit }> {
  const browser = new Browser(app.base);
  const home = await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', { email, password });
  return { browser, home };
}

const isSignedIn = async (browser: Browser) => (await browser.get('/portal')).url.pathname === '/portal';
const canSignIn = async (email: string, password: string) => (await signIn(email, password)).home.url.pathname === '/portal';
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
    const done = await here.browser.submit(account, '/password', { current: demoPassword, password: newPassword, repeated: newPassword });
    assert.match(textOf(done), /Your password is changed\. You were signed out in 1 other place\./);
    assert.equal(await isSignedIn(here.browser), true);
    assert.equal(await isSignedIn(there.browser), false);
    assert.equal(await canSignIn(email, demoPassword), false);
    assert.equal(await canSignIn(email, newPassword), true);
    assert.deepEqual(await eventsOf(demoId('user', email)), ['change_password']);
  });

  it('is refused with the reason, and changes nothing', async () => {
    const { browser } = await signIn(email, newPassword);
    const account = await browser.get('/portal/account');
    const good = { current: newPassword, password: 'another good password', repeated: 'another good password' };
    const refusals: [Partial<typeof good>, RegExp][] = [
      [{ current: demoPassword }, /not your current password/],
      [{ password: 'too short', repeated: 'too short' }, /at least 12 characters/],
      [{ password: 'abababababababab', repeated: 'abababababababab' }, /more than four different/],
      [{ password: `my ${email} password`, repeated: '' }, /Leave your e-mail address out/],
      [{ repeated: 'another' }, /not the same/],
    ];
    for (const [change, reason] of refusals) {
      const refused = await browser.submit(account, '/password', { ...good, ...change });
      assert.equal(refused.status, 422);
      assert.match(textOf(refused), reason);
    }
    assert.equal(await canSignIn(email, newPassword), true);
  });
});

describe('sessions', () => {
  it('are listed, and ended one by one or all but this', async () => {
    const email = 'kenji.nakamura@skyline.example';
    const [here, second, third] = await Promise.all([signIn(email), signIn(email), signIn(email)]);
    const account = await here.browser.get('/portal/account');
    assert.equal(account.html.match(/this browser/g)?.length, 1);
    const after = await here.browser.submit(account, '/sessions/end');
    assert.equal((await isSignedIn(second.browser)) !== (await isSignedIn(third.browser)), true, 'one of the two ended');
    const last = await here.browser.submit(after, '/sessions/end-others');
    assert.match(textOf(last), /signed out in 1 other place/);
    assert.deepEqual(await Promise.all([here, second, third].map(({ browser }) => isSignedIn(browser))), [true, false, false]);
  });

  it("of somebody else can't be ended", async () => {
    const [mine, theirs] = await Promise.all([signIn('luca.ferrante@skyline.example'), signIn('hassan.qureshi@skyline.example')]);
    const [{ id }] = (await app.db.query(
      `select s.id from web_sessions s join users u on u.id = s.user_id where u.email = 'hassan.qureshi@skyline.example'`,
    )) as [{ id: string }];
    await signIn('luca.ferrante@skyline.example');
    const account = await mine.browser.get('/portal/account');
    await mine.browser.submit(account, '/sessions/end', { session: id });
    assert.equal(await isSignedIn(theirs.browser), true);
  });
});

describe('apps that work for the person', () => {
  it('are listed, and ended at once', async () => {
    const email = 'desta.alemu@skyline.example';
    const token = await app.token(email, 'demo-reader');
    assert.equal((await app.rest('GET', '/v1/me', { token })).status, 200);
    const { browser } = await signIn(email);
    const account = await browser.get('/portal/account');
    assert.match(textOf(account), /Demo Reader Since/);
    assert.match(textOf(await browser.submit(account, '/grants/end')), /The app is signed out/);
    assert.equal((await app.rest('GET', '/v1/me', { token })).status, 401);
  });

  it("of somebody else can't be ended", async () => {
    const token = await app.token('mei-ling.zhou@skyline.example', 'demo-reader');
    const [grant] = await app.db.query<{ id: string }>('select id from grants where user_id = $1', [
      demoId('user', 'mei-ling.zhou@skyline.example'),
    ]);
    const { browser, home } = await signIn('amara.okonkwo@skyline.example');
    const csrf = formsOf(home.html)[0]?.fields.csrf ?? '';
    assert.equal((await browser.post('/portal/account/grants/end', { csrf, grant: grant?.id ?? '' })).status, 404);
    assert.equal((await app.rest('GET', '/v1/me', { token })).status, 200);
  });
});

describe('an invitation', () => {
  const email = 'linnea.bergstrom@skyline.example';
  const userId = demoId('user', email);
  const memberId = demoId('member', `skyline-towers/${email}`);
  const invite = (id = memberId) => inviteMember(app.db, app.config, operator, skyline, id);
  const refuses = (code: string, message: RegExp) => (error: unknown) =>
    error instanceof ApiError && error.code === code && message.test(error.message);

  it('sets the first password, makes the membership active and signs in; and works once', async () => {
    const { url } = await invite();
    const browser = new Browser(app.base);
    const page = await browser.get(url);
    assert.match(textOf(page), /you were invited/);
    assert.equal((await choose(browser, page, 'short')).status, 422);
    const home = await choose(browser, page);
    assert.equal(home.url.pathname, '/portal');
    assert.match(textOf(home), /Skyline Towers/);
    const [member] = await app.db.query<{ status: string }>('select status from organization_members where id = $1', [memberId]);
    assert.equal(member?.status, 'active');
    const [event] = await app.db.query<{ changes: object; userId: string }>(
      `select changes, user_id as "userId" from audit_events where subject_type = 'OrganizationMember' and subject_id = $1`,
      [memberId],
    );
    assert.deepEqual(event, { changes: { status: ['invited', 'active'] }, userId });
    assert.deepEqual(await eventsOf(userId), ['create_link', 'set_password']);
    const secret = url.split('/').at(-1) ?? '';
    assert.ok(!JSON.stringify(app.log).includes(secret), 'the link is in the log');
    const again = await new Browser(app.base).get(url);
    assert.equal(again.status, 404);
    assert.match(textOf(again), /used already, or has expired/);
    assert.equal(await canSignIn(email, newPassword), true);
    await assert.rejects(invite(), refuses('invalid_transition', /can sign in already/));
  });

  it('is used once by two who open it at the same time', async () => {
    const { url } = await createLink(app.db, app.config, operator, demoId('user', 'jamal.whitaker@skyline.example'), 'invitation');
    const browsers = Array.from({ length: 4 }, () => new Browser(app.base));
    const pages = await Promise.all(browsers.map((browser) => browser.get(url)));
    const ends = await Promise.all(browsers.map((browser, index) => choose(browser, pages[index] as Visit, `${newPassword} ${index}`)));
    assert.deepEqual(ends.map(({ status }) => status).sort(), [200, 404, 404, 404]);
  });

  it('expires, and ends when there is a newer one', async () => {
    const isaiah = demoId('user', 'isaiah.pruitt@skyline.example');
    const [first, second] = [
      await createLink(app.db, app.config, operator, isaiah, 'invitation'),
      await createLink(app.db, app.config, operator, isaiah, 'invitation'),
    ];
    const status = async (url: string) => (await new Browser(app.base).get(url)).status;
    assert.deepEqual([await status(first.url), await status(second.url)], [404, 200]);
    const browser = new Browser(app.base);
    const page = await browser.get(second.url);
    await app.db.query(`update one_time_links set expires_at = now()`);
    assert.equal((await choose(browser, page)).status, 404);
  });

  it('is not to be had for somebody who can sign in, is elsewhere too, or is no member', async () => {
    const of = (name: string) => demoId('member', `skyline-towers/${name}`);
    await assert.rejects(invite(of('climber@skyline.example')), refuses('invalid_transition', /can sign in already/));
    await assert.rejects(invite(demoId('member', 'harbor-fiber/peter.vanderwal@harbor.example')), refuses('not_found', /./));
    await app.db.query(
      `insert into organization_members (organization_id, id, user_id, email, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'isaiah.pruitt@skyline.example', 'invited', now(), now())`,
      [demoId('organization', 'harbor-fiber'), demoId('user', 'isaiah.pruitt@skyline.example')],
    );
    await assert.rejects(invite(of('isaiah.pruitt@skyline.example')), refuses('invalid_transition', /Another organization/));
  });
});

describe('a reset link', () => {
  it('replaces the password and ends every session', async () => {
    const email = 'ruth.abernathy@skyline.example';
    const { browser } = await signIn(email);
    const link = await createLink(app.db, app.config, operator, demoId('user', email), 'reset');
    const invitation = await createLink(app.db, app.config, operator, demoId('user', email), 'invitation');
    const other = new Browser(app.base);
    assert.equal((await choose(other, await other.get(link.url))).url.pathname, '/portal');
    assert.equal(await isSignedIn(browser), false);
    assert.equal(await canSignIn(email, demoPassword), false);
    assert.equal(await canSignIn(email, newPassword), true);
    assert.equal((await other.get(invitation.url)).status, 404, 'another link of the person ends with it');
  });

  it('can be asked for only where mail is sent', async () => {
    const page = await new Browser(app.base).get('/portal/forgotten-password');
    assert.equal(page.status, 404);
    assert.match(textOf(page), /This server sends no mail/);
  });
});
