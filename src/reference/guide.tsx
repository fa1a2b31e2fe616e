/** A guide as a page, with navigation to other guides and its own headings. */
import type { Token, Tokens } from 'marked';
import { Contents, type ContentsLink, Navigator } from './contents.js';
import type { Guide } from './guides.js';
import { Markdown, plainText } from './markdown.js';
import { anchorOf } from './prose.js';

export interface GuidePageProps {
  readonly guide: Guide;
  readonly guides: readonly Guide[];
  readonly tokens: readonly Token[];
}

export const GuidePage = ({ guide, guides, tokens }: GuidePageProps) => {
  const next = guides[guides.indexOf(guide) + 1];
  return (
    <div class="reference">
      <Navigator label="Guides">
        {Object.entries(Object.groupBy(guides, ({ group }) => group)).map(
          ([group, members = []]) => (
            <Contents
              title={group}
              links={members.map((each) => ({
                ...{ href: each.path, text: each.title },
                ...(each === guide && { isCurrent: true, below: headingsOf(tokens) }),
              }))}
            />
          ),
        )}
        <Contents title="Reference" links={[{ href: '/docs', text: 'Every operation' }]} />
      </Navigator>
      <article class="body guide">
        <Markdown tokens={tokens} hrefOf={(href) => addressOf(href, guides)} />
        <nav class="onward" aria-label="After this page">
          {next && (
            <a class="button" href={next.path}>
              Next: {next.title}
            </a>
          )}
          <a href={`${guide.path}.md`}>This page as Markdown</a>
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
 * The address of a link in docs/: a guide, an image, a heading of the page, or an external site.
 */
function addressOf(href: string, guides: readonly Guide[]): string | undefined {
  if (/^(?:#|https?:)/.test(href)) return href;
  if (href.startsWith('images/')) return `/docs/${href}`;
  if (href === '../schema/openapi.json') return '/v1/openapi.json';
  const [, name = '', anchor = ''] = /^(\w[\w-]*)\.md(#.+)?$/.exec(href) ?? [];
  const guide = guides.find((each) => each.name === name);
  return guide && guide.path + anchor;
}
