/**
 * Interfaces of Node that are not documented, verified against Node 24.21. Only this file uses
 * them; test/http/node-internals.test.ts fails when one of them is gone.
 */
import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { node: '24.21.0' } as const;

/** The response of a connection that is not yet sent, if there is one. */
export const pendingResponse = (socket: Duplex): ServerResponse | undefined =>
  (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;

/**
 * The backlog of a port can be set again, and whether a socket is connected is known at once. Node
 * has no public way to either. `server.close()` and `closeIdleConnections()` after a pause with
 * `/readyz` at 503 are no substitute: clients that do not ask `/readyz` keep coming, and 7 of 8 such
 * stops under load reset accepted connections (decision 0033).
 */
interface Handle {
  listen(backlog: number): number;
  getpeername(out: object): number;
}

/** Undefined for a closed socket, also one that failed for lack of descriptors. */
export const handleOf = (socket: Server | Socket): Handle | undefined =>
  (socket as unknown as { _handle?: Handle })._handle ?? undefined;
