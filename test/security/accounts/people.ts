/**
 * Admins, links on their screens, and strangers: what the tests about accounts do with the pages of
 * the portal.
 */
import { randomUUID } from 'node:crypto';
import { demoPassword } from '../../../src/demo/people.js';
import { Browser, type Visit } from '../../auth/oauth/browser.js';
import { startOAuthApp } from '../../auth/oauth/client.js';
import type { TestApp } from '../../support/app.js';
import { type Client, clientOf, dataOf } from '../../support/client.js';
import { fail } from '../../support/expect.js';
import * as demo from '../../support/names.js';

export let app: TestApp;
export let db: TestApp['db'];
export const password = 'seven steel bolts 42';

export const tenants = {
  skyline: { id: demo.skylineId, path: demo.skyline, admin: demo.adminEmail },
  harbor: { id: demo.harborId, path: demo.harbor, admin: 'admin@harbor.example' },
} as const;
export type Tenant = keyof typeof tenants;
/** The API as an admin of the organization has it. */
export let clients: Readonly<Record<Tenant, Client>>;

/** Starts the application for a test file. */
export async function startWithPeople(): Promise<void> {
  app = await startOAuthApp({ TRUST_PROXY: 'true' });
  db = app.db;
  clients = {
    skyline: clientOf(app, tenants.skyline.admin),
    harbor: clientOf(app, tenants.harbor.admin),
  };
}

/** An address that nobody has used yet. */
export const newEmail = (): string => `${randomUUID()}@victim.example`;

export const textOf = ({ html }: Visit): string =>
  html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

let addresses = 0;
/** A browser at an IP address of its own. */
export const stranger = (address = `192.0.2.${(++addresses % 250) + 1}`): Browser =>
  new Browser(app.base, { 'x-forwarded-for': address });

export async function signIn(
  name: string,
  given = demoPassword,
  browser = stranger(),
): Promise<{ browser: Browser; page: Visit }> {
  const page = await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email: name,
    password: given,
  });
  return { browser, page };
}

export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get('/portal')).url.pathname === '/portal';

/** What the organization's API answers to a create. */
export const add = async (tenant: Tenant, email: string, more: object = {}) =>
  dataOf(
    await clients[tenant].post(`${tenants[tenant].path}/organization-members`, { email, ...more }),
    201,
  );

export const memberOf = async (tenant: Tenant, email: string) =>
  dataOf(
    await clients[tenant].get(
      `${tenants[tenant].path}/organization-members?email=${encodeURIComponent(email)}`,
    ),
  )[0];

/** The invitation link that an admin of the organization takes from the screen. */
export async function linkOnScreen(tenant: Tenant, memberId: string): Promise<string> {
  const { admin, id } = tenants[tenant];
  const { browser } = await signIn(admin);
  const shown = await browser.submit(
    await browser.get(`/portal/organizations/${id}/members`),
    `/${memberId}/link`,
  );
  return /value="(http[^"]+)"/.exec(shown.html)?.[1] ?? fail(textOf(shown));
}

/** Opens a link in a new browser, and chooses a password there. */
export async function choosePassword(
  link: string,
  chosen = password,
): Promise<{ browser: Browser; page: Visit }> {
  const browser = stranger();
  const form = await browser.get(link);
  if (form.status !== 200) return { browser, page: form };
  return {
    browser,
    page: await browser.submit(form, form.url.pathname, { password: chosen, repeated: chosen }),
  };
}
