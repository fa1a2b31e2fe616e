import type { ApiError } from '../errors.js';
import { LinkButton } from './components.js';
import { type PageContext, PageError } from './context.js';
import { catalogues, Fill, type Messages, say, sayError, textsOf, useTexts } from './language.js';
import { page } from './page.js';

/** The page text for an error; the table of errors has the texts for programs. */
export function wordsOf(
  error: ApiError,
  t: Messages = catalogues.en,
): { readonly heading: string; readonly sentence: string } {
  const heading =
    error instanceof PageError
      ? say(t, error.heading)
      : (t.errors.headings[error.status] ?? t.errors.unknown);
  return { heading, sentence: sayError(t, error) };
}

/** The request id, for support requests. */
export const RequestNumber = ({ id }: { id: string }) => (
  <p class="muted small">
    <Fill text={useTexts().frame.request}>
      <code>{id}</code>
    </Fill>
  </p>
);

/** Responds with a page that explains the error and the remedy. */
export function showError(ctx: PageContext, error: ApiError): void {
  const t = textsOf(ctx);
  const { heading, sentence } = wordsOf(error, t);
  page(
    ctx,
    { title: heading, failure: error, frame: 'narrow' },
    <>
      <h1>{heading}</h1>
      <p>{sentence}</p>
      <p>
        <LinkButton href="/portal">{t.frame.goToPortal}</LinkButton>
      </p>
      {error.status >= 500 && <RequestNumber id={ctx.state.requestId} />}
    </>,
  );
}
