/** GraphQL operations of one person through one app, and what tests say of the answers. */
import type { Body, TestApp } from './app.js';

export interface GraphClient {
  /** The `data` of an operation that must succeed. */
  readonly data: (query: string, variables?: object) => Promise<Body>;
  /**
   * The extensions of the one error that an operation must give, with its message: code, and
   * details where there are any.
   */
  readonly refusal: (
    query: string,
    variables?: object,
  ) => Promise<{ code: string; message: string; details?: Body }>;
}

/** @param clientId Left out: the first-party app with all scopes. */
export function graphOf(app: TestApp, email: string, clientId?: string): GraphClient {
  const send = async (query: string, variables: object) =>
    (await app.graphql(query, variables, { token: await app.token(email, clientId) })).body;
  return {
    async data(query, variables = {}) {
      const { data, errors } = await send(query, variables);
      expect(errors).toBeUndefined();
      return data;
    },
    async refusal(query, variables = {}) {
      const { errors = [] } = await send(query, variables);
      expect(errors).toHaveLength(1);
      const { code, details } = errors[0].extensions;
      return { code, message: errors[0].message, ...(details && { details }) };
    },
  };
}

/**
 * How many statements the one request took that `work` sends, the look-up of the caller included,
 * as the log line tells.
 */
export async function countStatements(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  const before = app.log.length;
  await work();
  const counts = app.log
    .slice(before)
    .flatMap((line) => ('statements' in line ? [Number(line.statements)] : []));
  expect(counts).toHaveLength(1);
  expect(counts[0] ?? 0).toBeGreaterThan(0);
  return counts[0] ?? 0;
}
