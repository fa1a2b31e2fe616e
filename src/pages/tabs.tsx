/** The header of related pages: their subject, and tabs. */
import type { ComponentChildren } from 'preact';
import { Notice } from './components.js';
import type { PageContext } from './context.js';

export interface TabsProps {
  readonly ctx: PageContext;
  readonly title: string;
  /** Tags and the like, beside the title. */
  readonly aside?: ComponentChildren;
  /** The accessible name of the tabs. */
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly text: string }[];
  /** The `href` of the current page. */
  readonly current: string;
}

export const Tabs = ({ ctx, title, aside, label, tabs, current }: TabsProps) => (
  <>
    <h1>
      {title} {aside}
    </h1>
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text }) => (
        <a href={href} aria-current={href === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
    <Done ctx={ctx} />
  </>
);

/** The result of a form, shown on the page that it redirects to: `?done=saved`. */
const outcomes: Readonly<Record<string, string>> = {
  saved: 'Saved. It works from now on.',
  registered: 'The app is registered.',
  disabled: 'The app is disabled: its tokens are refused, and no one can sign in through it.',
  enabled: 'The app is enabled again.',
  deleted: 'The app is deleted, with its secrets, approvals and sign-ins.',
  'secret-revoked': 'The secret is revoked, and no longer works.',
  'grant-revoked': 'The sign-in is ended. Its tokens no longer work.',
  approved: 'Approved. The app can use it from now on.',
  'approval-revoked': 'Revoked. The app can no longer use data of this organization.',
};

export const Done = ({ ctx }: { ctx: PageContext }) => {
  const outcome = outcomes[String(ctx.query.done ?? '')];
  return outcome ? <Notice kind="good">{outcome}</Notice> : null;
};
