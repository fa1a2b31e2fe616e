/** What every page knows of its request. */
import type { ParameterizedContext } from 'koa';
import type { WebSession } from '../auth/accounts/sessions.js';
import { ApiError, type ErrorCode } from '../errors.js';

export interface PageState {
  readonly requestId: string;
  readonly session: WebSession | undefined;
  /** The token that each form of the page must send. */
  readonly csrf: string;
  /** The fields of a POST, unmodified; empty for a GET. */
  readonly form: URLSearchParams;
}

/** `params` are those of the route's path: `:id` is `params.id`. */
export type PageContext = ParameterizedContext<
  PageState,
  { params: Readonly<Record<string, string | undefined>> }
>;

/** An error whose page has its own heading. */
export class PageError extends ApiError {
  constructor(
    code: ErrorCode,
    readonly heading: string,
    message: string,
  ) {
    super(code, message);
  }
}

/** One field of the form, trimmed; '' when it is missing. */
export const field = (ctx: PageContext, name: string): string =>
  (ctx.state.form.get(name) ?? '').trim();
