/** Every form of the portal leaves its events, and no others. */
import { createInvitation } from '../../../src/auth/accounts/invitations.js';
import { createLink } from '../../../src/auth/accounts/links.js';
import { recordChanges } from '../../../src/database/record-changes.js';
import { demoPassword } from '../../../src/demo/people.js';
import { invited, OrganizationMember } from '../../../src/entities/member.js';
import { routes } from '../../../src/portal/index.js';
import { Browser, type Visit } from '../../auth/oauth/browser.js';
import { allow, signIn } from '../../auth/oauth/client.js';
import { nobody } from '../../support/changes.js';
import { fail } from '../../support/expect.js';
import {
  adminEmail,
  bothEmail,
  climberEmail,
  harborId,
  memberId,
  skylineId,
  userId,
} from '../../support/names.js';
import {
  app,
  type By,
  db,
  enter,
  expectEvents,
  newPassword,
  operator,
  person,
  reader,
  readerId,
  startAudited,
} from './people.js';

await startAudited();

const admin = await enter(adminEmail);
const own: By = person(adminEmail);
const post = async (
  browser: Browser,
  page: string,
  action: string,
  filled: Record<string, string> = {},
): Promise<Visit> => browser.submit(await browser.get(page), action, filled);
const verifier = 'v'.repeat(43);
const asked = async (browser: Browser, scope = 'openid profile') =>
  browser.get(await reader.request(verifier, { scope }));

const newApp = async (): Promise<{ id: string; page: string }> => {
  const filled = {
    name: 'Audited',
    method: 'client_secret_basic',
    redirectUris: 'https://audited.example/callback',
    scope: 'job_roles:read',
  };
  await post(admin, '/portal/apps/new', '/portal/apps', filled);
  const [{ id } = { id: '' }] = await db.query<{ id: string }>(
    'select id from apps where name = $1 order by created_at desc',
    ['Audited'],
  );
  return { id, page: `/portal/apps/${id}` };
};
const changeApp =
  (
    expected: string,
    work: (page: string, id: string) => Promise<unknown>,
    further: string[] = [],
  ) =>
  async () => {
    const { id, page } = await newApp();
    await expectEvents([expected, ...further], own, () => work(page, id));
  };
const audited = {
  name: 'Renamed',
  method: 'client_secret_basic',
  redirectUris: 'https://audited.example/callback',
  scope: 'job_roles:read',
};

/** The path of a link for an invited member of skyline-towers, as its admin hands it over. */
const invite = async (email: string): Promise<string> => {
  const key = { organizationId: skylineId, memberId: memberId(email) };
  return new URL((await createInvitation(db, app.config, nobody, key, 'admin')).url).pathname;
};

/**
 * What harbor-fiber's invitation of somebody with a proven address leaves, once it is decided on in
 * the portal.
 */
const decideOn = async (decision: 'accept' | 'decline', expected: string): Promise<void> => {
  const email = `${decision === 'accept' ? 'sam.tran' : 'wyatt.kowalczyk'}@skyline.example`;
  const key = { organizationId: harborId, id: crypto.randomUUID() };
  const set = {
    ...invited(key.id),
    email,
    displayName: email,
    firstName: '',
    lastName: '',
    role: 'member',
    isPrimary: false,
    externalId: '',
  };
  await db.transaction((tx) =>
    recordChanges(tx, nobody, [{ organizationId: harborId, entity: OrganizationMember, key, set }]),
  );
  const browser = await enter(email);
  await expectEvents([expected], person(email), () =>
    post(browser, '/portal', `/invitation/${decision}`),
  );
};

