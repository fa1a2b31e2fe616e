/** Whether the servers answer the same, looked at before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import type { Request } from './load/protocol.js';
import type { Operation } from './operations.js';
import type { Server } from './servers.js';
import type { Session } from './session.js';

/** Parts that each server makes in its own way: positions, costs, and the instant of an answer. */
const own = new Set([
  'next_cursor',
  'endCursor',
  'extensions',
  'evaluated_at',
  'access_token',
  'refresh_token',
]);
/** Those of what was just written are also each server's own. */
const ofWrites = new Set([...own, 'id', 'created_at', 'updated_at', 'createdAt', 'updatedAt']);

const without = (keys: ReadonlySet<string>, text: string): unknown =>
  JSON.parse(text, (key, value) => (keys.has(key) ? undefined : value));

/** The ids in a text in their order: what lists of one another's shape have in common. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(/"(?:id|qualification_id)":"([^"]+)"/g)].map(([, id = '']) => id);

async function answerOf(
  { origin }: Server,
  { method, path, headers, body }: Request,
): Promise<string> {
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('{uuid}', crypto.randomUUID()),
    ]),
  );
  const sent = body && { body: body.replace('{uuid}', crypto.randomUUID()) };
  const response = await fetch(origin + path, {
    method,
    headers: filled,
    signal: AbortSignal.timeout(patience),
    ...sent,
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors":['))
    throw new Error(`${response.status} ${text.slice(0, 1000)}`);
  return text;
}

/** Milliseconds. */
const patience = 10_000;
/** How many of the requests are compared. */
const compared = 20;

/**
 * Compares the answers of servers to an operation. Those that speak alike must answer alike but for
 * {@link own}; others must show the same records in the same order.
 * @returns The servers that have the operation.
 * @throws when an answer fails or differs.
 */
export async function checkAnswers(
  session: Session,
  operation: Operation,
  servers: readonly Server[],
): Promise<Server[]> {
  const able: Server[] = [];
  const first: { variant?: Server['variant']; answers?: string[] } = {};
  for (const server of servers) {
    const requests = (await session.requestsFor(operation, server))?.slice(0, compared);
    if (!requests) continue;
    able.push(server);
    if (operation.name === 'token-refresh') continue;
    const answers: string[] = [];
    for (const request of requests)
      answers.push(await answerOf(server, request).catch(differ(operation, server, request)));
    if (!first.answers) Object.assign(first, { variant: server.variant, answers });
    else
      compare(
        operation,
        server,
        first.variant?.dialect === server.variant.dialect,
        first.answers,
        answers,
      );
  }
  return able;
}

const differ =
  (operation: Operation, { variant }: Server, { path, body }: Request) =>
  (error: Error) => {
    throw new Error(
      `${variant.name} fails at ${operation.name} (${path} ${body ?? ''}): ${error.message}`,
    );
  };

function compare(
  { name, isWrite }: Operation,
  { variant }: Server,
  isAlike: boolean,
  expected: readonly string[],
  actual: readonly string[],
): void {
  const keys = isWrite ? ofWrites : own;
  for (const [index, text] of actual.entries()) {
    const wanted = expected[index] ?? '';
    const isSame = isAlike
      ? isDeepStrictEqual(without(keys, text), without(keys, wanted))
      : isWrite || isDeepStrictEqual(new Set(idsIn(text)), new Set(idsIn(wanted)));
    if (!isSame)
      throw new Error(
        `${variant.name} answers ${name} otherwise:\n${text.slice(0, 2000)}\ninstead of\n${wanted.slice(0, 2000)}`,
      );
  }
}
