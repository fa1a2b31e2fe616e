/** What the audit tells of sign-ins that failed, and what it doesn't. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { failuresPerApp } from '../../../src/auth/oauth/limits.js';
import { attemptsPerAccount } from '../../../src/auth/people/limits.js';
import { failureWindow } from '../../../src/auth/refusals.js';
import { demoSyncSecret } from '../../../src/database/demo/apps.js';
import { demoId } from '../../../src/database/demo/ids.js';
import { demoPassword } from '../../../src/database/demo/people.js';
import { Browser, type Visit } from '../../auth/oauth/browser.js';
import { basic } from '../../auth/oauth/client.js';
import { climberEmail, managerEmail, userId } from '../../support/names.js';
import { app, db, enter, newPassword } from './people.js';
import { readEvents, type StoredEvent } from './rows.js';

const guess = 'a guess that nobody should keep';

async function tryPassword(email: string, password = guess): Promise<Visit> {
  const browser = new Browser(app.base);
  return browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', { email, password });
}

async function tryPasskey(id: string): Promise<Visit> {
  const browser = new Browser(app.base);
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/portal/sign-in')).html)?.[1] ?? '';
  return browser.post('/portal/sign-in/passkey', { csrf, credential: JSON.stringify({ id, rawId: id, type: 'public-key', response: {} }) });
}

const trySecret = (clientId: string, secret = guess) =>
  fetch(`${app.base}/auth/v1/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token: 't' }),
    headers: { authorization: basic(clientId, secret) },
  });

const told = ({ action, subjectType, subjectId, changes }: StoredEvent) => [action, subjectType, subjectId, changes.reason?.[1]];

/** Events are written after the answers: once there are so many, and a while for more to come. */
async function failures(count: number, work: () => Promise<unknown>): Promise<unknown[]> {
  const known = (await readEvents(db)).map(({ id }) => id);
  await work();
  let found: StoredEvent[] = [];
  for (const end = Date.now() + 10_000; found.length < count && Date.now() < end; await delay(10)) found = await readEvents(db, known);
  await delay(100);
  found = await readEvents(db, known);
  for (const event of found) {
    assert.deepEqual([event.userId, event.appId, event.organizationId], [null, null, null]);
    assert.ok(event.requestId);
    assert.deepEqual(Object.keys(event.changes), ['reason']);
    assert.ok(!JSON.stringify(event).includes(guess));
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
const ofApp = (clientId: string, reason: string) => ['fail_authentication', 'App', demoId('app', clientId), reason];

// No window ends while a test counts what falls into one.
before(async () => {
  const left = failureWindow - (Date.now() % failureWindow);
  if (left < 30_000) await delay(left);
});
beforeEach(() => db.query('delete from sign_in_attempts'));

describe('a wrong password', () => {
  it('is told once in a while, however often and at once it is tried, and so is that there were too many', async () => {
    const crowd = () => Promise.all(Array.from({ length: attemptsPerAccount }, () => tryPassword(climberEmail)));
    assert.deepEqual(await failures(1, crowd), [ofUser(climberEmail, 'wrong_password')]);
    assert.deepEqual(await failures(1, crowd), [ofUser(climberEmail, 'too_many_attempts')]);
    assert.deepEqual(await failures(0, crowd), []);
  });

  it('is told again in the next while', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + failureWindow });
    assert.deepEqual(await failures(1, () => tryPassword(climberEmail)), [ofUser(climberEmail, 'wrong_password')]);
    assert.deepEqual(await failures(0, () => tryPassword(climberEmail)), []);
  });

  it('is not the reason where the person is disabled', async () => {
    const email = 'walter.ogilvie@harbor.example';
    await db.query(`update users set status = 'disabled' where email = $1`, [email]);
    assert.deepEqual(await failures(1, () => tryPassword(email, demoPassword)), [ofUser(email, 'disabled')]);
  });

  it('of nobody leaves nothing', async () => {
    const email = 'kenji.nakamura@skyline.example';
    const both = async () => {
      assert.equal((await tryPassword('nobody@skyline.example')).status, 422);
      assert.equal((await tryPassword(email)).status, 422);
    };
    assert.deepEqual(await failures(1, both), [ofUser(email, 'wrong_password')]);
  });

  it('is answered before it is written, and whether or not it can be', async () => {
    const email = 'desta.alemu@skyline.example';
    await db.query(`create function refuse_event() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`);
    await db.query(
      `create trigger refused before insert on audit_events for each row when (new.action = 'fail_sign_in') execute function refuse_event()`,
    );
    try {
      assert.deepEqual(await failures(0, async () => assert.equal((await tryPassword(email)).status, 422)), []);
      assert.match(JSON.stringify(app.log.at(-1)) + JSON.stringify(app.log.at(-2)), /no room/);
    } finally {
      await db.query('drop trigger refused on audit_events');
    }
    const held = () => whileLocked(async () => assert.equal((await tryPassword(email)).status, 422));
    assert.deepEqual(await failures(1, held), [ofUser(email, 'wrong_password')]);
  });
});

describe('a wrong current password on the account page', () => {
  const email = 'mei-ling.zhou@skyline.example';

  it('is told by the rules of a failed sign-in, and a bad new password is not', async () => {
    const browser = await enter(email);
    const account = await browser.get('/portal/account');
    const change = async (current: string, status: number, password = newPassword) => {
      const visit = await browser.submit(account, '/password', { current, password, repeated: password });
      assert.equal(visit.status, status);
      assert.equal(Number(visit.headers.get('retry-after')) > 800, status === 429);
    };
    const ofChange = (reason: string) => ['fail_change_password', 'User', userId(email), reason];
    assert.deepEqual(await failures(0, () => change(demoPassword, 422, 'short')), []);
    assert.deepEqual(await failures(1, () => Promise.all([change(guess, 422), change(guess, 422)])), [ofChange('wrong_password')]);
    const many = async () => {
      for (let attempt = 2; attempt < attemptsPerAccount; attempt++) await change(guess, 422);
      await change(demoPassword, 429);
    };
    assert.deepEqual(await failures(1, many), [ofChange('too_many_attempts')]);
    assert.deepEqual(await failures(1, () => tryPassword(email)), [ofUser(email, 'too_many_attempts')]);
  });
});

describe('a wrong passkey', () => {
  it('is told of whose it is, and one of nobody leaves nothing', async () => {
    await db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter, transports) values ('known', $1, 'Key', '\\x00', 0, '{}')`,
      [userId(managerEmail)],
    );
    const both = async () => {
      assert.equal((await tryPasskey('unknown')).status, 422);
      assert.equal((await tryPasskey('known')).status, 422);
    };
    assert.deepEqual(await failures(1, both), [ofUser(managerEmail, 'wrong_passkey')]);
  });
});

describe('a wrong client secret', () => {
  it('is told once in a while, and so is that there were too many, with the right one too', async () => {
    const many = async () => {
      for (let attempt = 0; attempt < failuresPerApp; attempt++) assert.equal((await trySecret('demo-sync')).status, 401);
      assert.equal((await trySecret('demo-sync', demoSyncSecret)).status, 429);
    };
    assert.deepEqual(await failures(2, many), [ofApp('demo-sync', 'too_many_attempts'), ofApp('demo-sync', 'wrong_secret')]);
    assert.deepEqual(await failures(0, () => trySecret('demo-sync')), []);
  });

  it('is answered before it is written', async () => {
    await whileLocked(async () => assert.equal((await trySecret('demo-sync')).status, 401));
  });

  it('of no app leaves nothing', async () => {
    assert.deepEqual(await failures(0, () => trySecret('nothing')), []);
  });
});
