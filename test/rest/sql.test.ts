/**
 * The SQL statements of each REST operation are those of sql.snapshot.sql, so that a change of a
 * statement shows in review. `UPDATE_SNAPSHOTS=1` writes the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { addressOf, samples } from '../support/cases.js';
import { ensure } from '../support/expect.js';
import { WireStatements } from '../support/wire-statements.js';

const app = await startApp();
const wire = new WireStatements(app.url);
const file = join(packageRoot, 'test/rest/sql.snapshot.sql');
const isUpdate = process.env.UPDATE_SNAPSHOTS === '1';

/** The text of each section by its name. */
function readSections(): Map<string, string> {
  const sections = readFileSync(file, 'utf8').split(/^(?=-- \w+: )/m);
  return new Map(sections.map((text) => [/^-- (\w+)/.exec(text)?.[1] ?? '', text]));
}

const expected = isUpdate ? new Map<string, string>() : readSections();
const authentication = new Set<string>();
const sections: string[] = [];

const clauses =
  /(?<!\bleft|\bcross) (?=(?:select|from|where|(?:left |cross )?join|order by|limit|union all|insert into|update|set|values|returning|on conflict)\b)/g;

/** One clause per line, so that a diff shows the change. */
const normalize = (sql: string): string =>
  `${sql.replace(/\s+/g, ' ').trim().replace(clauses, '\n  ')};`;

/** The authentication of the caller is the same in every operation, so the file has it once. */
function textOf(sql: string): string {
  if (!sql.startsWith('select token.jti')) return normalize(sql);
  authentication.add(normalize(sql));
  return '-- (authentication)';
}

for (const sample of samples) {
  const { method, operation } = sample.endpoint.route;
  test(`${sample.title} sends the statements of the snapshot`, async () => {
    const token = await app.token(sample.who);
    // The first request of a token authenticates before it reads; later ones are the common case.
    await app.rest('GET', '/v1/me', { token });
    const statements = await wire.during(async () => {
      const { status, text } = await app.rest(method, addressOf(sample), {
        token,
        body: sample.body?.(),
      });
      ensure(status < 300, text);
    });
    // Reads are sent on several connections at once, so their order is not significant.
    const texts = statements.map(textOf);
    const section = `-- ${operation}: ${sample.title}\n${(method === 'GET' ? texts.sort() : texts).join('\n')}\n\n`;
    sections.push(section);
    // A statement has changed: UPDATE_SNAPSHOTS=1 writes the new ones.
    if (!isUpdate) expect(section).toBe(expected.get(operation));
  });
}

test('the snapshot has every operation, and no other', () => {
  const shared = `-- Authentication: every operation\n${[...authentication].join('\n')}\n\n`;
  if (isUpdate) {
    writeFileSync(file, [shared, ...sections].join(''));
    return;
  }
  expect(shared).toBe(expected.get('Authentication'));
  expect([...expected.keys()]).toStrictEqual([
    'Authentication',
    ...samples.map(({ endpoint }) => endpoint.route.operation),
  ]);
});
