/** People and apps at the portal and the authorization server, and what the audit must tell of what they do there. */
import assert from 'node:assert/strict';
import { demoId } from '../../../src/database/demo/ids.js';
import { demoPassword } from '../../../src/database/demo/people.js';
import { Browser } from '../../auth/oauth/browser.js';
import { startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';
import { userId } from '../../support/names.js';
import { eventsOf, type StoredEvent } from './rows.js';

export const app = await startOAuthApp();
export const { db } = app;
export const readerId = demoId('app', 'demo-reader');
export const reader = ThirdParty.reader(app.base);
export const newPassword = 'seven steel bolts 42';

/** `Subject action`, with the properties that the event tells of. */
const told = ({ subjectType, action, changes }: StoredEvent) => `${subjectType} ${action} ${Object.keys(changes).sort()}`.trim();

/** Who did it: nobody, where both are null, is the operator. */
export interface By {
  readonly userId: string | null;
  readonly appId?: string | null;
  readonly organizationId?: string | null;
}

/** Does the work, and expects these events and no others, each with who did it, where it holds, and the request unless it was an operator. */
export async function expectEvents(expected: readonly string[], by: By, work: () => Promise<unknown>): Promise<StoredEvent[]> {
  const events = await eventsOf(db, work);
  assert.deepEqual(events.map(told).sort(), [...expected].sort());
  for (const event of events) {
    assert.deepEqual([event.userId, event.appId], [by.userId, by.appId ?? null], told(event));
    if (by.organizationId !== undefined) assert.equal(event.organizationId, by.organizationId);
    assert.equal(event.requestId !== null, by !== operator, told(event));
    for (const value of [demoPassword, newPassword]) assert.ok(!JSON.stringify(event.changes).includes(value));
  }
  return events;
}

export const operator: By = { userId: null };
export const person = (email: string): By => ({ userId: userId(email) });

export const enter = async (email: string, password = demoPassword): Promise<Browser> => {
  const browser = new Browser(app.base);
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', { email, password });
  return browser;
};