/** By the path of the form. What only a passkey can send is left to the tests with a browser. */
const forms: Readonly<Record<string, (() => Promise<unknown>) | 'by passkey'>> = {
  '/portal/sign-in': () =>
    expectEvents(['User sign_in method'], person(climberEmail), () => enter(climberEmail)),
  '/portal/sign-in/passkey': 'by passkey',
  '/portal/interactions/:uid/sign-in/passkey': 'by passkey',
  '/portal/account/passkeys': 'by passkey',
  '/portal/sign-in/challenge': () =>
    expectEvents([], own, async () => {
      const page = await admin.get('/portal/account');
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
      expect((await admin.post('/portal/sign-in/challenge', { csrf })).status).toBe(200);
    }),
  '/portal/account/passkeys/challenge': () =>
    expectEvents([], own, async () => {
      const csrf =
        /name="csrf" value="([^"]*)"/.exec((await admin.get('/portal/account')).html)?.[1] ?? '';
      await admin.post('/portal/account/passkeys/challenge', { csrf });
    }),
  '/portal/sign-out': async () => {
    const browser = await enter(climberEmail);
    await expectEvents(['User end_session method'], person(climberEmail), () =>
      post(browser, '/portal/account', '/portal/sign-out'),
    );
  },
  '/portal/links/:secret': async () => {
    const email = 'latoya.fontaine@skyline.example';
    const { url } = await createLink(db, app.config, nobody, userId(email), 'invitation');
    const path = new URL(url).pathname;
    await expectEvents(['User set_password', 'User sign_in method'], person(email), () =>
      post(new Browser(app.base), path, path, { password: newPassword, repeated: newPassword }),
    );
  },
  '/portal/invitations/:secret': async () => {
    const path = await invite('isaiah.pruitt@skyline.example');
    const by: { userId: string | null } = { userId: null };
    const expected = [
      'User create displayName,email',
      'OrganizationMember update isPrimary,status,userId',
      'User sign_in method',
    ];
    await expectEvents(expected, by, async () => {
      await post(new Browser(app.base), path, path, {
        password: newPassword,
        repeated: newPassword,
      });
      const [made] = await db.query<{ id: string }>(
        `select id from users where address = 'isaiah.pruitt@skyline.example'`,
      );
      by.userId = made?.id ?? null;
    });
  },
  '/portal/invitations/:secret/accept': async () => {
    const path = await invite('linnea.bergstrom@skyline.example');
    const email = 'walter.ogilvie@harbor.example';
    const browser = await enter(email);
    await expectEvents(['OrganizationMember update status,userId'], person(email), () =>
      post(browser, path, '/accept'),
    );
  },
  '/portal/organizations/:id/invitation/accept': () =>
    decideOn('accept', 'OrganizationMember update status,userId'),
  '/portal/organizations/:id/invitation/decline': () =>
    decideOn('decline', 'OrganizationMember update reason,status'),
  '/portal/organizations/:id/primary': async () => {
    const browser = await enter(bothEmail);
    const expected = Array(2).fill('OrganizationMember update isPrimary');
    await expectEvents(expected, person(bothEmail), () => post(browser, '/portal', '/primary'));
  },
  '/portal/account/passkeys/confirm': async () => {
    await db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter, is_confirmed) values ('doubted', $1, 'Phone', 'key', 0, false)`,
      [userId(adminEmail)],
    );
    await expectEvents(['User confirm_passkey name'], own, () =>
      post(admin, '/portal/account/passkeys', '/confirm'),
    );
    await db.query(`delete from passkeys where credential_id = 'doubted'`);
  },
  '/portal/organizations/:id/members/:member/reset': async () => {
    await db.query(`update users set email_proven_at = null, managed_by = $2 where id = $1`, [
      userId('arjun.mehta@skyline.example'),
      skylineId,
    ]);
    const here = { ...own, organizationId: skylineId };
    await expectEvents(['User create_link purpose'], here, () =>
      post(admin, `/portal/organizations/${skylineId}/members`, '/reset'),
    );
  },
  '/portal/forgotten-password': () =>
    // Without a mail server there is nothing to ask for.
    expectEvents([], operator, async () => {
      const browser = new Browser(app.base);
      const csrf =
        /name="csrf" value="([^"]*)"/.exec((await browser.get('/portal/sign-in')).html)?.[1] ?? '';
      expect(
        (await browser.post('/portal/forgotten-password', { csrf, email: climberEmail })).status,
      ).toBe(200);
    }),
  '/portal/interactions/:uid/sign-in': async () => {
    const browser = new Browser(app.base);
    const page = await asked(browser);
    await expectEvents(['User sign_in method'], person(climberEmail), () =>
      signIn(browser, page, climberEmail),
    );
  },
  '/portal/interactions/:uid/allow': async () => {
    const browser = await enter(climberEmail);
    const page = await asked(browser);
    await expectEvents(['User grant scopes'], { ...person(climberEmail), appId: readerId }, () =>
      allow(browser, page),
    );
    // Asked again in this session, the person need not agree again; the sign-in is one of its own
    // all the same.
    await expectEvents(['User grant scopes'], { ...person(climberEmail), appId: readerId }, () =>
      asked(browser),
    );
  },
  '/portal/interactions/:uid/deny': async () => {
    const browser = await enter(climberEmail);
    const page = await asked(browser);
    await expectEvents([], own, () => browser.submit(page, '/deny'));
  },
  '/portal/interactions/:uid/switch': async () => {
    const browser = await enter(climberEmail);
    const page = await asked(browser);
    await expectEvents(['User end_session method'], person(climberEmail), () =>
      browser.submit(page, '/switch'),
    );
  },
  '/portal/account/password': async () => {
    const email = 'mateo.villanueva@skyline.example';
    const browser = await enter(email);
    const filled = { current: demoPassword, password: newPassword, repeated: newPassword };
    await expectEvents(['User change_password grants'], person(email), () =>
      post(browser, '/portal/account', '/account/password', filled),
    );
    const tooShort = { current: newPassword, password: 'short', repeated: 'short' };
    await expectEvents([], person(email), () =>
      post(browser, '/portal/account', '/account/password', tooShort),
    );
  },
  '/portal/account/passkeys/remove': async () => {
    await db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter) values ('c', $1, 'Phone', '', 0)`,
      [own.userId],
    );
    const [event] = await expectEvents(['User remove_passkey name'], own, () =>
      post(admin, '/portal/account', '/passkeys/remove'),
    );
    expect(event?.changes).toStrictEqual({ name: ['Phone', null] });
  },
  '/portal/account/sessions/end': async () => {
    await enter(adminEmail);
    await expectEvents(['User end_session method'], own, () =>
      post(admin, '/portal/account', '/sessions/end'),
    );
  },
  '/portal/account/sessions/end-others': async () => {
    await enter(adminEmail);
    const [event] = await expectEvents(['User end_other_sessions sessions'], own, () =>
      post(admin, '/portal/account', '/end-others'),
    );
    expect(event?.changes).toStrictEqual({ sessions: [1, 0] });
  },
  '/portal/account/grants/end': async () => {
    await reader.signIn(climberEmail);
    const browser = await enter(climberEmail);
    await expectEvents(['App revoke_grant grantedBy'], person(climberEmail), () =>
      post(browser, '/portal/account', '/grants/end'),
    );
  },
  // A cookie of the browser alone; the record of the person does not change.
  '/portal/language': () =>
    expectEvents([], own, () => post(admin, '/portal/account', '/language', { language: 'es' })),
  '/portal/apps': () =>
    expectEvents(
      ['App create apiScopes,name,redirectUris,tokenEndpointAuthMethod', 'App add_secret secret'],
      own,
      () => newApp(),
    ),
  '/portal/apps/:id/settings': changeApp('App update name', (page) =>
    post(admin, `${page}/settings`, '/settings', audited),
  ),
  '/portal/apps/:id/status': changeApp('App disable status', (page) =>
    post(admin, page, '/status', { status: 'disabled' }),
  ),
  '/portal/apps/:id/delete': changeApp('App delete clientId,name', (page) =>
    post(admin, page, '/delete', { sure: 'yes' }),
  ),
  '/portal/apps/:id/secrets': changeApp('App add_secret overlapHours,secret', (page) =>
    post(admin, page, '/secrets', { overlap: '24' }),
  ),
  '/portal/apps/:id/secrets/:secret/revoke': changeApp('App revoke_secret secret', (page) =>
    post(admin, page, '/revoke'),
  ),
  '/portal/apps/:id/try': changeApp('App update redirectUris', (page) =>
    post(admin, `${page}/try`, '/try'),
  ),
  '/portal/apps/:id/grants/:grant/revoke': async () => {
    await reader.signIn(climberEmail);
    await expectEvents(['App revoke_grant grantedBy'], own, () =>
      post(admin, `/portal/apps/${readerId}/sign-ins`, '/revoke'),
    );
  },
  '/portal/organizations/:id/approvals/:app': async () => {
    const page = `/portal/organizations/${skylineId}/approvals`;
    const here = { ...own, organizationId: skylineId };
    const [event] = await expectEvents(['App revoke_approval scopes'], here, () =>
      post(admin, page, readerId, { decision: 'revoke' }),
    );
    expect(event?.changes.scopes?.[1]).toEqual([]);
    const { scopes = [] } = event?.changes ?? {};
    const given = { decision: 'approve', scopes: (scopes[0] as string[]).join(' ') };
    await expectEvents(['App approve scopes'], here, () => post(admin, page, readerId, given));
  },
  '/portal/organizations/:id/members/:member/link': async () => {
    const here = { ...own, organizationId: skylineId };
    await expectEvents(['Invitation create_link sentBy'], here, () =>
      post(admin, `/portal/organizations/${skylineId}/members`, '/link'),
    );
  },
};

describe('a form of the portal', () => {
  for (const { path } of routes.filter(({ method }) => method === 'POST')) {
    const work = forms[path];
    if (work === 'by passkey') continue;
    test(path, async () => {
      await (work ?? fail(`test/security/audit/portal.test.ts has no ${path}: add it`))();
    });
  }
});
