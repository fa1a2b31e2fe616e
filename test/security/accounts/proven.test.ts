/**
 * Whoever proves an address owns it: what a mail that was opened gives, and what others lose by it.
 */
import { settleDue } from '../../../src/auth/accounts/memberships.js';
import { Browser, type Visit } from '../../auth/oauth/browser.js';
import { startOAuthApp } from '../../auth/oauth/client.js';
import { clientOf, dataOf } from '../../support/client.js';
import * as demo from '../../support/names.js';
import { startSmtp } from '../../support/smtp.js';

const mailbox = await startSmtp();
const app = await startOAuthApp({ SMTP_URL: mailbox.url });
const { db } = app;
const harborAdminEmail = 'admin@harbor.example';
const harbor = clientOf(app, harborAdminEmail);
const skyline = clientOf(app, demo.adminEmail);
const password = 'seven steel bolts 42';
const textOf = ({ html }: Visit): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

async function signIn(
  name: string,
  given = 'climb-safe-2026',
): Promise<{ browser: Browser; page: Visit }> {
  const browser = new Browser(app.base);
  return {
    browser,
    page: await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
      email: name,
      password: given,
    }),
  };
}
const choose = (browser: Browser, page: Visit, action = page.url.pathname, chosen = password) =>
  browser.submit(page, action, { password: chosen, repeated: chosen });

/** Adds a member. @returns The id of the membership. */
async function add(organization: 'skyline' | 'harbor', email: string): Promise<string> {
  const [client, path] =
    organization === 'skyline' ? [skyline, demo.skyline] : [harbor, demo.harbor];
  return dataOf(await client.post(`${path}/organization-members`, { email }), 201).id;
}

/** Has an admin mail the invitation. @returns The link, and the page that the admin sees. */
async function mail(
  organization: 'skyline' | 'harbor',
  memberId: string,
): Promise<{ link: string; shown: Visit }> {
  const [email, id] =
    organization === 'skyline'
      ? [demo.adminEmail, demo.skylineId]
      : [harborAdminEmail, demo.harborId];
  const { browser } = await signIn(email);
  const shown = await browser.submit(
    await browser.get(`/portal/organizations/${id}/members`),
    `/${memberId}/link`,
  );
  return { link: await mailbox.nextLink(), shown };
}

/** An account as a link that an admin handed over makes it. */
async function squat(
  email: string,
): Promise<{ userId: string; memberId: string; browser: Browser; name: string }> {
  const memberId = await add('skyline', email);
  const { link } = await mail('skyline', memberId);
  // As if there were no mail, so that the admin saw the link.
  await db.query(`update invitations set sent_by = 'admin' where member_id = $1`, [memberId]);
  const browser = new Browser(app.base);
  expect((await choose(browser, await browser.get(link))).url.pathname).toBe('/portal');
  const [member] = await db.query<{ userId: string; name: string }>(
    `select m.user_id as "userId", u.email as name from organization_members m join users u on u.id = m.user_id where m.id = $1`,
    [memberId],
  );
  return { userId: member?.userId ?? '', memberId, browser, name: member?.name ?? '' };
}

const member = async (id: string) =>
  (
    await db.query<{ status: string; userId: string; isPrimary: boolean }>(
      `select status, user_id as "userId", is_primary as "isPrimary" from organization_members where id = $1`,
      [id],
    )
  )[0];
const isSignedIn = async (browser: Browser) =>
  (await browser.get('/portal')).url.pathname === '/portal';

