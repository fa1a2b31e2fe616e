/** A guide as a page, with navigation to other guides and its own headings. */
import type { Token, Tokens } from 'marked';
import { addressOf } from './address.js';
import { type ContentsLink, Guides } from './contents.js';
import type { Guide } from './guides.js';
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
