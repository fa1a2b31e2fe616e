/**
 * Accounts that an organization manages: what its admins may do, and when that ends. No mail is
 * sent here.
 */

import { invitationsPerAddress } from '../../../src/auth/accounts/invitation-limits.js';
import type { Browser, Visit } from '../../auth/oauth/browser.js';
import { testOnOne } from '../../support/database.js';
import { ensure } from '../../support/expect.js';
import { countStatements } from '../../support/graph.js';
import * as demo from '../../support/names.js';
import {
  add,
  app,
  choosePassword,
  clients,
  db,
  isSignedIn,
  linkOnScreen,
  memberOf,
  newEmail,
  password,
  signIn,
  startWithPeople,
  stranger,
  tenants,
  textOf,
} from './people.js';

await startWithPeople();

/** A person who joined skyline-towers with a link that its admin handed over. */
async function join(email = newEmail()) {
  const { id } = await add('skyline', email);
  const { browser, page } = await choosePassword(await linkOnScreen('skyline', id));
  const { user_id: userId } = await memberOf('skyline', email);
  return { email, id, userId, browser, page, name: `skyline-towers/${email}` };
}

const membersPage = `/portal/organizations/${demo.skylineId}/members`;

/** What an admin gets who asks for a reset link of a member. */
async function resetLink(memberId: string): Promise<Visit & { link: string | undefined }> {
  const { browser } = await signIn(tenants.skyline.admin);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get(membersPage)).html)?.[1] ?? '';
  const page = await browser.post(`${membersPage}/${memberId}/reset`, { csrf });
  return { ...page, link: /value="(http[^"]+)"/.exec(page.html)?.[1] };
}

const accept = (browser: Browser, page: Visit, chosen = '') =>
  browser.submit(page, '/accept', { password: chosen, repeated: chosen });

describe('an account that was made with a link from an admin', () => {
  test('signs in with the name that it is told, and with the address where it signed in before', async () => {
    const { email, name, browser, page } = await join();
    ensure(
      textOf(page).includes(`On other devices you sign in as ${name} : note it down`),
      textOf(page),
    );
    expect((await signIn(name, password)).page.url.pathname).toBe('/portal');
    expect((await signIn(email, password)).page.status).toBe(422);
    await browser.submit(await browser.get('/portal'), '/portal/sign-out');
    expect((await signIn(email, password, browser)).page.url.pathname).toBe('/portal');
  });

  test('gets a reset link from an admin, which ends its sessions', async () => {
    const { id, browser, name } = await join();
    const { link = '' } = await resetLink(id);
    const chosen = 'other steel bolts 43';
    expect((await choosePassword(link, chosen)).page.url.pathname).toBe('/portal');
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(name, chosen)).page.url.pathname).toBe('/portal');
    const { browser: admin } = await signIn(tenants.skyline.admin);
    const [event] = await db.query(
      `select from audit_events where action = 'create_link' and organization_id = $1 and subject_type = 'User'`,
      [demo.skylineId],
    );
    expect(event).toBeTruthy(); // the organization can see that a link was made
    expect(textOf(await admin.get(membersPage))).toMatch(/Accounts that you manage/);
  });

  test('gets none when it owns an app, belongs to two organizations, or proved its address', async () => {
    const owner = await join();
    await db.query(
      `insert into apps (id, client_id, name, token_endpoint_auth_method, owner_id) values (gen_random_uuid(), $1, 'App', 'none', $2)`,
      [owner.email, owner.userId],
    );
    expect((await resetLink(owner.id)).status).toBe(403);
    expect((await resetLink(demo.memberId(demo.climberEmail))).status).toBe(403); // proven
    // Of two organizations.
    expect((await resetLink(demo.memberId(demo.bothEmail))).status).toBe(403);
  });
});

