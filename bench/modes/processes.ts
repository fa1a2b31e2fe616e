/** Two processes on two cores against one. */
import { operations } from '../operations.js';
import type { Options } from '../options.js';
import { lineOf, short } from '../report/table.js';
import { spreadOf, warmUp } from '../rounds.js';
import type { Say } from '../seed/seed.js';
import { lanyard } from '../servers.js';
import { inSession, type Measured } from '../session.js';

const columns = [18, 12, 12, 10, 16];

export async function processes(options: Options, say: Say): Promise<void> {
  const { scale, only, lanes, round, rounds } = options;
  say(
    'All processes may use all cores. What load and PostgreSQL take, the servers lack: the last column is what two cores of their own would give.',
  );
  say(lineOf(['operation', 'one, /s', 'two, /s', 'ratio', 'at equal CPU × 2'], columns));
  await inSession(scale, say, async (session) => {
    const cores = { cores: '0,1' };
    const [one, other] = [await session.start(lanyard, cores), await session.start(lanyard, cores)];
    for (const operation of operations.filter(
      ({ name, isWrite }) => only.includes(name) && !isWrite,
    )) {
      const both: Measured[] = [];
      const single: Measured[] = [];
      await warmUp(session, operation, [one, other], options);
      for (let turn = 0; turn < rounds; turn++) {
        single.push(await session.measure(operation, one, { milliseconds: round, lanes }));
        // Each has as many callers as the one: with half as many, requests would share less.
        both.push(
          await session.measure(operation, [one, other], { milliseconds: round, lanes: 2 * lanes }),
        );
      }
      const rate = ({ answered, milliseconds }: Measured) => (answered / milliseconds) * 1000;
      const perCpu = ({ answered, server }: Measured) => answered / server;
      const ratios = (figure: (round: Measured) => number) =>
        spreadOf(both.map((round, index) => figure(round) / figure(single[index] as Measured)))
          .median;
      const median = (all: Measured[]) => spreadOf(all.map(rate)).median;
      say(
        lineOf(
          [
            operation.name,
            ...[median(single), median(both), ratios(rate), 2 * ratios(perCpu)].map(short),
          ],
          columns,
        ),
      );
    }
  });
}