describe('a mailed invitation', () => {
  test('is never shown to the admin, and proves the address of the account that is made with it', async () => {
    const email = 'new@proven.example';
    const id = await add('harbor', email);
    const { link, shown } = await mail('harbor', id);
    expect(textOf(shown)).toMatch(/An invitation was mailed to new@proven.example/);
    expect(shown.html).not.toContain(new URL(link).pathname.split('/').at(-1) ?? '');
    const browser = new Browser(app.base);
    expect(textOf(await choose(browser, await browser.get(link)))).toMatch(
      /Signed in as new@proven.example/,
    );
    expect((await member(id))?.status).toBe('active');
    expect((await signIn(email, password)).page.url.pathname).toBe('/portal');
  });

  test('takes the address from an account that nobody proved: its sessions, tokens and memberships end', async () => {
    const email = 'victim@proven.example';
    const taken = await squat(email);
    const record = {
      organization_member_id: taken.memberId,
      certification_type_id: demo.typeId('flagger'),
      issued_on: '2026-01-01',
    };
    const { id: recordId } = dataOf(
      await skyline.post(`${demo.skyline}/certifications`, record),
      201,
    );
    const token = await app.token(taken.name);
    expect((await app.rest('GET', '/v1/me', { token })).body.data.user.email).toBe(email);
    const id = await add('harbor', email);
    const { link } = await mail('harbor', id);
    const owner = new Browser(app.base);
    expect((await choose(owner, await owner.get(link))).url.pathname).toBe('/portal');
    expect(await isSignedIn(taken.browser)).toBe(false);
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(401);
    expect((await signIn(taken.name, password)).page.status).toBe(422);

    await settleDue(db, (error) => expect(error).toBeNull());
    expect(await member(taken.memberId)).toStrictEqual({
      status: 'invited',
      userId: taken.memberId,
      isPrimary: false,
    });
    const [settled] = await db.query<{ userId: string }>(
      'select user_id as "userId" from certifications where id = $1',
      [recordId],
    );
    expect(settled?.userId).toBe(taken.memberId);
    const events = await db.query<{ type: string; changes: object }>(
      `select subject_type as type, changes from audit_events where subject_id = any($1) and action = 'update' order by occurred_at desc limit 2`,
      [[taken.memberId, recordId]],
    );
    expect(events.map(({ type }) => type).sort()).toEqual(['Certification', 'OrganizationMember']);

    // The owner sees that invitation in the portal, and accepts there.
    const home = await owner.get('/portal');
    expect(textOf(home)).toMatch(/Invitations Skyline Towers/);
    const done = await owner.submit(
      home,
      `/portal/organizations/${demo.skylineId}/invitation/accept`,
    );
    expect(textOf(done)).toMatch(/You joined the organization/);
    const now = await member(taken.memberId);
    expect([now?.status, now?.isPrimary]).toEqual(['active', false]);
    // The first that was accepted stays the primary one.
    expect((await member(id))?.isPrimary).toBe(true);
    const [record_] = await db.query<{ userId: string }>(
      'select user_id as "userId" from certifications where id = $1',
      [recordId],
    );
    expect(record_?.userId).toBe(now?.userId);
  });

  test('asks the owner of a proven address to sign in, and makes no second account', async () => {
    const email = 'beau.thibodeaux@skyline.example';
    const { link } = await mail('harbor', await add('harbor', email));
    const browser = new Browser(app.base);
    const page = await browser.get(link);
    expect(textOf(page)).toMatch(/You have an account .* Sign in, and accept/);
    const csrf =
      /name="csrf" value="([^"]+)"/.exec((await browser.get('/portal/sign-in')).html)?.[1] ?? '';
    const forced = await browser.post(new URL(link).pathname, {
      csrf,
      password,
      repeated: password,
    });
    expect(forced.status).toBe(409);
    const { browser: owner } = await signIn(email);
    const joined = await owner.submit(await owner.get(link), '/accept');
    expect(textOf(joined)).toMatch(/You joined the organization/);
  });

  test('ends when the address of the member changes, so that it proves no other', async () => {
    const id = await add('skyline', 'before@proven.example');
    const { link } = await mail('skyline', id);
    const mutation = `mutation { updateOrganizationMember(organizationId: "${demo.skylineId}", id: "${id}", input: { email: "after@proven.example" }) { id } }`;
    const { body } = await app.graphql(mutation, {}, { token: await app.token(demo.adminEmail) });
    expect(body.errors).toBeUndefined();
    const page = await new Browser(app.base).get(link);
    expect(page.status).toBe(404);
    expect(textOf(page)).toMatch(/This invitation has ended/);

    // Also where something changes the address and withdraws nothing.
    const other = await add('skyline', 'earlier@proven.example');
    const { link: late } = await mail('skyline', other);
    expect((await new Browser(app.base).get(late)).status).toBe(200);
    await db.query(`update organization_members set email = 'later@proven.example' where id = $1`, [
      other,
    ]);
    expect((await new Browser(app.base).get(late)).status).toBe(404);
  });
});

describe('an invitation to a proven address', () => {
  test('is declined in the portal, and may be made again by the organization', async () => {
    const email = 'sam.tran@skyline.example';
    const id = await add('harbor', email);
    const { browser } = await signIn(email);
    const at = `/portal/organizations/${demo.harborId}/invitation`;
    const done = await browser.submit(await browser.get('/portal'), `${at}/decline`);
    expect(textOf(done)).toMatch(/You declined the invitation/);
    expect((await member(id))?.status).toBe('suspended');
    const reinstate = `mutation { reinstateOrganizationMember(organizationId: "${demo.harborId}", id: "${id}") { status } }`;
    const { body } = await app.graphql(reinstate, {}, { token: await app.token(harborAdminEmail) });
    expect(body.data.reinstateOrganizationMember.status).toBe('INVITED');
    expect(textOf(await browser.get('/portal'))).toMatch(/Invitations Harbor Fiber/);
  });

  test('is not seen by an account whose address is not proven, nor accepted by it without a link', async () => {
    const email = 'unproven@proven.example';
    const { browser } = await squat(email);
    const id = await add('harbor', email);
    const home = await browser.get('/portal');
    expect(textOf(home)).not.toMatch(/Harbor/);
    const csrf = /name="csrf" value="([^"]+)"/.exec(home.html)?.[1] ?? '';
    const forced = await browser.post(`/portal/organizations/${demo.harborId}/invitation/accept`, {
      csrf,
    });
    expect(forced.status).toBe(404);
    expect((await member(id))?.status).toBe('invited');
  });
});

describe('a reset link', () => {
  test('that was mailed proves the address', async () => {
    const email = 'reset@proven.example';
    const { name, userId } = await squat(email);
    const browser = new Browser(app.base);
    await browser.submit(await browser.get('/portal/forgotten-password'), '/forgotten-password', {
      email: name,
    });
    const link = await mailbox.nextLink();
    expect(
      (await choose(browser, await browser.get(link), undefined, 'other steel bolts 43')).url
        .pathname,
    ).toBe('/portal');
    const [user] = await db.query<{ name: string; isProven: boolean }>(
      `select email as name, email_proven_at is not null as "isProven" from users where id = $1`,
      [userId],
    );
    expect(user).toStrictEqual({ name: email, isProven: true });
  });
});
