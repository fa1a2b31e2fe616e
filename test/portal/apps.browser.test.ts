/** The developer portal and the pages of admins, in a real browser. */
import type { Page } from 'playwright-core';
import { auditPageSize } from '../../src/auth/audit.js';
import { demoRedirectUri } from '../../src/demo/apps.js';
import { demoId } from '../../src/demo/ids.js';
import { demoPassword } from '../../src/demo/people.js';
import { Browser, formsOf } from '../auth/oauth/browser.js';
import { basic, postForm } from '../auth/oauth/client.js';
import { openPage, openPageOf, startBrowser, startPortal } from '../support/browser.js';
import { inspect } from '../support/inspect.js';

const app = await startPortal();
const browser = await startBrowser();
const skyline = demoId('organization', 'skyline-towers');
const approvals = `/portal/organizations/${skyline}/approvals`;

/** A browser of its own for the person, at the path. */
async function open(email: string, path: string): Promise<Page> {
  const page = await openPageOf(browser, app, email);
  await page.goto(app.origin + path);
  return page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

async function register(
  page: Page,
  name: string,
  type: string,
  scopes: readonly string[],
): Promise<void> {
  await page.goto(`${app.origin}/portal/apps/new`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel(type).check();
  await page.getByLabel('Redirect URIs').fill(demoRedirectUri);
  for (const scope of scopes) await page.getByLabel(scope).check();
  await press(page, 'Register');
}

/** Status and error code of a call. */
async function call(token: string, path: string): Promise<unknown[]> {
  const { status, body } = await app.rest('GET', path, { token });
  return [status, body.error?.code];
}

const organization = (token: string) => call(token, `/v1/organizations/${skyline}`);
const jobRoles = (token: string) => call(token, `/v1/organizations/${skyline}/job-roles`);
const ok = [200, undefined];

describe('an app from registration to widening', () => {
  let developer: Page;
  let admin: Page;
  let token: string;
  let home: string;

  it('is refused with what is wrong, keeping what was typed', async () => {
    developer = await open('climber@skyline.example', '/portal/apps');
    await inspect(developer, 'apps none');
    await follow(developer, 'Register an app');
    await inspect(developer, 'app new');
    await developer.getByLabel('Name', { exact: true }).fill('Crew Board');
    await developer.getByLabel('Public').check();
    await developer
      .getByLabel('Redirect URIs')
      .fill(`${demoRedirectUri}\nhttp://crew.example/callback`);
    await developer.getByLabel('organizations:read').check();
    await press(developer, 'Register');
    await says(developer, 'Line 2: A redirect URI must begin with https://');
    expect(await developer.getByLabel('Name', { exact: true }).inputValue()).toBe('Crew Board');
    expect(await developer.getByLabel('organizations:read').isChecked()).toBe(true);
    await inspect(developer, 'app refused');
  });

  it('is registered, and has no secret when it is public', async () => {
    await developer.getByLabel('Redirect URIs').fill(demoRedirectUri);
    await press(developer, 'Register');
    await says(developer, 'The app is registered.');
    home = developer.url().replace(/\?.*/, '');
    expect(await developer.getByLabel('Client secret').count()).toBe(0);
    await inspect(developer, 'app public');
  });

  it('is tried out in the portal: sign-in, consent, code, token, first calls', async () => {
    await follow(developer, 'Try it');
    await inspect(developer, 'app try first');
    await press(developer, 'Add it and continue');
    await inspect(developer, 'app try');
    await press(developer, 'Sign in through Crew Board');
    await press(developer, /^Allow/);
    await says(developer, '"grant_id"');
    expect(developer.url()).not.toMatch(/code=/);
    const text = async (id: string) => (await developer.locator(`#${id}`).textContent()) ?? '';
    await says(developer, '"approvalRequired": true');
    expect(await text('rest-answer')).toMatch(/"email": "climber@skyline.example"/);
    expect(await text('graphql-call')).toMatch(/^curl -s http:\/\/localhost:\d+\/graphql/);
    token = JSON.parse(await text('token-response')).access_token;
    await inspect(developer, 'app tried');
    expect(await organization(token)).toEqual([403, 'approval_required']);
  });

  it('is approved by an admin, and the same token works', async () => {
    admin = await open('admin@skyline.example', approvals);
    await says(admin, 'Jonah Tsosie first signed in through it');
    await inspect(admin, 'approvals');
    await press(admin, 'Approve Crew Board');
    await says(admin, 'Approved by Rosalind Achebe');
    expect(await organization(token)).toStrictEqual(ok);
  });

  it('warns before it is widened, naming who must approve again', async () => {
    await developer.goto(`${home}/settings`);
    await inspect(developer, 'app settings');
    await developer.getByLabel('job_roles:read').check();
    await press(developer, 'Save');
    await says(developer, 'Skyline Towers');
    await inspect(developer, 'app widening');
    expect(await jobRoles(token)).toEqual([403, 'insufficient_scope']);
    await press(developer, 'Save, and ask them');
    await says(developer, 'Saved.');
    expect(await developer.getByLabel('job_roles:read').isChecked()).toBe(true);
  });

  it('widened, answers approval_required for what is new, then 200 with the same token after approval', async () => {
    expect([await organization(token), await jobRoles(token)]).toStrictEqual([
      ok,
      [403, 'approval_required'],
    ]);
    await admin.reload();
    await says(admin, 'Asks for more');
    await inspect(admin, 'approvals widened');
    await press(admin, 'Approve what is new for Crew Board');
    await says(admin, 'Approved. The app can use it');
    expect([await organization(token), await jobRoles(token)]).toStrictEqual([ok, ok]);
  });

  it('loses access when the admin revokes', async () => {
    const card = admin.locator('section.card', { hasText: 'Crew Board' });
    await card.getByText('Revoke…').click();
    await inspect(admin, 'approvals revoke');
    await press(admin, 'Revoke Crew Board');
    await says(admin, 'Revoked by Rosalind Achebe');
    expect(await organization(token)).toEqual([403, 'approval_required']);
  });

  it('loses its token when its developer ends the sign-in', async () => {
    await developer.goto(home);
    await follow(developer, 'Sign-ins');
    await inspect(developer, 'app sign-ins');
    await developer.getByText('End…').click();
    await inspect(developer, 'app end sign-in');
    await press(developer, 'End the sign-in of Jonah Tsosie');
    await says(developer, 'The sign-in is ended');
    expect(await organization(token)).toEqual([401, 'unauthenticated']);
  });

  it('has an audit log of all that, and so has the organization', async () => {
    await follow(developer, 'Audit log');
    await says(developer, 'created the app');
    expect(await developer.locator('.log > li > p:first-child').allTextContents()).toEqual([
      'Jonah Tsosie ended a sign-in through the app',
      'Rosalind Achebe revoked the approval of the app for Skyline Towers',
      'Rosalind Achebe approved the app for Skyline Towers',
      'Jonah Tsosie changed the app',
      'Rosalind Achebe approved the app for Skyline Towers',
      'Jonah Tsosie changed the app',
      'Jonah Tsosie created the app',
    ]);
    await inspect(developer, 'app audit');
    await follow(admin, 'Audit log');
    await says(admin, 'Rosalind Achebe revoked the approval of Crew Board');
    await inspect(admin, 'organization audit');
  });
});

describe('a confidential app', () => {
  let page: Page;
  let clientId: string;
  const shown = (label: string) => page.getByLabel(label).inputValue();
  /**
   * What the token endpoint says of a secret: `invalid_grant` once it knows the app, as the code is
   * none.
   */
  const verdict = async (secret: string) => {
    const fields = {
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: demoRedirectUri,
      code_verifier: 'v'.repeat(43),
    };
    return (
      await postForm(`${app.origin}/auth/v1/oauth/token`, fields, {
        authorization: basic(clientId, secret),
      })
    ).body.error;
  };

  it('shows its secret once', async () => {
    page = await open('manager@skyline.example', '/portal/apps');
    await register(page, 'Night Sync', 'Confidential, HTTP Basic', ['certification_records:read']);
    await says(page, 'Copy it now');
    clientId = await shown('Client id');
    const secret = await shown('Client secret');
    expect(await verdict(secret)).toBe('invalid_grant');
    expect(await verdict(`${secret}x`)).toBe('invalid_client');
    await inspect(page, 'app secret');
    await follow(page, 'Apps');
    await inspect(page, 'apps');
    await follow(page, 'Night Sync');
    await says(page, /last used ./);
    expect(await page.content()).not.toContain(secret);
  });

  it('rotates it with overlap, and revokes the old one', async () => {
    await page.getByLabel('Create a new secret').selectOption('work for a day more');
    await press(page, 'New secret');
    const next = await shown('Client secret');
    const old = page.locator('.rows li', { hasText: 'being replaced' });
    expect(await verdict(next)).toBe('invalid_grant');
    await inspect(page, 'app rotated');
    await old.getByText('Revoke…').click();
    await inspect(page, 'app revoke secret');
    await old.getByRole('button', { name: 'Revoke the secret' }).click();
    await says(page, 'The secret is revoked');
    expect(await verdict(next)).toBe('invalid_grant');
  });

  it('is tried out with its secret', async () => {
    await page.getByLabel('Create a new secret').selectOption('end at once');
    await press(page, 'New secret');
    await says(page, 'End the old secrets at once?');
    await inspect(page, 'app end secrets');
    await press(page, 'Create a secret, and end the old ones');
    const secret = await shown('Client secret');
    await page
      .getByRole('navigation', { name: 'App' })
      .getByRole('link', { name: 'Try it' })
      .click();
    await press(page, 'Add it and continue');
    await press(page, 'Sign in through Night Sync');
    await press(page, /^Allow/);
    await inspect(page, 'app try secret');
    await page.getByLabel('Client secret').fill(secret);
    await press(page, 'Exchange');
    await says(page, '"grant_id"');
  });

  it('is disabled, enabled and deleted', async () => {
    const token = await app.token('both@skyline.example', clientId);
    await follow(page, 'Overview');
    await page.getByText('Disable…').click();
    await inspect(page, 'app disable');
    await press(page, 'Disable Night Sync');
    await says(page, 'The app is disabled: its tokens');
    expect(await call(token, '/v1/me')).toEqual([401, 'unauthenticated']);
    await inspect(page, 'app disabled');
    await press(page, 'Enable');
    await says(page, 'The app is enabled again.');
    expect(await call(token, '/v1/me')).toStrictEqual(ok);
    await page.getByText('Delete…').click();
    await inspect(page, 'app delete');
    await press(page, 'Delete Night Sync for good');
    await says(page, 'The app is deleted');
    expect(await call(token, '/v1/me')).toEqual([401, 'unauthenticated']);
  });
});

describe('pages for admins', () => {
  it('are refused to managers, plain members, and admins of another organization', async () => {
    for (const email of [
      'manager@skyline.example',
      'climber@skyline.example',
      'admin@harbor.example',
    ]) {
      const page = await open(email, '/portal');
      expect(await page.locator(`a[href^="/portal/organizations/${skyline}"]`).count()).toBe(0);
      for (const name of ['approvals', 'members', 'audit']) {
        const answer = await page.goto(`${app.origin}/portal/organizations/${skyline}/${name}`);
        expect([`${email} ${name}`, answer?.status()]).toStrictEqual([expect.any(String), 403]);
      }
    }
  });

  it('take no decision from an admin of another organization', async () => {
    const visitor = new Browser(app.origin);
    const home = await visitor.submit(await visitor.get('/portal/sign-in'), '/sign-in', {
      email: 'admin@harbor.example',
      password: demoPassword,
    });
    const [{ fields } = { fields: {} }] = formsOf(home.html);
    const decide = (organization: string) =>
      visitor.post(
        `/portal/organizations/${demoId('organization', organization)}/approvals/${demoId('app', 'demo-reader')}`,
        {
          ...fields,
          decision: 'approve',
          scopes: 'organizations:read',
        },
      );
    expect((await decide('skyline-towers')).status).toBe(403);
    expect((await decide('harbor-fiber')).status).toBe(200);
  });

  it('say how members are added where nobody is invited', async () => {
    const harbor = demoId('organization', 'harbor-fiber');
    await app.db.query(
      `update organization_members set status = 'suspended' where organization_id = $1 and status = 'invited'`,
      [harbor],
    );
    const page = await open('admin@harbor.example', `/portal/organizations/${harbor}/members`);
    await says(page, 'add members by import or through the API');
    await inspect(page, 'members nobody invited');
    await follow(page, 'the guide');
    await page.waitForURL('**/docs/authentication#accounts-and-invitations');
    expect(await page.locator('#accounts-and-invitations').count()).toBe(1);
    await says(page, 'Members are added');
  });

  it('give a link to a member who was invited', async () => {
    const page = await open('admin@skyline.example', `/portal/organizations/${skyline}/members`);
    await inspect(page, 'members');
    await press(page, 'Make a link for Isaiah Pruitt');
    const link = await page.getByRole('textbox', { name: 'Link for' }).inputValue();
    await inspect(page, 'members link');
    const invited = await openPage(browser);
    await invited.goto(link);
    await says(invited, 'isaiah.pruitt@skyline.example');
  });

  it('tell in the audit log who changed what through which app, page by page', async () => {
    const token = await app.token('manager@skyline.example');
    const types = `/v1/organizations/${skyline}/certification-types`;
    for (let number = 1; number <= auditPageSize; number++)
      await app.rest('POST', types, { token, body: { title: `Type ${number}` } });
    await app.rest('POST', types, { token, body: { title: 'Gin Pole Rigging' } });
    const page = await open('admin@skyline.example', `/portal/organizations/${skyline}/audit`);
    await says(page, 'created certification type');
    const [newest, meta] = await page.locator('.log > li').first().locator('p').allTextContents();
    expect(newest).toBe(
      'Marcus Delgado created certification type “Gin Pole Rigging” through Demo Dashboard',
    );
    expect(meta ?? '').toMatch(/\d.* · request [\w-]{36}$/);
    await page.getByText('details').first().click();
    await says(page, 'gin-pole-rigging');
    await inspect(page, 'organization audit full');
    await follow(page, 'Older');
    await page.waitForURL(/before=/);
    await says(page, 'certification type “Type 1”');
    expect(await page.getByText('Gin Pole Rigging').count()).toBe(0);
  });

  it('answer 404 for what is no organization, app or member', async () => {
    const page = await open('admin@skyline.example', '/portal');
    for (const path of [
      '/portal/organizations/x/approvals',
      '/portal/apps/x',
      `/portal/apps/${skyline}`,
      `/portal/apps/${skyline}/settings`,
    ]) {
      expect([path, (await page.goto(app.origin + path))?.status()]).toStrictEqual([path, 404]);
    }
  });
});
