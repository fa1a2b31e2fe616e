import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/**
 * Runs `work` after the response is sent or the client has disconnected, so that neither its
 * duration nor its outcome is visible to the client. Failures are logged.
 */
export function afterAnswer(
  res: ServerResponse,
  log: Logger,
  requestId: string,
  work: () => Promise<void>,
): void {
  res.once('close', () => {
    work().catch((err) => log.error({ err, requestId }, 'work after the response failed'));
  });
}