describe('accepting the invitation of a second organization', () => {
  test('ends what the first could have: the password, sessions, tokens, passkeys and the reset link', async () => {
    const { email, id, name, userId, browser } = await join();
    const token = await app.token(name);
    await db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter) values ($1, $2, 'Unknown key', 'key', 0)`,
      [email, userId],
    );
    const { link: kept = '' } = await resetLink(id);
    const { browser: elsewhere } = await signIn(name, password);
    const invitation = await linkOnScreen('harbor', (await add('harbor', email)).id);
    const page = await browser.get(invitation);
    expect(textOf(page)).toMatch(/an admin of your organization could set your password/);
    expect((await accept(browser, page)).status).toBe(422); // without a new password
    expect((await memberOf('harbor', email)).status).toBe('invited');

    const done = await accept(browser, page, 'other steel bolts 43');
    expect((await memberOf('harbor', email)).status).toBe('active');
    expect(textOf(done)).toMatch(/Confirm your passkeys .* Unknown key/);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(401);
    expect((await signIn(name, password)).page.status).toBe(422);
    expect((await choosePassword(kept)).page.status).toBe(404);
    expect((await resetLink(id)).status).toBe(403);
    const passkeys = () =>
      db.query<{ isConfirmed: boolean }>(
        `select is_confirmed as "isConfirmed" from passkeys where user_id = $1`,
        [userId],
      );
    expect(await passkeys()).toStrictEqual([{ isConfirmed: false }]);
    expect(textOf(await browser.submit(done, '/passkeys/confirm'))).toMatch(
      /Every passkey is confirmed/,
    );
    expect(await passkeys()).toStrictEqual([{ isConfirmed: true }]);
  });

  test('is refused to somebody who is a member already, or is signed in with another account than the link made', async () => {
    const { email } = await join();
    const second = await add('skyline', newEmail());
    const link = await linkOnScreen('skyline', second.id);
    const { browser } = await signIn(demo.climberEmail);
    expect(textOf(await browser.get(link))).toMatch(/You are a member of Skyline Towers already/);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/portal')).html)?.[1] ?? '';
    expect((await browser.post(`${new URL(link).pathname}/accept`, { csrf })).status).toBe(409);
    await db.query('update invitations set account_id = $2 where member_id = $1', [
      second.id,
      (await memberOf('skyline', email)).user_id,
    ]);
    expect((await browser.get(link)).status).toBe(404);
  });
});

describe('an organization that invites', () => {
  test('gets the same answers, pages and accounts whether or not the address has an account', async () => {
    const known = `${newEmail()}`;
    await db.query(
      'insert into users (id, email, display_name, email_proven_at) values (gen_random_uuid(), $1, $2, now())',
      [known, 'Known'],
    );
    const plain = (text: string, email: string) =>
      text.replaceAll(email, 'EMAIL').replaceAll(email.split('@')[0] ?? '', 'NAME');
    const shape = async (email: string) => {
      const created = await add('skyline', email, { is_primary: true });
      const { id, user_id, created_at, updated_at, ...member } = created;
      expect(user_id).toBe(id); // a placeholder of its own
      const link = await linkOnScreen('skyline', id);
      const opened = await stranger().get(link);
      const { page } = await choosePassword(link);
      return [member, textOf(opened), textOf(page), page.status].map((each) =>
        plain(JSON.stringify(each), email),
      );
    };
    const unknown = newEmail();
    expect(await shape(known)).toStrictEqual(await shape(unknown));
  });

  testOnOne('neither waits for the account of the person nor reads it', async () => {
    const email = demo.climberEmail;
    const statements = (each: string) => countStatements(app, () => add('harbor', each));
    const unknown = await statements(newEmail());
    await db.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for update', [demo.userId(email)]);
      await tx.query('select from organization_members where user_id = $1 for update', [
        demo.userId(email),
      ]);
      await tx.query('select from organization_clocks where organization_id = $1 for update', [
        demo.skylineId,
      ]);
      expect(await statements(email)).toBe(unknown);
    });
    const users = await db.query('select from users where lower(email) = $1', [email]);
    expect(users).toHaveLength(1);
  });

  test('makes a few links for one address in a day', async () => {
    const { id } = await add('skyline', newEmail());
    const { browser } = await signIn(tenants.skyline.admin);
    const statuses: number[] = [];
    for (let count = 0; count <= invitationsPerAddress; count++)
      statuses.push((await browser.submit(await browser.get(membersPage), `/${id}/link`)).status);
    expect(statuses).toStrictEqual([...Array(invitationsPerAddress).fill(200), 429]);
  });
});

test('of 8 browsers at once, one makes an account with an invitation link', async () => {
  const { id, email } = await add('skyline', newEmail());
  const link = await linkOnScreen('skyline', id);
  const opened = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const browser = stranger();
      return { browser, form: await browser.get(link) };
    }),
  );
  const ends = await Promise.all(
    opened.map(({ browser, form }, index) => {
      const chosen = `steel bolts of number ${index}`;
      return browser.submit(form, form.url.pathname, { password: chosen, repeated: chosen });
    }),
  );
  expect(ends.map(({ status }) => status).toSorted()).toStrictEqual([200, ...Array(7).fill(404)]);
  expect(await db.query('select from users where address = $1', [email])).toHaveLength(1);
});

test('a record that is made while its member accepts names the person in the end', async () => {
  const { settle } = await import('../../../src/auth/accounts/memberships.js');
  const { id, userId } = await join();
  const record = {
    organization_member_id: id,
    certification_type_id: demo.typeId('flagger'),
    issued_on: '2026-01-01',
  };
  const { data } = (await clients.skyline.post(`${demo.skyline}/certifications`, record)).body;
  // As a statement wrote it that had read the member before.
  await db.query('update certifications set user_id = $2 where id = $1', [data.id, id]);
  await settle(db, { organizationId: demo.skylineId, memberId: id });
  const [row] = await db.query<{ userId: string; isStamped: boolean }>(
    `select user_id as "userId", updated_at > $2 as "isStamped" from certifications where id = $1`,
    [data.id, data.updated_at],
  );
  expect(row).toStrictEqual({ userId, isStamped: true });
});
