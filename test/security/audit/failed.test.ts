/** What the audit tells of sign-ins that failed, and what it doesn't. */

import { setTimeout as delay } from 'node:timers/promises';
import { attemptsPerAccount } from '../../../src/auth/accounts/limits.js';
import { failureWindow } from '../../../src/auth/denied-attempts.js';
import { failuresPerApp } from '../../../src/auth/oauth/limits.js';
import { noOrganization } from '../../../src/database/placements.js';
import { demoSyncSecret } from '../../../src/demo/apps.js';
import { demoId } from '../../../src/demo/ids.js';
import { demoPassword } from '../../../src/demo/people.js';
import { Browser, type Visit } from '../../auth/oauth/browser.js';
import { basic } from '../../auth/oauth/client.js';
import { isCluster } from '../../support/database.js';
import { climberEmail, managerEmail, userId } from '../../support/names.js';
import { app, db, enter, newPassword, startAudited } from './people.js';
import { readEvents, type StoredEvent } from './rows.js';

await startAudited();

const guess = 'a guess that nobody should keep';

async function tryPassword(email: string, password = guess): Promise<Visit> {
  const browser = new Browser(app.base);
  return browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email,
    password,
  });
}

async function tryPasskey(id: string): Promise<Visit> {
  const browser = new Browser(app.base);
  const csrf =
    /name="csrf" value="([^"]*)"/.exec((await browser.get('/portal/sign-in')).html)?.[1] ?? '';
  return browser.post('/portal/sign-in/passkey', {
    csrf,
    credential: JSON.stringify({ id, rawId: id, type: 'public-key', response: {} }),
  });
}

