/** The plans of the statements that reads send, as PostgreSQL makes them for the data at hand. */

import { createApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { connect } from '../src/database/connect.js';
import { migrations } from '../src/database/migrate.js';
import { entities } from '../src/entities/tables.js';
import { createLogger } from '../src/http/log.js';
import { type Statement, statementsDuring } from '../test/support/statements.js';
import type { Operation } from './operations.js';
import { requestsOf } from './operations.js';
import { withClient } from './seed/seed.js';
import type { Session } from './session.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly Plan[];
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

/**
 * One line for each operation: how its statements find their rows, and what in them reads a table
 * whole or sorts.
 */
export async function plansOf(session: Session, reads: readonly Operation[]): Promise<string[]> {
  const config = readConfig({ NODE_ENV: 'production', PORT: '0', BASE_URL: session.base });
  const app = await createApp(
    config,
    await connect(session.database, { poolSize: 2, entities, migrations }),
    createLogger('silent'),
  );
  const origin = `http://127.0.0.1:${await app.listen()}`;
  try {
    await session.world.renewTokens();
    const lines: string[] = [];
    for (const operation of reads) {
      const [request] = requestsOf(operation, 'lanyard', session.world) ?? [];
      if (!request) continue;
      const statements = await statementsDuring(async () => {
        await (
          await fetch(origin + request.path, {
            ...request,
            ...(request.body && { body: request.body }),
          })
        ).arrayBuffer();
      });
      lines.push(`${operation.name.padEnd(18)}  ${await explain(session.database, statements)}`);
    }
    return lines;
  } finally {
    await app.close();
  }
}

const explain = (url: string, statements: readonly Statement[]): Promise<string> =>
  withClient(url, async (client) => {
    // As a session of the server starts.
    await client.query(`set timezone = 'UTC'; set plan_cache_mode = force_generic_plan`);
    const nodes: Plan[] = [];
    for (const [sql, values] of statements) {
      const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...values]);
      nodes.push(...flatten(rows[0]['QUERY PLAN'][0].Plan));
    }
    const notable = nodes.filter((node) => /^Seq Scan|Sort$/.test(node['Node Type']));
    const indexed = nodes.filter((node) => node['Node Type'].startsWith('Index'));
    const found = notable.map(
      (node) =>
        `${node['Node Type']}${node['Relation Name'] ? ` of ${node['Relation Name']}` : ''} (${node['Actual Rows']} rows)`,
    );
    return `${statements.length} statements, ${indexed.length} index scans; ${found.join(', ') || 'no sort, no sequential scan'}`;
  });
