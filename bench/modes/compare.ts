/** Every operation on every server, round by round. */
import { Progress } from '../../src/cli/output/progress.js';
import { checkAnswers } from '../check.js';
import { operations } from '../operations.js';
import type { Options } from '../options.js';
import { rowsOf } from '../report/table.js';
import { type Comparison, compare } from '../rounds.js';
import type { Say } from '../seed/seed.js';
import { inSession, type Session } from '../session.js';

export async function compareAll(options: Options, say: Say): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const work = async (session: Session) => {
    const servers = await session.startAll(options.variants);
    const asked = operations.filter(({ name }) => options.only.includes(name));
    const progress = new Progress(process.stderr);
    for (const [done, operation] of asked.entries()) {
      progress.notify({
        doing: 'measuring',
        done,
        unit: `of ${asked.length} operations, now ${operation.name}`,
        fraction: done / asked.length,
      });
      const able = await checkAnswers(session, operation, servers);
      const comparison = await compare(session, operation, able, options);
      comparisons.push(comparison);
      progress.clear();
      for (const row of rowsOf(comparison)) say(row);
    }
  };
  await inSession(options.scale, say, work, options.delay);
  return comparisons;
}
