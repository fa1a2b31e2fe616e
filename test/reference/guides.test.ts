/** The guides as pages: what the Markdown says, and nothing that runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer } from 'marked';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { filePath, files, listGuides, readGuide } from '../../src/reference/guides.js';
import { Markdown } from '../../src/reference/markdown.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { blocksOf } from '../support/markdown.js';
import { attributesOf, readPage, textOf } from './pages.js';

const app = await startApp({ BASE_URL: 'http://lanyard.example' });
const guides = listGuides();

const html = (markdown: string): string =>
  render(h(Markdown, { tokens: lexer(markdown), hrefOf: (href) => href }));

describe('every guide', () => {
  for (const { name, file, path, title } of guides) {
    test(`${path} has all of ${file}, for this server`, async () => {
      const page = await readPage(app, path);
      expect(page).toContain(`<title>${title} · Lanyard</title>`);
      const written = blocksOf(
        readGuide(name)
          .replaceAll('http://localhost:4000', 'http://lanyard.example')
          // The command must know the address too, which is the issuer of the token.
          .replaceAll(
            'npm run --silent token',
            'BASE_URL=http://lanyard.example npm run --silent token',
          ),
      );
      const shown = [...page.matchAll(/<pre [^>]*>(.*?)<\/pre>/gs)].map(
        ([, program = '']) => `${textOf(program)}\n`,
      );
      expect(shown).toStrictEqual(written.map(({ text }) => text));
      for (const [, heading = ''] of readGuide(name).matchAll(/^#{2,3} ([\w ,]+)$/gm))
        ensure(textOf(page).includes(heading), heading);
      const prose = page.replace(/<pre .*?<\/pre>/gs, '');
      expect(/undefined|\[object|127\.0\.0\.1:4000/.exec(prose)).toBeNull();
      const ids = attributesOf(page, 'id');
      expect(new Set(ids).size).toBe(ids.length);
    });

    test(`${path}.md is the file`, async () => {
      const response = await fetch(`${app.base}${path}.md`);
      expect(response.headers.get('content-type') ?? '').toMatch(/^text\/plain/);
      expect(await response.text()).toBe(readGuide(name));
    });
  }
});

test('each picture of the guides is served', async () => {
  const sources = new Set<string>();
  for (const { path } of guides)
    for (const src of attributesOf(await readPage(app, path), 'src'))
      if (src.startsWith('/docs/')) sources.add(src);
  expect([...sources]).toEqual(['/docs/images/concepts.svg']);
  for (const source of sources) {
    const response = await fetch(app.base + source);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await response.text()).toBe(readFileSync(join(packageRoot, source.slice(1)), 'utf8'));
  }
});

test('links between guides lead to pages, wherever their files are', async () => {
  const page = await readPage(app, '/docs/client');
  expect(attributesOf(page, 'href')).toContain('/docs/sync');
  expect(attributesOf(await readPage(app, '/docs/api'), 'href')).toContain('/docs/changelog');
  for (const { path } of guides)
    for (const href of attributesOf(await readPage(app, path), 'href'))
      if (href !== `${path}.md`)
        expect([path, href]).not.toContainEqual(expect.stringMatching(/^(?!http).*\.md/));
});

test('every link of a guide leads to something that this server has', async () => {
  const missing: string[] = [];
  for (const { path } of guides) {
    const page = await readPage(app, path);
    const article = page.slice(page.indexOf('<article'), page.indexOf('<nav class="onward"'));
    // The server shows a link that it has no address for as text.
    for (const [, text] of article
      .replace(/<pre .*?<\/pre>/gs, '')
      .matchAll(/<span>(.*?)<\/span>/g))
      missing.push(`${path}: ${text}`);
    for (const href of new Set(attributesOf(article, 'href')))
      if (href.startsWith('/') && !/^\/(?:graphql|portal|dashboard)/.test(href))
        if ((await fetch(app.base + href)).status !== 200) missing.push(`${path}: ${href}`);
  }
  expect(missing).toEqual([]);
});

test('each file that a guide links to is served as text', async () => {
  for (const file of files) {
    const response = await fetch(app.base + filePath(file));
    expect([file, response.status]).toEqual([file, 200]);
    expect(response.headers.get('content-type') ?? '').toMatch(/^text\/plain/);
    expect(await response.text()).toBe(readFileSync(join(packageRoot, file), 'utf8'));
  }
  for (const path of ['/docs/files/package.json', '/docs/files/.env', '/docs/files/../.env'])
    expect((await fetch(app.base + path)).status).toBe(404);
});

test('each leads to the one before and the one after', async () => {
  const page = await readPage(app, '/docs/concepts');
  expect(page).toMatch(/href="\/docs\/quickstart" rel="prev"/);
  expect(page).toMatch(/href="\/docs\/authentication" rel="next"/);
});

test('each has a place in the navigation, the first ones first', () => {
  expect(guides.slice(0, 3).map(({ path }) => path)).toEqual([
    '/docs/quickstart',
    '/docs/concepts',
    '/docs/authentication',
  ]);
  expect(new Set(guides.map(({ path }) => path)).size).toBe(guides.length);
});

describe('Markdown', () => {
  test('shows HTML as text, wherever it stands', () => {
    const attack = '<script>alert(1)</script>';
    for (const markdown of [
      attack,
      `a ${attack} b`,
      `# ${attack}`,
      `- ${attack}`,
      `| a |\n|---|\n| ${attack} |`,
      `\`${attack}\``,
      `[${attack}](#a)`,
    ])
      expect(html(markdown)).not.toMatch(/<script|<img/);
    expect(html(`a <b>c</b>`)).toMatch(/&lt;b>c&lt;\/b>/);
  });

  test('has what the guides use', () => {
    expect(html('**a** *b* `c` [d](e)')).toBe(
      '<p><strong>a</strong> <em>b</em> <code>c</code> <a href="e">d</a></p>',
    );
    expect(html('## A `b`, c')).toBe(
      '<h2 id="a-b-c"><a href="#a-b-c">A <code>b</code>, c</a></h2>',
    );
    expect(html('1. a\n2. b')).toBe('<ol><li>a</li><li>b</li></ol>');
    expect(html('| a |\n|---|\n| `b` |')).toMatch(
      /<section [^>]*tabindex="0"[^>]*><table>.*<td><code>b<\/code><\/td>/,
    );
  });

  test('refuses what it does not know', () => {
    expect(() => html('~~a~~')).toThrow(/no such Markdown/);
  });

  test('shows a link to what this server does not have as text', () => {
    expect(render(h(Markdown, { tokens: lexer('[a](../LICENSE)'), hrefOf: () => undefined }))).toBe(
      '<p><span>a</span></p>',
    );
  });
});
