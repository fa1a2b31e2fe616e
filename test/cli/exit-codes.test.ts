/**
 * docs/cli.md says what commands end with. That they do is shown beside each: in commands, import,
 * interrupted and doctor.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/failure.js';
import { exitCodeOfRefusedRows } from '../../src/cli/import/command.js';
import { exitCodeOf } from '../../src/cli/interrupt.js';
import { packageRoot } from '../../src/root.js';

const page = readFileSync(join(packageRoot, 'docs/cli.md'), 'utf8');

test('the table of exit codes has all of them', () => {
  const [, section = ''] = page.split('## Exit codes');
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (\d+) \|/gm)].map(([, code]) =>
    Number(code),
  );
  const used = [
    0,
    exitCodes.failed,
    exitCodes.calledWrongly,
    exitCodeOfRefusedRows,
    exitCodeOf('SIGINT'),
    exitCodeOf('SIGTERM'),
  ];
  expect(listed).toStrictEqual(used);
});