const trySecret = (clientId: string, secret = guess) =>
  fetch(`${app.base}/auth/v1/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token: 't' }),
    headers: { authorization: basic(clientId, secret) },
  });

const told = ({ action, subjectType, subjectId, changes }: StoredEvent) => [
  action,
  subjectType,
  subjectId,
  changes.reason?.[1],
];

/** The organization of events without one. */
const nowhere = isCluster ? noOrganization : null;

/** Events are written after the answers: once there are so many, and a while for more to come. */
async function failures(count: number, work: () => Promise<unknown>): Promise<unknown[]> {
  const known = (await readEvents(db)).map(({ id }) => id);
  await work();
  let found: StoredEvent[] = [];
  for (const end = Date.now() + 10_000; found.length < count && Date.now() < end; await delay(10))
    found = await readEvents(db, known);
  await delay(100);
  found = await readEvents(db, known);
  for (const event of found) {
    expect([event.userId, event.appId, event.organizationId]).toEqual([null, null, nowhere]);
    expect(event.requestId).toBeTruthy();
    expect(Object.keys(event.changes)).toEqual(['reason']);
    expect(JSON.stringify(event)).not.toContain(guess);
  }
  return found.map(told).sort();
}

/** Does it while nothing can be written into the audit. */
const whileLocked = (work: () => Promise<void>) =>
  db.transaction(async (tx) => {
    await tx.query('lock table audit_events in exclusive mode');
    await work();
  });

const ofUser = (email: string, reason: string) => ['fail_sign_in', 'User', userId(email), reason];
const ofApp = (clientId: string, reason: string) => [
  'fail_authentication',
  'App',
  demoId('app', clientId),
  reason,
];

// No window ends while a test counts what falls into one.
beforeAll(async () => {
  const left = failureWindow - (Date.now() % failureWindow);
  if (left < 30_000) await delay(left);
});
beforeEach(() => db.query('delete from sign_in_attempts'));

describe('a wrong password', () => {
  it('is told once in a while, however often and at once it is tried, and so is that there were too many', async () => {
    const crowd = () =>
      Promise.all(Array.from({ length: attemptsPerAccount }, () => tryPassword(climberEmail)));
    expect(await failures(1, crowd)).toStrictEqual([ofUser(climberEmail, 'wrong_password')]);
    expect(await failures(1, crowd)).toStrictEqual([ofUser(climberEmail, 'too_many_attempts')]);
    expect(await failures(0, crowd)).toEqual([]);
  });

  it('is told again in the next while', async () => {
    const now = Date.now() + failureWindow;
    using cleanup = new DisposableStack();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    cleanup.defer(() => clock.mockRestore());
    expect(await failures(1, () => tryPassword(climberEmail))).toStrictEqual([
      ofUser(climberEmail, 'wrong_password'),
    ]);
    expect(await failures(0, () => tryPassword(climberEmail))).toEqual([]);
  });

  it('is not the reason where the person is disabled', async () => {
    const email = 'walter.ogilvie@harbor.example';
    await db.query(`update users set status = 'disabled' where email = $1`, [email]);
    expect(await failures(1, () => tryPassword(email, demoPassword))).toStrictEqual([
      ofUser(email, 'disabled'),
    ]);
  });

  it('of nobody leaves nothing', async () => {
    const email = 'kenji.nakamura@skyline.example';
    const both = async () => {
      expect((await tryPassword('nobody@skyline.example')).status).toBe(422);
      expect((await tryPassword(email)).status).toBe(422);
    };
    expect(await failures(1, both)).toStrictEqual([ofUser(email, 'wrong_password')]);
  });

  it('is answered before it is written, and whether or not it can be', async () => {
    const email = 'desta.alemu@skyline.example';
    await db.query(
      `create function refuse_event() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`,
    );
    await db.query(
      `create trigger refused before insert on audit_events for each row when (new.action = 'fail_sign_in') execute function refuse_event()`,
    );
    try {
      expect(
        await failures(0, async () => expect((await tryPassword(email)).status).toBe(422)),
      ).toEqual([]);
      expect(JSON.stringify(app.log.at(-1)) + JSON.stringify(app.log.at(-2))).toMatch(/no room/);
    } finally {
      await db.query('drop trigger refused on audit_events');
    }
    const held = () => whileLocked(async () => expect((await tryPassword(email)).status).toBe(422));
    expect(await failures(1, held)).toStrictEqual([ofUser(email, 'wrong_password')]);
  });
});

describe('a wrong current password on the account page', () => {
  const email = 'mei-ling.zhou@skyline.example';

  it('is told by the rules of a failed sign-in, and a bad new password is not', async () => {
    const browser = await enter(email);
    const account = await browser.get('/portal/account');
    const change = async (current: string, status: number, password = newPassword) => {
      const visit = await browser.submit(account, '/password', {
        current,
        password,
        repeated: password,
      });
      expect(visit.status).toBe(status);
      expect(Number(visit.headers.get('retry-after')) > 800).toBe(status === 429);
    };
    const ofChange = (reason: string) => ['fail_change_password', 'User', userId(email), reason];
    expect(await failures(0, () => change(demoPassword, 422, 'short'))).toEqual([]);
    expect(
      await failures(1, () => Promise.all([change(guess, 422), change(guess, 422)])),
    ).toStrictEqual([ofChange('wrong_password')]);
    const many = async () => {
      for (let attempt = 2; attempt < attemptsPerAccount; attempt++) await change(guess, 422);
      await change(demoPassword, 429);
    };
    expect(await failures(1, many)).toStrictEqual([ofChange('too_many_attempts')]);
    expect(await failures(1, () => tryPassword(email))).toStrictEqual([
      ofUser(email, 'wrong_password'),
    ]); // sign-ins have a budget of their own
  });
});

describe('a wrong passkey', () => {
  it('is told of whose it is, and one of nobody leaves nothing', async () => {
    await db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter, transports) values ('known', $1, 'Key', '\\x00', 0, '{}')`,
      [userId(managerEmail)],
    );
    const both = async () => {
      expect((await tryPasskey('unknown')).status).toBe(422);
      expect((await tryPasskey('known')).status).toBe(422);
    };
    expect(await failures(1, both)).toStrictEqual([ofUser(managerEmail, 'wrong_passkey')]);
  });
});

describe('a wrong client secret', () => {
  it('is told once in a while, and so is that there were too many, with the right one too', async () => {
    const many = async () => {
      for (let attempt = 0; attempt < failuresPerApp; attempt++)
        expect((await trySecret('demo-sync')).status).toBe(401);
      expect((await trySecret('demo-sync', demoSyncSecret)).status).toBe(429);
    };
    expect(await failures(2, many)).toStrictEqual([
      ofApp('demo-sync', 'too_many_attempts'),
      ofApp('demo-sync', 'wrong_secret'),
    ]);
    expect(await failures(0, () => trySecret('demo-sync'))).toEqual([]);
  });

  it('is answered before it is written', async () => {
    await whileLocked(async () => expect((await trySecret('demo-sync')).status).toBe(401));
  });

  it('of no app leaves nothing', async () => {
    expect(await failures(0, () => trySecret('nothing'))).toEqual([]);
  });
});
