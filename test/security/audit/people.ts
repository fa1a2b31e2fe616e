/**
 * People and apps at the portal and the authorization server, and what the audit must tell of what
 * they do there.
 */
import { demoId } from '../../../src/demo/ids.js';
import { demoPassword } from '../../../src/demo/people.js';
import { Browser } from '../../auth/oauth/browser.js';
import { startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';
import type { TestApp } from '../../support/app.js';
import { userId } from '../../support/names.js';
import { eventsOf, type StoredEvent } from './rows.js';

export let app: TestApp;
export let db: TestApp['db'];
export let reader: ThirdParty;
export const readerId = demoId('app', 'demo-reader');
export const newPassword = 'seven steel bolts 42';

/** Starts the application for a test file. */
export async function startAudited(): Promise<void> {
  app = await startOAuthApp();
  db = app.db;
  reader = ThirdParty.reader(app.base);
}

/** `Subject action`, with the properties that the event tells of. */
const told = ({ subjectType, action, changes }: StoredEvent) =>
  `${subjectType} ${action} ${Object.keys(changes).sort()}`.trim();

/** Who did it: nobody, where both are null, is the operator. */
export interface By {
  readonly userId: string | null;
  readonly appId?: string | null;
  readonly organizationId?: string | null;
}

/**
 * Does the work, and expects these events and no others, each with who did it, where it holds, and
 * the request unless it was an operator.
 */
export async function expectEvents(
  expected: readonly string[],
  by: By,
  work: () => Promise<unknown>,
): Promise<StoredEvent[]> {
  const events = await eventsOf(db, work);
  expect(events.map(told).sort()).toStrictEqual([...expected].sort());
  for (const event of events) {
    expect([told(event), [event.userId, event.appId]]).toStrictEqual([
      expect.any(String),
      [by.userId, by.appId ?? null],
    ]);
    if (by.organizationId !== undefined) expect(event.organizationId).toBe(by.organizationId);
    expect([told(event), event.requestId !== null]).toStrictEqual([
      expect.any(String),
      by !== operator,
    ]);
    for (const value of [demoPassword, newPassword])
      expect(JSON.stringify(event.changes)).not.toContain(value);
  }
  return events;
}

export const operator: By = { userId: null };
export const person = (email: string): By => ({ userId: userId(email) });

export const enter = async (email: string, password = demoPassword): Promise<Browser> => {
  const browser = new Browser(app.base);
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email,
    password,
  });
  return browser;
};
