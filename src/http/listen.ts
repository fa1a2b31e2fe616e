/**
 * Listens on one address, or on both loopback addresses, since `localhost` may resolve to either.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '../config.js';
import { StartError } from '../errors.js';

interface Place extends Pick<Config, 'HOST' | 'PORT'> {
  /** The variable that sets the port; default: `PORT`. */
  readonly variable?: string;
}

const loopback = ['127.0.0.1', '::1'] as const;

/** The first one is required. The second is optional, because a machine may have no IPv6. */
const addressesOf = ({ HOST, PORT }: Place): readonly [first: string, second?: string] => {
  if (HOST !== '127.0.0.1' && HOST !== 'localhost') return [HOST];
  // The port that the system chooses for one address may be in use on the other.
  return PORT === 0 ? [loopback[0]] : loopback;
};

const isMissing = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Starts to accept connections.
 * @param makeSecond Creates the server for the second address.
 * @returns The second server, if any.
 * @throws {StartError} when the address is unavailable.
 */
export async function listenOn(
  place: Place,
  server: Server,
  makeSecond: () => Server,
): Promise<Server | undefined> {
  const [first, second] = addressesOf(place);
  await listen(server, place.PORT, first).catch((error) =>
    Promise.reject(explain(error, place, first)),
  );
  if (!second) return undefined;
  const other = makeSecond();
  try {
    await listen(other, place.PORT, second);
    return other;
  } catch (error) {
    if (isMissing(error)) return undefined;
    server.close();
    throw explain(error as NodeJS.ErrnoException, place, second);
  }
}

/** A server for a second address that passes its connections to the first. */
export const twinOf = (server: Server): Server =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', Object.assign(socket, { server })),
  );

/**
 * @throws {StartError} when the port or address is unavailable, before anything else is started.
 */
export async function requireFreePort(place: Place): Promise<void> {
  const server = createServer();
  const second = await listenOn(place, server, () => createServer());
  await Promise.all(
    [server, second].map((each) => each && new Promise((resolve) => each.close(resolve))),
  );
}

const listen = (server: Server, port: number, host: string): Promise<unknown> =>
  once(server.listen(port, host), 'listening');

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function explain(
  error: NodeJS.ErrnoException,
  { PORT, variable = 'PORT' }: Place,
  host: string,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${PORT} is taken on ${host}: stop the program that has it, or choose another, such as ${variable}=${PORT + 1}.`,
      );
    case 'EACCES':
      return new StartError(
        `The system does not allow this user to listen on port ${PORT}: set ${variable} to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return new StartError(
        `This machine does not have the address ${host}: set HOST to one of its addresses, or omit it for 127.0.0.1.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `HOST is ${host}, which cannot be resolved: set it to an address of this machine.`,
      );
    default:
      return error;
  }
}
