/** Search over the guides and the reference. */
import { startApp } from '../support/app.js';
import { attributesOf, textOf } from './pages.js';

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '30' });
const search = async (query: string) => {
  const response = await fetch(`${app.base}/docs/search?${new URLSearchParams({ q: query })}`, {
    headers: { accept: 'text/html' },
  });
  return { status: response.status, headers: response.headers, page: await response.text() };
};
const resultsOf = (page: string): string[] =>
  attributesOf(/<ol class="results">(.*?)<\/ol>/s.exec(page)?.[1] ?? '', 'href');

test('finds sections of guides and operations, by several words, their beginnings and with typos', async () => {
  for (const [query, expected] of [
    ['idempotency key', '/docs/idempotency'],
    ['update certification', '/docs#UpdateCertification'],
    ['GetMyResult', '/docs#GetMyResult'],
    ['point-in-time recov', '/docs/deployment#backups'],
    ['qualifcation results', '/docs#ListResults'],
    ['precondition_failed', '/docs/errors#precondition_failed'],
  ] as const) {
    const { status, page } = await search(query);
    expect([query, status]).toStrictEqual([query, 200]);
    expect([query, resultsOf(page)]).toStrictEqual([query, expect.arrayContaining([expected])]);
    expect(page).toContain('<mark>');
  }
});

test('says that it found nothing, and asks when there are no words', async () => {
  expect(textOf((await search('zyzzyva')).page)).toContain('No results for “zyzzyva”');
  expect(textOf((await search(' ')).page)).toContain('Type words of the guides or the reference.');
});

test('says how many results there are, also when it shows only the best of them', async () => {
  const { page } = await search('organization');
  const [, shown, all] = /The best (\d+) of (\d+) results for/.exec(textOf(page)) ?? [];
  expect(resultsOf(page)).toHaveLength(Number(shown));
  expect(Number(all)).toBeGreaterThan(Number(shown));
  expect(textOf((await search('zyzzyva')).page)).not.toContain('The best');
});

test('shows what was searched for as text, on a page that loads nothing from elsewhere', async () => {
  const attack = '"><script>alert(1)</script> $^(a+)+';
  const { page, headers } = await search(attack);
  expect(page).not.toContain('<script>');
  expect(textOf(page)).toContain('alert(1)');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('leaves out words of one letter, with which most others begin, and all after the eighth', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  expect(resultsOf((await search(letters.join(' '))).page)).toEqual([]);
  const words = letters.slice(0, 8).map((letter) => `zyzzyva${letter}`);
  expect(resultsOf((await search([...words, 'token'].join(' '))).page)).toEqual([]);
  expect(resultsOf((await search([...words.slice(1), 'token'].join(' '))).page)).not.toEqual([]);
});

test('reads no more than a hundred characters', async () => {
  const { status, page } = await search('organization '.repeat(400));
  expect(status).toBe(200);
  expect(page).not.toContain('organization '.repeat(9));
});

test('is limited by address', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++) statuses.push((await search('cursor')).status);
  expect(statuses.at(-1)).toBe(429);
});
