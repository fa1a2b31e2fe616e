/** What sessions start with behind a pooler, where they can't be told. */
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { createDatabase } from '../support/database.js';
import { isInstalled } from '../support/installed.js';
import { runLanyard } from '../support/server.js';
import { settleRole, startBouncer } from './bouncer.js';

const skip = !isInstalled('pgbouncer') && "needs Debian's pgbouncer";

(skip ? describe.skip : describe)('through pgbouncer in transaction mode', () => {
  test('a start is refused until the role has UTC and the time limits, with the statements that make it so', async () => {
    await using cleanup = new AsyncDisposableStack();
    const database = await createDatabase();
    const bouncer = await startBouncer(database.url, 2);
    cleanup.defer(() => bouncer.stop().then(database.drop));
    expect(await settleRole(database.url, bouncer)).toHaveLength(5);
    const orm = await connect(bouncer.url, { poolSize: 2, entities: [], isPooled: true });
    const names = [
      'TimeZone',
      'idle_in_transaction_session_timeout',
      'lock_timeout',
      'statement_timeout',
      'transaction_timeout',
    ];
    const rows = await new Database(orm.em).query<{ setting: string }>(
      'select setting from pg_settings where name = any($1) order by name collate "C"',
      [names],
    );
    await orm.close();
    expect(rows.map(({ setting }) => setting)).toEqual(['UTC', '10000', '5000', '10000', '10000']);

    await expect(
      connect(bouncer.url, { poolSize: 2, entities: [] }).then((direct) =>
        new Database(direct.em).query('select 1'),
      ),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/unsupported startup parameter/),
    });

    const { ended, output } = runLanyard(['migrate'], {
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      DATABASE_DIRECT_URL: database.url,
    });
    expect([output.stderr, await ended]).toStrictEqual([output.stderr, 0]);
    expect(output.stdout).toMatch(/up to date/); // commands go past the pooler
  });
});
