/** The part of `negotiator` that is used here; @types/negotiator lacks the order of preference. */
declare module 'negotiator' {
  import type { IncomingMessage } from 'node:http';

  export default class Negotiator {
    constructor(request: Pick<IncomingMessage, 'headers'>);
    /**
     * The best of the available codings that the client accepts.
     * @param options `preferred`: the order of codings that the client likes equally.
     */
    encoding(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string | undefined;
  }
}
