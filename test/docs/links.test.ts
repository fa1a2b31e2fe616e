/**
 * Every link of every Markdown page of the repository: a file that is there, a heading that is
 * there, or the address of a site.
 */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';
import { plainText } from '../../src/reference/markdown.js';
import { anchorOf } from '../../src/reference/prose.js';
import { packageRoot } from '../../src/root.js';
import { markdownFiles, readText } from '../support/markdown.js';

const pages = markdownFiles();

function tokensOf(file: string): Token[] {
  const tokens: Token[] = [];
  walkTokens(lexer(readText(file)), (token) => void tokens.push(token));
  return tokens;
}

const anchorsOf = (file: string): string[] =>
  tokensOf(file).flatMap((token) =>
    token.type === 'heading' ? anchorOf(plainText(token.tokens ?? [])) : [],
  );

/** Pages of packages are read on a registry too, and link to files as the repository shows them. */
const repository = /^https:\/\/github\.com\/lanyard\/lanyard\/(?:blob|tree)\/main\//;

/** What is wrong with a link, if anything. */
function problemOf(file: string, link: string): string | undefined {
  const depth = file.split('/').length - 1;
  const href = link.replace(repository, '../'.repeat(depth));
  if (/^https?:/.test(href)) return URL.canParse(href) ? undefined : 'is no address';
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (target.startsWith('..') || !existsSync(join(packageRoot, target))) return 'leads to no file';
  if (anchor !== undefined && !anchorsOf(target).includes(anchor)) return 'leads to no heading';
  return undefined;
}

for (const page of pages) {
  test(`every link of ${page} leads somewhere`, () => {
    const links = tokensOf(page).flatMap((token) =>
      token.type === 'link' || token.type === 'image' ? (token as Tokens.Link).href : [],
    );
    const problems = links
      .map((href) => [href, problemOf(page, href)])
      .filter(([, problem]) => problem);
    expect(problems).toEqual([]);
  });

  test(`no two headings of ${page} have one anchor`, () => {
    const anchors = anchorsOf(page);
    expect(anchors.toSorted()).toStrictEqual([...new Set(anchors)].toSorted());
  });
}

test.each(pages.filter((file) => file.startsWith('clients/')))(
  '%s has only links that work on the page of a registry',
  (page) => {
    for (const token of tokensOf(page))
      if (token.type === 'link' || token.type === 'image')
        expect((token as Tokens.Link).href).toMatch(/^(https:|#)/);
  },
);

test('dead links are found', () => {
  expect(pages.length).toBeGreaterThan(10);
  for (const [href, problem] of [
    ['nowhere.md', 'leads to no file'],
    ['../../outside.md', 'leads to no file'],
    ['errors.md#nothing', 'leads to no heading'],
    ['#nothing', 'leads to no heading'],
    ['https://', 'is no address'],
    ['https://github.com/lanyard/lanyard/blob/main/docs/none.md', 'leads to no file'],
  ] as const)
    expect([href, problemOf('docs/api.md', href)]).toStrictEqual([href, problem]);
  expect(problemOf('docs/api.md', 'errors.md#conflict')).toBeUndefined();
});
