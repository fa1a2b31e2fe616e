/** Reads on a fixed schedule at half of what saturates the server: what a caller waits who doesn't wait for others. */
import { quantile } from '../load/loader.js';
import { leaveServerCore } from '../machine.js';
import { operations } from '../operations.js';
import type { Options } from '../options.js';
import { lineOf, short } from '../report/table.js';
import type { Say } from '../seed/seed.js';
import { lanyard } from '../servers.js';
import { inSession } from '../session.js';

/** Connections for the schedule: enough that none waits for another. */
const connections = 64;

export async function latency({ scale, only, lanes, round, rounds }: Options, say: Say): Promise<void> {
  say(leaveServerCore());
  const columns = [18, 12, 12, 8, 8, 9, 14];
  say(lineOf(['operation', 'saturation/s', 'offered/s', 'p50 ms', 'p99 ms', 'p99/p50', 'late p99 ms'], columns));
  await inSession(scale, say, async (session) => {
    const server = await session.start(lanyard);
    for (const operation of operations.filter(({ name, isWrite }) => only.includes(name) && !isWrite)) {
      await session.measure(operation, server, { milliseconds: round, lanes });
      const full = await session.measure(operation, server, { milliseconds: 2 * round, lanes });
      const saturation = (full.answered / full.milliseconds) * 1000;
      const rate = saturation / 2;
      const { latencies, lateness } = await session.measure(operation, server, { milliseconds: rounds * round, lanes: connections, rate });
      const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
      say(lineOf([operation.name, ...[saturation, rate, p50, p99, p99 / p50, quantile(lateness, 0.99)].map(short)], columns));
    }
  });
}
