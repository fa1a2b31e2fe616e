/** What a new password ends, and that strangers who guess lock nobody out. */

import { setTimeout as delay } from 'node:timers/promises';
import {
  attemptsPerAccount,
  attemptsPerAccountInAll,
  keyOf,
} from '../../../src/auth/accounts/limits.js';
import { createLink } from '../../../src/auth/accounts/links.js';
import { storePassword } from '../../../src/auth/accounts/passwords.js';
import { endSessions } from '../../../src/auth/accounts/sessions.js';
import { hashPassword } from '../../../src/auth/password.js';
import { demoPassword } from '../../../src/demo/people.js';
import { Browser, formsOf } from '../../auth/oauth/browser.js';
import { ThirdParty } from '../../auth/oauth/client.js';
import { nobody } from '../../support/changes.js';
import { testOnOne } from '../../support/database.js';
import { fail } from '../../support/expect.js';
import { userId } from '../../support/names.js';
import {
  app,
  choosePassword,
  isSignedIn,
  password,
  signIn,
  startWithPeople,
  stranger,
  textOf,
} from './people.js';

await startWithPeople();

describe('a password that is reset', () => {
  test('ends every session, and every access and refresh token', async () => {
    const email = 'desta.alemu@skyline.example';
    const { browser } = await signIn(email);
    const sync = ThirdParty.sync(app.base);
    const got = await sync.authorize(stranger(), email);
    const { body } = await sync.redeem(got);
    expect((await app.rest('GET', '/v1/me', { token: body.access_token })).status).toBe(200);
    const { url } = await createLink(app.db, app.config, nobody, userId(email), 'reset');
    expect((await choosePassword(url)).page.status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await app.rest('GET', '/v1/me', { token: body.access_token })).status).toBe(401);
    const refreshed = await sync.refresh(body.refresh_token);
    expect(refreshed.status).toBe(400);
  });
});

describe('a sign-in that is under way while the password changes', () => {
  /**
   * Signs in with the old password, whose hash has been read by the time that another one is
   * stored.
   */
  async function overtake(email: string, change: (tx: typeof app.db) => Promise<unknown>) {
    let signingIn: ReturnType<typeof signIn> | undefined;
    await app.db.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for no key update', [userId(email)]);
      signingIn = signIn(email);
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`;
      let isOver = false;
      void signingIn.finally(() => {
        isOver = true;
      });
      while ((await app.db.query(waiting)).length === 0) {
        expect(isOver).toBe(false); // the sign-in waits for the account
        await delay(10);
      }
      await change(tx);
      await endSessions(tx.em, userId(email));
    });
    return (await signingIn) ?? fail();
  }

  testOnOne('opens no session', async () => {
    const email = 'luca.ferrante@skyline.example';
    const other = await hashPassword(password);
    const { browser, page } = await overtake(email, (tx) =>
      storePassword(tx.em, userId(email), other),
    );
    expect(page.status).toBe(422);
    expect(textOf(page)).toMatch(/Your password was changed just now\. Sign in again\./);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(email, password)).page.url.pathname).toBe('/portal');
  });

  testOnOne('opens one where nothing changed', async () => {
    const { browser } = await overtake('siobhan.gallagher@skyline.example', async () => {});
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('a stranger who guesses', () => {
  const address = '198.51.100.7';

  test('locks the owner out neither at another address nor in a browser that signed in before', async () => {
    const email = 'caleb.stone@skyline.example';
    const { browser } = await signIn(email, demoPassword, stranger(address));
    await browser.submit(await browser.get('/portal'), '/portal/sign-out');
    const guesser = stranger(address);
    for (let guess = 0; guess < attemptsPerAccount + 2; guess++)
      await signIn(email, `guess ${guess} ${password}`, guesser);
    expect((await signIn(email, demoPassword, guesser)).page.status).toBe(429);
    expect((await signIn(email)).page.url.pathname).toBe('/portal'); // elsewhere
    expect((await signIn(email, demoPassword, browser)).page.url.pathname).toBe('/portal'); // in the owner's browser, at the same address
  });

  test("from many addresses uses up the budget of the account, and not that of the owner's browser", async () => {
    const email = 'amara.okonkwo@skyline.example';
    const { browser } = await signIn(email);
    await browser.submit(await browser.get('/portal'), '/portal/sign-out');
    const until = Date.now() + 600_000;
    await app.db.query('insert into sign_in_attempts values ($1, $2, $3)', [
      `account:${keyOf(email)}`,
      attemptsPerAccountInAll,
      until,
    ]);
    expect((await signIn(email)).page.status).toBe(429);
    expect((await signIn(email, demoPassword, browser)).page.url.pathname).toBe('/portal');
  });

  test('gets no more tries with a cookie that is not signed by this server', async () => {
    const email = 'mateo.villanueva@skyline.example';
    const forged = `lanyard_device=${crypto.randomUUID()}.${userId(email)}; lanyard_device.sig=${'x'.repeat(27)}`;
    const guesser = new Browser(app.base, { 'x-forwarded-for': '198.51.100.8' });
    for (const pair of forged.split('; '))
      guesser.remember(...(pair.split('=') as [string, string]));
    const guess = () => signIn(email, 'a wrong one', guesser);
    for (let count = 0; count < attemptsPerAccount; count++) await guess();
    expect((await guess()).page.status).toBe(429);
  });

  test("is limited in the owner's browser too", async () => {
    const email = 'yolanda.cisneros@skyline.example';
    const { browser } = await signIn(email);
    await browser.submit(await browser.get('/portal'), '/portal/sign-out');
    const statuses: number[] = [];
    for (let count = 0; count <= attemptsPerAccount; count++)
      statuses.push((await signIn(email, 'a wrong one', browser)).page.status);
    expect(statuses).toStrictEqual([...Array(attemptsPerAccount).fill(422), 429]);
  });
});

describe('a password that the person changes', () => {
  const email = 'grace.mwangi@skyline.example';
  const chosen = { password, repeated: password };

  test('ends what apps may do, and has passkeys wait, unless the ticks are taken away', async () => {
    await app.db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter) values ('grace', $1, 'Key', 'key', 0)`,
      [userId(email)],
    );
    const token = await app.token(email);
    const { browser } = await signIn(email);
    const isConfirmed = async () =>
      (
        await app.db.query<{ is: boolean }>(
          `select is_confirmed as is from passkeys where credential_id = 'grace'`,
        )
      )[0]?.is;
    const account = await browser.get('/portal/account');
    const form = formsOf(account.html).find(({ action }) => action.endsWith('/password'));
    expect([form?.fields.grants, form?.fields.passkeys]).toEqual(['yes', 'yes']);
    const { grants, passkeys, ...unticked } = form?.fields ?? {};
    await browser.post('/portal/account/password', {
      ...unticked,
      current: demoPassword,
      ...chosen,
    });
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(200);
    expect(await isConfirmed()).toBe(true);

    const again = { current: password, password: `${password} 2`, repeated: `${password} 2` };
    const done = await browser.submit(
      await browser.get('/portal/account'),
      '/account/password',
      again,
    );
    expect(textOf(done)).toMatch(/Your password is changed/);
    expect((await app.rest('GET', '/v1/me', { token })).status).toBe(401);
    expect(await isConfirmed()).toBe(false);
    expect(textOf(await browser.get('/portal/account'))).toMatch(
      /A passkey waits until you confirm it/,
    );
  });
});
