import type { ApiError } from '../errors.js';
import { LinkButton } from './components.js';
import { page } from './page.js';
import type { PortalContext } from './route.js';

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Nothing here',
  409: 'That did not work',
  422: 'That did not work',
  429: 'Too many attempts',
  503: 'Back in a moment',
};

/** Answers with a page that says what went wrong, and what to do. */
export function showError(ctx: PortalContext, { status, message, retryAfter }: ApiError): void {
  const title = titles[status] ?? 'Something went wrong';
  if (retryAfter) ctx.set('Retry-After', String(Math.ceil(retryAfter)));
  page(
    ctx,
    { title, status, frame: 'narrow' },
    <>
      <h1>{title}</h1>
      <p>{message}</p>
      <p>
        <LinkButton href="/portal">Go to the portal</LinkButton>
      </p>
      {status >= 500 && (
        <p class="muted small">
          Request <code>{ctx.state.requestId}</code>
        </p>
      )}
    </>,
  );
}
