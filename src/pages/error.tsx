import { type ApiError, type ErrorCode, messageOf } from '../errors.js';
import { LinkButton } from './components.js';
import { type PageContext, PageError } from './context.js';
import { page } from './page.js';

const headings: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Not possible here',
  409: 'That did not work',
  422: 'That did not work',
  429: 'Too many attempts',
  503: 'Back in a moment',
};

const sentences: Partial<Record<ErrorCode, string>> = {
  not_found: 'It does not exist, or no longer exists. Go back, reload the page, and try again.',
  invalid_request: 'The page received something that it could not read. Go back and try again.',
  internal_error:
    'The fault is on our side. Try again in a minute. If it happens again, tell the people who run this server the number below.',
  service_unavailable:
    'Lanyard cannot be reached for the moment. Wait a few seconds, then reload this page.',
};

/** The page text for an error; the table of errors has the texts for programs. */
export function wordsOf(error: ApiError): { readonly heading: string; readonly sentence: string } {
  const { code, status, message } = error;
  return {
    heading:
      error instanceof PageError ? error.heading : (headings[status] ?? 'Something went wrong'),
    sentence: message === messageOf(code) ? (sentences[code] ?? message) : message,
  };
}

/** The request id, for support requests. */
export const RequestNumber = ({ id }: { id: string }) => (
  <p class="muted small">
    Request <code>{id}</code>
  </p>
);

/** Responds with a page that explains the error and the remedy. */
export function showError(ctx: PageContext, error: ApiError): void {
  const { heading, sentence } = wordsOf(error);
  page(
    ctx,
    { title: heading, failure: error, frame: 'narrow' },
    <>
      <h1>{heading}</h1>
      <p>{sentence}</p>
      <p>
        <LinkButton href="/portal">Go to the portal</LinkButton>
      </p>
      {error.status >= 500 && <RequestNumber id={ctx.state.requestId} />}
    </>,
  );
}
