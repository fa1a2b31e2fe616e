/** Tests that walk the route table. */
import type { Response, TestApp } from './app.js';
import { addressOf, type Sample, samples } from './cases.js';

/** What is other than in the sample. A token that is there and undefined: none. */
export interface Change {
  readonly path?: object;
  readonly query?: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

/** Sends a sample request, changed as told. */
export async function sendSample(
  app: TestApp,
  sample: Sample,
  change: Change = {},
): Promise<Response> {
  const token = 'token' in change ? change.token : await app.token(sample.who);
  const body = 'body' in change ? change.body : sample.body?.();
  const { headers = {} } = change;
  return app.rest(sample.endpoint.route.method, addressOf(sample, change), {
    token,
    body,
    headers,
  });
}

/** A test for each of the routes that are meant. */
export const walk = (
  name: string,
  which: (sample: Sample) => unknown,
  check: (sample: Sample) => Promise<void>,
) =>
  describe(name, () => {
    const chosen = samples.filter(which);
    expect(chosen.length).toBeGreaterThan(0);
    for (const sample of chosen) test(`${sample.title}: ${name}`, () => check(sample));
  });

export const everyRoute = () => true;
