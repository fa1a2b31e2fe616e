/** A guide as a page, with navigation to other guides and its own headings. */
import { posix } from 'node:path';
import type { Token, Tokens } from 'marked';
import { type ContentsLink, Guides } from './contents.js';
import { filePath, files, type Guide } from './guides.js';
import { Markdown, plainText } from './markdown.js';
import { anchorOf } from './prose.js';

export interface GuidePageProps {
  readonly guide: Guide;
  readonly guides: readonly Guide[];
  readonly tokens: readonly Token[];
}

export const GuidePage = ({ guide, guides, tokens }: GuidePageProps) => {
  const index = guides.indexOf(guide);
  const [previous, next] = [guides[index - 1], guides[index + 1]];
  return (
    <div class="reference">
      <Guides guides={guides} current={guide} headings={headingsOf(tokens)} />
      <article class="body guide">
        <Markdown tokens={tokens} hrefOf={(href) => addressOf(href, guide, guides)} />
        <nav class="onward" aria-label="After this page">
          {previous && (
            <a class="button plain" href={previous.path} rel="prev">
              Previous: {previous.title}
            </a>
          )}
          {next && (
            <a class="button" href={next.path} rel="next">
              Next: {next.title}
            </a>
          )}
          <a class="source" href={`${guide.path}.md`}>
            This page as Markdown
          </a>
        </nav>
      </article>
    </div>
  );
};

const headingsOf = (tokens: readonly Token[]): ContentsLink[] =>
  tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(({ tokens: words }) => plainText(words))
    .map((text) => ({ href: `#${anchorOf(text)}`, text }));

/**
 * The address of a link in a guide: another guide, an image, a heading of the page, or an external
 * site.
 */
function addressOf(href: string, from: Guide, guides: readonly Guide[]): string | undefined {
  if (/^(?:#|https?:)/.test(href)) return href;
  const [path = '', anchor] = posix.join(posix.dirname(from.file), href).split('#');
  if (path.startsWith('docs/images/')) return `/${path}`;
  if (path === 'schema/openapi.json') return '/v1/openapi.json';
  if (files.includes(path)) return filePath(path);
  const guide = guides.find(({ file }) => file === path);
  return guide && (anchor === undefined ? guide.path : `${guide.path}#${anchor}`);
}
