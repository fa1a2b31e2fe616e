/** The pages for everybody, as HTTP has them: policy, caching, links. */
import { createHash } from 'node:crypto';
import { dashboardApp, enableOwnApp } from '../../src/auth/apps/own.js';
import { listGuides } from '../../src/reference/guides.js';
import { type Response, send, startApp } from '../support/app.js';
import { nobody } from '../support/changes.js';
import { ensure } from '../support/expect.js';
import { freePort } from '../support/server.js';
import { attributesOf, readPage } from './pages.js';

const port = String(await freePort());
const app = await startApp({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
await enableOwnApp(app.db, nobody, app.config, dashboardApp);
const get = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> =>
  send(app.base, method, path, { headers: { accept: 'text/html', ...headers } });

describe('every public page', () => {
  for (const path of ['/', '/docs', '/docs/sync', '/docs/sync.md']) {
    test(`${path} loads nothing from elsewhere, and nothing inline`, async () => {
      const { headers, text } = await get(path);
      expect(headers.get('content-security-policy') ?? '').toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
      for (const [, attributes = '', content] of text.matchAll(
        /<script([^>]*)>(.*?)<\/script>/gs,
      )) {
        expect(attributes).toMatch(/src="\/assets\/\w+\.js"/);
        expect(content).toBe('');
      }
      expect(text).not.toMatch(/<style|<[^>]+ style=|<[^>]+ on\w+=/);
    });

    test(`${path} is sent once, as long as it is the same`, async () => {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, again.text, again.headers.get('etag')]).toStrictEqual([304, '', etag]);
      expect((await get(path, { 'if-none-match': 'W/"other"' })).status).toBe(200);
      const plain = await get(path, { 'accept-encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.text).toBe(first.text);
      expect(`W/"${createHash('sha256').update(plain.text).digest('base64url')}"`).toBe(etag);
      expect((await get(path, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe(
        'gzip',
      );
    });

    test(`${path} answers HEAD and OPTIONS, and no other method`, async () => {
      const { status, text } = await get(path, {}, 'HEAD');
      expect([status, text]).toEqual([200, '']);
      const refused = await get(path, {}, 'POST');
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      const options = await get(path, {}, 'OPTIONS');
      expect([options.status, options.text, options.headers.get('allow')]).toEqual([
        204,
        '',
        'GET, HEAD, OPTIONS',
      ]);
    });
  }
});

test('the home page is JSON for programs that ask for it, and its links lead there', async () => {
  const { status, body, headers } = await get('/', { accept: 'application/json' });
  expect(status).toBe(200);
  expect(headers.get('vary') ?? '').toMatch(/Accept(,|$)/);
  expect(body.name).toBe('Lanyard');
  const links = Object.values<string>(body.links);
  expect(links.length).toBeGreaterThanOrEqual(6);
  await assertReachable(links.map((link) => new URL(link)));
});

test('from the home page one comes to every page, and no link on the way is dead, within a page neither', async () => {
  const isPage = ({ origin, pathname }: URL) =>
    origin === app.config.BASE_URL && /^\/(docs(\/[\w-]+)?)?$/.test(pathname);
  const read = new Set<string>();
  const found: URL[] = [];
  const unread = ['/'];
  for (let path = unread.pop(); path !== undefined; path = unread.pop()) {
    read.add(path);
    const page = await readPage(app, path);
    const targets = [...attributesOf(page, 'href'), ...attributesOf(page, 'src')].map(
      (link) => new URL(link, app.base + path),
    );
    ensure(targets.length > 20, path);
    found.push(...targets);
    unread.push(
      ...new Set(
        targets
          .filter(isPage)
          .map(({ pathname }) => pathname)
          .filter((each) => !read.has(each) && !unread.includes(each)),
      ),
    );
  }
  expect([...read].toSorted()).toStrictEqual(
    ['/', '/docs', ...listGuides().map(({ path }) => path)].toSorted(),
  );
  await assertReachable(found.filter(({ origin }) => origin === app.config.BASE_URL));
  for (const { origin, protocol } of found)
    ensure(origin === app.config.BASE_URL || protocol === 'https:', origin);
});

/** Each answers with success, and has the anchor. */
async function assertReachable(targets: readonly URL[]): Promise<void> {
  const anchors = Map.groupBy(
    targets,
    ({ origin, pathname, search }) => origin + pathname + search,
  );
  for (const [address, links] of anchors) {
    const response = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
    ensure(response.status < 400, `${response.status} ${address}`);
    const text = await response.text();
    for (const { hash } of links.filter((link) => link.hash))
      ensure(text.includes(`id="${hash.slice(1)}"`), `${address} has no ${hash}`);
  }
}
