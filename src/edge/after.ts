import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** Does it once the answer is out, or the client gone: neither how long it takes nor whether it works can be told from outside. What fails is logged. */
export function afterAnswer(res: ServerResponse, log: Logger, requestId: string, work: () => Promise<void>): void {
  res.once('close', () => {
    work().catch((err) => log.error({ err, requestId }, 'what was to do after the answer failed'));
  });
}
