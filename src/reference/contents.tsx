/** The table of contents. On a phone it opens over the page (public/contents.js closes it). */
import type { ComponentChildren } from 'preact';

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
