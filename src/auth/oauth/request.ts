/** oidc-provider calls its adapter without saying for which request: what the audit wants to know of it is remembered here meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Request {
  readonly requestId: string;
  /** Below the issuer: `/token`. */
  readonly path: string;
}

const current = new AsyncLocalStorage<Request>();

export const withinRequest = <T>(request: Request, work: () => Promise<T>): Promise<T> => current.run(request, work);

/** Undefined outside of {@link withinRequest}. */
export const currentRequest = (): Request | undefined => current.getStore();
