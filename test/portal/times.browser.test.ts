/** Moments are shown in the reader's zone and language, days of the calendar as they are. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openPageOf, startBrowser, startPortal } from '../support/browser.js';
import {
  adminEmail,
  climberEmail,
  managerEmail,
  recordId,
  skyline,
  skylineId,
} from '../support/names.js';

const app = await startPortal();
const browser = await startBrowser();
const account = '/portal/account';

async function open(email: string, path: string, options: BrowserContextOptions): Promise<Page> {
  const page = await openPageOf(browser, app, email, { locale: 'en-GB', ...options });
  await page.goto(app.origin + path);
  return page;
}

/**
 * The times of the one sign-in through an app that the account page shows: since when, and the last
 * day.
 */
const timesOf = (page: Page): Locator =>
  page.locator('section', { hasText: 'Apps with access to your account' }).locator('time');

/** Gives the climber one sign-in through an app, which began and ends at the moments. */
async function grant(createdAt: string, expiresAt: string): Promise<void> {
  await app.token(climberEmail, 'demo-reader');
  await app.db.query('update grants set created_at = $1, expires_at = $2', [createdAt, expiresAt]);
}

describe('a moment', () => {
  it('is shown in the zone of the reader, on either side of midnight', async () => {
    const readers = [
      // Fourteen hours ahead.
      [
        'Pacific/Kiritimati',
        '2026-11-20T09:59:59Z',
        '20 Nov 2026, 23:59',
        '2098-11-20T10:00:00Z',
        '21 Nov 2098',
      ],
      [
        'Pacific/Kiritimati',
        '2026-11-20T10:00:00Z',
        '21 Nov 2026, 00:00',
        '2098-11-20T09:59:59Z',
        '20 Nov 2098',
      ],
      // Three and a half hours behind.
      [
        'America/St_Johns',
        '2026-11-20T03:29:59Z',
        '19 Nov 2026, 23:59',
        '2098-11-20T03:30:00Z',
        '20 Nov 2098',
      ],
      [
        'America/St_Johns',
        '2026-11-20T03:30:00Z',
        '20 Nov 2026, 00:00',
        '2098-11-20T03:29:59Z',
        '19 Nov 2098',
      ],
    ] as const;
    for (const [timezoneId, since, expectedSince, until, expectedUntil] of readers) {
      await grant(since, until);
      const page = await open(climberEmail, account, { timezoneId });
      expect([timezoneId, await timesOf(page).allTextContents()]).toStrictEqual([
        timezoneId,
        [expectedSince, expectedUntil],
      ]);
      expect(
        await timesOf(page)
          .first()
          .getAttribute('datetime')
          .then((at) => Date.parse(at ?? '')),
      ).toBe(Date.parse(since));
      await page.context().close();
    }
  });

  it('is right when the clocks change, and its title tells the hour from the same hour again', async () => {
    const titles = [];
    for (const [since, expected] of [
      ['2026-03-08T05:29:59Z', '8 Mar 2026, 01:59'],
      ['2026-03-08T05:30:00Z', '8 Mar 2026, 03:00'],
      ['2026-11-01T03:45:00Z', '1 Nov 2026, 01:15'],
      ['2026-11-01T04:45:00Z', '1 Nov 2026, 01:15'],
    ] as const) {
      await grant(since, '2098-11-20T12:00:00Z');
      const page = await open(climberEmail, account, { timezoneId: 'America/St_Johns' });
      expect(await timesOf(page).first().textContent()).toBe(expected);
      titles.push(await timesOf(page).first().getAttribute('title'));
      await page.context().close();
    }
    expect(titles[2] ?? '').toMatch(/1 November 2026 at 01:15:00 GMT-2:30/);
    expect(titles[3] ?? '').toMatch(/1 November 2026 at 01:15:00 GMT-3:30/);
  });

  it("is written as the reader's language has it, and marked as of that language", async () => {
    await grant('2026-11-20T10:30:00Z', '2098-11-20T12:00:00Z');
    for (const [locale, expected] of [
      ['de-DE', '20.11.2026, 11:30'],
      ['en-US', 'Nov 20, 2026, 11:30 AM'],
    ] as const) {
      const page = await open(climberEmail, account, { locale, timezoneId: 'Europe/Berlin' });
      expect((await timesOf(page).first().textContent())?.replaceAll('\u202f', ' ')).toBe(expected);
      expect(await timesOf(page).first().getAttribute('lang')).toBe(locale);
      await page.context().close();
    }
  });

  it('is in UTC, and says so, without scripts', async () => {
    await grant('2026-11-20T10:30:00Z', '2098-11-20T23:59:00Z');
    const page = await open(climberEmail, account, {
      javaScriptEnabled: false,
      timezoneId: 'Pacific/Kiritimati',
    });
    expect(await timesOf(page).allTextContents()).toEqual([
      '20 Nov 2026, 10:30 UTC',
      '20 Nov 2098 UTC',
    ]);
    await page.context().close();
  });
});

describe('a day of the calendar', () => {
  it('in the audit log is the same in every zone', async () => {
    const token = await app.token(managerEmail);
    const record = `${skyline}/certifications/${recordId(climberEmail, 'bloodborne-pathogens')}`;
    const { status, text } = await app.rest('PATCH', record, {
      token,
      body: { expires_on: '2031-03-01' },
    });
    expect([text, status]).toStrictEqual([text, 200]);
    for (const timezoneId of ['Pacific/Kiritimati', 'America/St_Johns', 'Pacific/Pago_Pago']) {
      const page = await open(adminEmail, `/portal/organizations/${skylineId}/audit`, {
        timezoneId,
      });
      expect([timezoneId, await page.locator('.log ins time').first().textContent()]).toStrictEqual(
        [timezoneId, '1 Mar 2031'],
      );
      await page.context().close();
    }
  });
});

describe('every page with a time', () => {
  it('shows none in UTC to a reader elsewhere', async () => {
    const page = await open(adminEmail, '/portal', { timezoneId: 'Asia/Kathmandu' });
    for (const path of [
      account,
      ...['approvals', 'members', 'audit'].map(
        (name) => `/portal/organizations/${skylineId}/${name}`,
      ),
    ]) {
      await page.goto(app.origin + path);
      expect([path, (await page.locator('main').innerText()) ?? '']).toStrictEqual([
        path,
        expect.not.stringMatching(/\bUTC\b|\d{4}-\d\d-\d\dT/),
      ]);
    }
    await page.context().close();
  });
});
