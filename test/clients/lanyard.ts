/** The TypeScript client as its users make it, and networks that fail it. */
import {
  createLanyard,
  type Lanyard,
  type LanyardOptions,
} from '../../clients/typescript/src/index.js';
import type { TestApp } from '../support/app.js';

/** A client of one person. */
export const lanyardOf = (
  app: TestApp,
  email: string,
  options: Partial<LanyardOptions> = {},
): Lanyard => createLanyard({ baseUrl: app.base, token: () => app.token(email), ...options });

/**
 * What happens to a request: its answer is lost on the way back, it never arrives, or something
 * else answers.
 */
export type Fault = 'lost' | 'down' | Response;

export interface Flaky {
  readonly fetch: typeof fetch;
  /** What was sent, tries that failed included. */
  readonly sent: {
    readonly method: string;
    readonly path: string;
    readonly headers: Headers;
    readonly body: unknown;
    readonly at: number;
  }[];
}

/** A network that does to the first requests what it is told, and lets all others through. */
export function flaky(...faults: Fault[]): Flaky {
  const sent: Flaky['sent'][number][] = [];
  return {
    sent,
    fetch: async (input, init) => {
      const { method = 'GET', headers, body } = init ?? {};
      sent.push({
        method,
        path: new URL(String(input)).pathname,
        headers: new Headers(headers),
        body,
        at: performance.now(),
      });
      const fault = faults.shift();
      if (fault instanceof Response) return fault;
      if (fault === 'down') throw new TypeError('The network is down.');
      const response = await fetch(input, init);
      if (fault !== 'lost') return response;
      await response.text();
      throw new TypeError('The connection broke.');
    },
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
