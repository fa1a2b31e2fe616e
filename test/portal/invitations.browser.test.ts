/** Every page that a person sees of an invitation, in the states that it gets into. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createInvitation, type Sender } from '../../src/auth/accounts/invitations.js';
import { recordChanges } from '../../src/database/record-changes.js';
import { invited, OrganizationMember } from '../../src/entities/member.js';
import { openPage, openPageOf, startBrowser, startPortal } from '../support/browser.js';
import { nobody } from '../support/changes.js';
import { inspect } from '../support/inspect.js';
import {
  adminEmail,
  bothEmail,
  climberEmail,
  harborId,
  memberId,
  skylineId,
  userId,
} from '../support/names.js';

const app = await startPortal();
const browser = await startBrowser();
const password = 'seven steel bolts 42';
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** A link for somebody who is new to harbor-fiber. */
async function invite(email: string, sentBy: Sender = 'admin'): Promise<string> {
  const key = { organizationId: harborId, id: randomUUID() };
  const set = {
    ...invited(key.id),
    email,
    displayName: 'Ana Silva',
    firstName: 'Ana',
    lastName: 'Silva',
    role: 'rigger',
    isPrimary: false,
    externalId: '',
  };
  await app.db.transaction((tx) =>
    recordChanges(tx, nobody, [{ organizationId: harborId, entity: OrganizationMember, key, set }]),
  );
  return (
    await createInvitation(
      app.db,
      app.config,
      nobody,
      { organizationId: harborId, memberId: key.id },
      sentBy,
    )
  ).url;
}

async function choose(page: Page): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('The new password again').fill(password);
}

describe('an invitation', () => {
  it('of somebody new makes an account, and tells its name', async () => {
    const page = await openPage(browser);
    await page.goto(await invite('ana@new.example'));
    await page.getByText('Harbor Fiber invited you as rigger').waitFor();
    await inspect(page, 'invitation new');
    await press(page, 'Make an account and join');
    await choose(page);
    await press(page, 'Make an account and join');
    await page.getByText('On other devices you sign in as harbor-fiber/ana@new.example').waitFor();
    await inspect(page, 'home welcome');
  });

  it('of somebody with an account leads to the sign-in, and back', async () => {
    const page = await openPage(browser);
    await page.goto(await invite('sam.tran@skyline.example', 'mail'));
    await page.getByText('You have an account for sam.tran@skyline.example already').waitFor();
    await inspect(page, 'invitation known');
  });

  it('of somebody who is signed in asks once, and says for whom it was', async () => {
    const link = await invite('ana@other.example');
    const page = await openPageOf(browser, app, climberEmail);
    await page.goto(link);
    await page.getByText('The invitation is for ana@other.example').waitFor();
    await inspect(page, 'invitation of another');
    await press(page, 'Join Harbor Fiber');
    await page.getByText('You joined the organization').waitFor();
    await page.goto(await invite('ana@third.example'));
    await page.getByText('You are a member of Harbor Fiber already').waitFor();
    await inspect(page, 'invitation of a member');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This invitation has ended' }).waitFor();
    await inspect(page, 'invitation ended');
  });

  it('ends the management of an account, with a new password and a look at each passkey', async () => {
    const email = 'dale.hutchins@skyline.example';
    await app.db.query('update users set email_proven_at = null, managed_by = $2 where id = $1', [
      userId(email),
      skylineId,
    ]);
    await app.db.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter) values ('dale', $1, 'Old phone', 'key', 0)`,
      [userId(email)],
    );
    const page = await openPageOf(browser, app, email);
    await page.goto(await invite(email));
    await inspect(page, 'invitation managed');
    await choose(page);
    await press(page, 'Join Harbor Fiber');
    await page.getByRole('heading', { name: 'Confirm your passkeys' }).waitFor();
    await inspect(page, 'passkeys to confirm');
    await page.goto(`${app.origin}/portal/account`);
    await page.getByText('A passkey waits until you confirm it').waitFor();
    await inspect(page, 'account with a passkey to confirm');
    await press(page, 'Confirm Old phone');
    await page.getByText('Every passkey is confirmed').waitFor();
  });
});

describe('the portal', () => {
  it('lists invitations to a proven address, to accept or decline', async () => {
    await invite('luca.ferrante@skyline.example');
    const page = await openPageOf(browser, app, 'luca.ferrante@skyline.example');
    await page.goto(`${app.origin}/portal`);
    await inspect(page, 'home with an invitation');
    await press(page, 'Decline the invitation of Harbor Fiber');
    await page.getByText('You declined the invitation').waitFor();
  });

  it('lets the person choose the main organization', async () => {
    const page = await openPageOf(browser, app, bothEmail);
    await page.goto(`${app.origin}/portal`);
    await inspect(page, 'home of two organizations');
    await press(page, 'Make it my main organization');
    await page.getByText('Your main organization is changed').waitFor();
  });

  it('shows an admin who is invited, and whose account the organization manages', async () => {
    const email = 'arjun.mehta@skyline.example';
    await app.db.query('update users set email_proven_at = null, managed_by = $2 where id = $1', [
      userId(email),
      skylineId,
    ]);
    const page = await openPageOf(browser, app, adminEmail);
    await page.goto(`${app.origin}/portal/organizations/${skylineId}/members`);
    await press(page, 'Make a reset link for Arjun Mehta');
    await page.getByRole('textbox', { name: 'Link for Arjun Mehta' }).waitFor();
    await inspect(page, 'members with a reset link');
    await app.db.query('delete from invitations where member_id = $1', [
      memberId('isaiah.pruitt@skyline.example'),
    ]);
  });

  it('says what to do about a forgotten password where no mail is sent', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal/forgotten-password`);
    await page.getByText('This server sends no e-mail').waitFor();
    await inspect(page, 'forgotten without mail');
  });
});
