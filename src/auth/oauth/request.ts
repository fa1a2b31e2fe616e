/** The current request, for the audit: oidc-provider calls its adapter without it. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Request {
  readonly requestId: string;
  /** Relative to the issuer: `/token`. */
  readonly path: string;
}

const current = new AsyncLocalStorage<Request>();

export const withinRequest = <T>(request: Request, work: () => Promise<T>): Promise<T> =>
  current.run(request, work);

/** Undefined outside of {@link withinRequest}. */
export const currentRequest = (): Request | undefined => current.getStore();
