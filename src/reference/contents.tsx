/** The table of contents. On a phone it opens over the page (public/contents.js closes it). */
import type { ComponentChildren } from 'preact';
import type { Guide } from './guides.js';

export const Navigator = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <>
    <button type="button" class="button plain open-contents" popovertarget="contents">
      {label}
    </button>
    <nav class="contents" id="contents" popover="auto" aria-label="Contents">
      {children}
    </nav>
  </>
);

/** Searches guides and reference. The scripts of the reference filter its operations meanwhile. */
export const SearchForm = ({ query = '' }: { query?: string }) => (
  <search>
    <form action="/docs/search">
      <label class="unseen" for="search">
        Search
      </label>
      <input
        type="search"
        id="search"
        name="q"
        value={query}
        placeholder="Search: press /"
        autocomplete="off"
        maxLength={100}
      />
    </form>
  </search>
);

export interface GuidesProps {
  readonly guides: readonly Guide[];
  /** The guide of the page, if it is one. */
  readonly current?: Guide;
  /** The headings of the current guide. */
  readonly headings?: readonly ContentsLink[];
  readonly query?: string;
}

/** The contents of the guides. */
export const Guides = ({ guides, current, headings = [], query = '' }: GuidesProps) => (
  <Navigator label="Guides and search">
    <SearchForm query={query} />
    {Object.entries(Object.groupBy(guides, ({ group }) => group)).map(([group, members = []]) => (
      <Contents
        title={group}
        links={members.map((each) => ({
          ...{ href: each.path, text: each.title },
          ...(each === current && { isCurrent: true, below: headings }),
        }))}
      />
    ))}
    <Contents title="Reference" links={[{ href: '/docs', text: 'Every operation' }]} />
  </Navigator>
);

export interface ContentsLink {
  readonly href: string;
  readonly text: string;
  /** Whether it is the current page. */
  readonly isCurrent?: boolean;
  /** Its subentries. */
  readonly below?: readonly ContentsLink[];
}

export const Contents = ({ title, links }: { title: string; links: readonly ContentsLink[] }) => (
  <section>
    <h2>{title}</h2>
    <Links links={links} />
  </section>
);

const Links = ({ links }: { links: readonly ContentsLink[] }) => (
  <ul>
    {links.map(({ href, text, isCurrent, below = [] }) => (
      <li>
        <a href={href} aria-current={isCurrent ? 'page' : undefined}>
          <span>{text}</span>
        </a>
        {below.length > 0 && <Links links={below} />}
      </li>
    ))}
  </ul>
);
