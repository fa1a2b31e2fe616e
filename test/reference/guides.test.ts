/** The guides as pages: what the Markdown says, and nothing that runs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lexer } from 'marked';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { listGuides, readGuide } from '../../src/reference/guides.js';
import { Markdown } from '../../src/reference/markdown.js';
import { startApp } from '../support/app.js';
import { blocksOf } from '../support/markdown.js';
import { attributesOf, readPage, textOf } from './pages.js';

const app = await startApp({ BASE_URL: 'http://lanyard.example' });
const guides = listGuides();

const html = (markdown: string): string => render(h(Markdown, { tokens: lexer(markdown), hrefOf: (href) => href }));

describe('every guide', () => {
  for (const { name, path, title } of guides) {
    test(`${path} has all of docs/${name}.md, for this server`, async () => {
      const page = await readPage(app, path);
      assert.ok(page.includes(`<title>${title} · Lanyard</title>`));
      const written = blocksOf(readGuide(name).replaceAll('http://127.0.0.1:4000', 'http://lanyard.example'));
      const shown = [...page.matchAll(/<pre [^>]*>(.*?)<\/pre>/gs)].map(([, program = '']) => `${textOf(program)}\n`);
      assert.deepEqual(
        shown,
        written.map(({ text }) => text),
      );
      for (const [, heading = ''] of readGuide(name).matchAll(/^#{2,3} ([\w ,]+)$/gm)) assert.ok(textOf(page).includes(heading), heading);
      const prose = page.replace(/<pre .*?<\/pre>/gs, '');
      assert.equal(/undefined|\[object|127\.0\.0\.1:4000/.exec(prose), null);
      const ids = attributesOf(page, 'id');
      assert.equal(new Set(ids).size, ids.length);
    });

    test(`${path}.md is the file`, async () => {
      const response = await fetch(`${app.base}${path}.md`);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
      assert.equal(await response.text(), readGuide(name));
    });
  }
});

test('each has a place in the navigation, the first ones first', () => {
  assert.deepEqual(
    guides.slice(0, 2).map(({ path }) => path),
    ['/docs/quickstart', '/docs/authentication'],
  );
  assert.equal(new Set(guides.map(({ path }) => path)).size, guides.length);
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
      assert.doesNotMatch(html(markdown), /<script|<img/);
    assert.match(html(`a <b>c</b>`), /&lt;b>c&lt;\/b>/);
  });

  test('has what the guides use', () => {
    assert.equal(html('**a** *b* `c` [d](e)'), '<p><strong>a</strong> <em>b</em> <code>c</code> <a href="e">d</a></p>');
    assert.equal(html('## A `b`, c'), '<h2 id="a-b-c"><a href="#a-b-c">A <code>b</code>, c</a></h2>');
    assert.equal(html('1. a\n2. b'), '<ol><li>a</li><li>b</li></ol>');
    assert.match(html('| a |\n|---|\n| `b` |'), /<section [^>]*tabindex="0"[^>]*><table>.*<td><code>b<\/code><\/td>/);
  });

  test('refuses what it does not know', () => {
    assert.throws(() => html('~~a~~'), /no such Markdown/);
  });

  test('shows a link to what this server does not have as text', () => {
    assert.equal(render(h(Markdown, { tokens: lexer('[a](../LICENSE)'), hrefOf: () => undefined })), '<p><span>a</span></p>');
  });
});
