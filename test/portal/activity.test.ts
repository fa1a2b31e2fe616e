/** What a person reads of the own account's audit. */

import { createLink } from '../../src/auth/accounts/links.js';
import { auditPageSize } from '../../src/auth/audit.js';
import { recordFailedProof } from '../../src/auth/denied-attempts.js';
import { demoPassword } from '../../src/demo/people.js';
import { Browser, type Visit } from '../auth/oauth/browser.js';
import { startOAuthApp } from '../auth/oauth/client.js';
import { nobody } from '../support/changes.js';
import {
  adminEmail,
  climberEmail,
  harborId,
  managerEmail,
  skylineId,
  userId,
} from '../support/names.js';

const app = await startOAuthApp();
const actor = { userId: userId(adminEmail), appId: null, requestId: 'r' };

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(app.base);
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email,
    password: demoPassword,
  });
  return browser;
}

const textOf = ({ html }: Visit): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('Recent activity', () => {
  it('tells of sign-ins, failed ones, and what others did to the account, in an organization too', async () => {
    await recordFailedProof(
      app.db,
      'failed-request',
      'fail_sign_in',
      { email: climberEmail },
      'wrong_password',
    );
    await createLink(app.db, app.config, actor, userId(climberEmail), 'reset', {
      organizationId: skylineId,
    });
    const shown = textOf(await (await signIn(climberEmail)).get('/portal/account'));
    expect(shown).toMatch(/Recent activity .* signed in to this account/);
    expect(shown).toMatch(
      /Someone failed to sign in to this account .* request failed-request reason wrong_password/,
    );
    expect(shown).toMatch(/made a one-time link for this account for Skyline Towers/);
  });

  it('tells nothing of others, nor what the person or others did in organizations', async () => {
    await recordFailedProof(
      app.db,
      'of-the-manager',
      'fail_sign_in',
      { email: managerEmail },
      'wrong_password',
    );
    await createLink(app.db, app.config, nobody, userId(managerEmail), 'reset', {
      organizationId: harborId,
    });
    const browser = await signIn(climberEmail);
    for (const path of ['/portal/account', '/portal/account/activity'])
      expect(textOf(await browser.get(path))).not.toMatch(/of-the-manager/);
    const manager = await signIn(managerEmail);
    // Of an organization that the person is no member of.
    expect(textOf(await manager.get('/portal/account/activity'))).not.toMatch(/Harbor/);
  });

  it('is whole on a page of its own, in pages without a gap', async () => {
    await app.db.query(
      `insert into audit_events (id, user_id, action, subject_type, subject_id, changes, request_id, occurred_at)
       select gen_random_uuid(), $1, 'end_session', 'User', $1::uuid::text, '{}', 'page-' || n, now() - n * interval '1 second' from generate_series(1, $2) n`,
      [userId(adminEmail), 2 * auditPageSize],
    );
    const browser = await signIn(adminEmail);
    expect(textOf(await browser.get('/portal/account'))).toMatch(/All activity/);
    const requests: string[] = [];
    for (let path: string | undefined = '/portal/account/activity'; path; ) {
      const page: Visit = await browser.get(path);
      requests.push(...[...page.html.matchAll(/page-\d+/g)].map(([each]) => each));
      path = /href="([^"]*activity\?before=[^"]*)"/.exec(page.html)?.[1];
    }
    expect(requests).toStrictEqual(
      Array.from({ length: 2 * auditPageSize }, (_, index) => `page-${index + 1}`),
    );
  });

  it('is for who is signed in', async () => {
    expect((await new Browser(app.base).get('/portal/account/activity')).url.pathname).toBe(
      '/portal/sign-in',
    );
  });
});
