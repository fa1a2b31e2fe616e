/** The pages for everybody, as HTTP has them: policy, caching, links. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { enableDashboard } from '../../src/auth/apps/dashboard.js';
import { listGuides } from '../../src/reference/guides.js';
import { type Response, send, startApp } from '../support/app.js';
import { nobody } from '../support/changes.js';
import { freePort } from '../support/server.js';
import { attributesOf, readPage } from './pages.js';

const port = String(await freePort());
const app = await startApp({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
await enableDashboard(app.db, nobody, app.config);
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  send(app.base, method, path, { headers: { accept: 'text/html', ...headers } });

describe('every public page', () => {
  for (const path of ['/', '/docs', '/docs/sync', '/docs/sync.md']) {
    test(`${path} loads nothing from elsewhere, and nothing inline`, async () => {
      const { headers, text } = await get(path);
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'; style-src 'self';/);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      for (const [, attributes = '', content] of text.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)) {
        assert.match(attributes, /src="\/assets\/\w+\.js"/);
        assert.equal(content, '');
      }
      assert.doesNotMatch(text, /<style|<[^>]+ style=|<[^>]+ on\w+=/);
    });

    test(`${path} is sent once, as long as it is the same`, async () => {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^W\/"[\w-]{43}"$/);
      const again = await get(path, { 'if-none-match': etag });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
      assert.equal((await get(path, { 'if-none-match': 'W/"other"' })).status, 200);
      const plain = await get(path, { 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(plain.text, first.text);
      assert.equal(`W/"${createHash('sha256').update(plain.text).digest('base64url')}"`, etag);
      assert.equal((await get(path, { 'accept-encoding': 'gzip' })).headers.get('content-encoding'), 'gzip');
    });

    test(`${path} answers HEAD, and no other method`, async () => {
      const { status, text } = await get(path, {}, 'HEAD');
      assert.deepEqual([status, text], [200, '']);
      const refused = await get(path, {}, 'POST');
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD']);
    });
  }
});

test('the home page is JSON for programs that ask for it, and its links lead there', async () => {
  const { status, body, headers } = await get('/', { accept: 'application/json' });
  assert.equal(status, 200);
  assert.match(headers.get('vary') ?? '', /Accept(,|$)/);
  assert.equal(body.name, 'Lanyard');
  const links = Object.values<string>(body.links);
  assert.ok(links.length >= 6);
  await assertReachable(links.map((link) => new URL(link)));
});

test('from the home page one comes to every page, and no link on the way is dead, within a page neither', async () => {
  const isPage = ({ origin, pathname }: URL) => origin === app.config.BASE_URL && /^\/(docs(\/[\w-]+)?)?$/.test(pathname);
  const read = new Set<string>();
  const found: URL[] = [];
  const unread = ['/'];
  for (let path = unread.pop(); path !== undefined; path = unread.pop()) {
    read.add(path);
    const page = await readPage(app, path);
    const targets = [...attributesOf(page, 'href'), ...attributesOf(page, 'src')].map((link) => new URL(link, app.base + path));
    assert.ok(targets.length > 20, path);
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
  assert.deepEqual([...read].toSorted(), ['/', '/docs', ...listGuides().map(({ path }) => path)].toSorted());
  await assertReachable(found.filter(({ origin }) => origin === app.config.BASE_URL));
  for (const { origin, protocol } of found) assert.ok(origin === app.config.BASE_URL || protocol === 'https:', origin);
});

/** Each answers with success, and has the anchor. */
async function assertReachable(targets: readonly URL[]): Promise<void> {
  const anchors = Map.groupBy(targets, ({ origin, pathname, search }) => origin + pathname + search);
  for (const [address, links] of anchors) {
    const response = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
    assert.ok(response.status < 400, `${response.status} ${address}`);
    const text = await response.text();
    for (const { hash } of links.filter((link) => link.hash))
      assert.ok(text.includes(`id="${hash.slice(1)}"`), `${address} has no ${hash}`);
  }
}
