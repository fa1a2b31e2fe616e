/** Components of the views, with the classes of the portal's style sheet. */
import { Download, Printer } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Refusal } from './api.js';
import { download } from './csv.js';
import { Icon } from './icons.js';
import { t } from './language.js';
import type { Pages } from './pages.js';
import { go, hrefOf, type Place } from './place.js';
import { SessionEnded } from './session.js';

export interface GoProps {
  readonly to: Partial<Place>;
  readonly class?: string | undefined;
  /** The accessible name, instead of the text. */
  readonly label?: string | undefined;
  readonly current?: boolean;
  readonly tabIndex?: number;
  readonly children: ComponentChildren;
}

/**
 * A link within the dashboard: navigates without a page load, but can be copied and opened
 * elsewhere.
 */
export const Go = ({ to, class: className, label, current, tabIndex, children }: GoProps) => (
  <a
    href={hrefOf(to)}
    class={className}
    aria-current={current ? 'page' : undefined}
    tabIndex={tabIndex}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(to);
    }}
  >
    {label ? (
      <>
        <span class="unseen">{label}</span>
        <span class="shown" aria-hidden="true">
          {children}
        </span>
      </>
    ) : (
      children
    )}
  </a>
);

/** The name of a member, which leads to the page of the person. Names are text of others. */
export const Name = ({
  of: { id, displayName },
  tabIndex,
}: {
  of: { readonly id: string; readonly displayName: string };
  tabIndex?: number;
}) => (
  <Go
    to={{ person: id, member: '', qualification: '' }}
    class="name"
    {...(tabIndex !== undefined && { tabIndex })}
  >
    <bdi>{displayName}</bdi>
  </Go>
);

export const Notice = ({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'good' | 'warning' | 'bad';
  children: ComponentChildren;
}) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

export const Card = ({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <section class="card">
    <div class="card-head">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
);

/** Exports the rows of a view, which includes those that are not rendered. */
export const Export = ({
  name,
  rows,
}: {
  /** Of the file, without the ending. */
  name: string;
  /** Undefined until all rows are loaded. */
  rows: (() => readonly (readonly string[])[]) | undefined;
}) => (
  <button
    type="button"
    class="button plain compact"
    disabled={!rows}
    onClick={() => rows && download(name, rows())}
  >
    <Icon of={Download} /> {t.exportCsv}
  </button>
);

export const Print = () => (
  <button type="button" class="button plain compact" onClick={() => print()}>
    <Icon of={Printer} /> {t.print}
  </button>
);

export const Empty = ({ children }: { children: ComponentChildren }) => (
  <div class="empty">{children}</div>
);

/** Placeholder lines. */
export const Loading = ({ lines = 5 }: { lines?: number }) => (
  <div class="loading" role="status">
    <span class="unseen">{t.loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="line" aria-hidden="true" />
    ))}
  </div>
);

export const Failure = ({ error, retry }: { error: Error; retry: () => void }) => {
  // The frame reports this for the whole page.
  if (error instanceof SessionEnded) return null;
  const { code, requestId } = error instanceof Refusal ? error : {};
  return (
    <Notice kind="bad">
      <p>{code === 'FORBIDDEN' ? t.errors.forbidden : error.message}</p>
      {requestId && <p class="small muted">{t.errors.request(requestId)}</p>}
      {code !== 'FORBIDDEN' && (
        <button type="button" class="button plain" onClick={retry}>
          {t.tryAgain}
        </button>
      )}
    </Notice>
  );
};

export interface AnswerProps<Data> {
  readonly of: Pages<Data>;
  /** Number of placeholder lines while it loads. */
  readonly lines?: number;
  /**
   * @param first The first page.
   * @param all All pages so far.
   */
  readonly children: (first: Data, all: readonly Data[]) => ComponentChildren;
}

/** The result, the loading state or the error; and a button for the next page. */
export function Answer<Data>({
  of: { pages, isLoading, error, more, retry },
  lines,
  children,
}: AnswerProps<Data>) {
  const [first] = pages;
  return (
    <div aria-busy={isLoading}>
      {first && children(first, pages)}
      {error && <Failure error={error} retry={retry} />}
      {isLoading && !first && <Loading {...(lines !== undefined && { lines })} />}
      {first && more && !error && (
        <button type="button" class="button plain more" disabled={isLoading} onClick={more}>
          {isLoading ? t.loading : t.showMore}
        </button>
      )}
    </div>
  );
}
