/** A one-time link works once, also when several hold it and hurry. */

import { createLink } from '../../../src/auth/accounts/links.js';
import { verifyPassword } from '../../../src/auth/password.js';
import { Browser } from '../../auth/oauth/browser.js';
import { startOAuthApp } from '../../auth/oauth/client.js';
import { startProcess } from '../../auth/oauth/processes.js';
import { nobody } from '../../support/changes.js';
import { climberEmail, userId } from '../../support/names.js';

const app = await startOAuthApp();
const elsewhere = await startProcess(app);
const id = userId(climberEmail);

/** Opens the link in a browser of its own. @returns How to send its form with a password. */
async function open(url: string, isElsewhere: boolean) {
  const browser = new Browser(app.base);
  const page = await browser.get(url);
  expect(page.status).toBe(200);
  return async (password: string): Promise<number> => {
    const fields = { password, repeated: password };
    if (!isElsewhere) return (await browser.submit(page, new URL(url).pathname, fields)).status;
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf, ...fields });
    const { status } = await elsewhere.fetch(new URL(url).pathname, {
      method: 'POST',
      body,
      headers: { origin: app.base, cookie },
    });
    return status === 303 ? 200 : status;
  };
}

for (let round = 1; round <= 3; round++) {
  test(`of 12 browsers at once, on two processes, one sets the password with a link (${round})`, async () => {
    await app.db.query('delete from web_sessions');
    const { url } = await createLink(
      app.db,
      app.config,
      nobody,
      id,
      round % 2 ? 'reset' : 'invitation',
    );
    const sends = await Promise.all(
      Array.from({ length: 12 }, (_, index) => open(url, index % 2 === 1)),
    );
    const passwords = sends.map((_, index) => `steel bolts ${round} of number ${index}`);
    const statuses = await Promise.all(sends.map((send, index) => send(passwords[index] ?? '')));
    expect(statuses.toSorted()).toStrictEqual([200, ...Array(11).fill(404)]);

    const [user] = await app.db.query<{ hash: string }>(
      'select password_hash as hash from users where id = $1',
      [id],
    );
    expect(await verifyPassword(user?.hash, passwords[statuses.indexOf(200)] ?? '')).toBe(true);
    expect(
      await app.db.query('select signed_in_by as method from web_sessions where user_id = $1', [
        id,
      ]),
    ).toStrictEqual([{ method: 'link' }]);
    const events = await app.db.query(
      `select from audit_events where action = 'set_password' and subject_id = $1`,
      [id],
    );
    expect(events).toHaveLength(round);
    expect((await new Browser(app.base).get(url)).status).toBe(404);
  });
}
