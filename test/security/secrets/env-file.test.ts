/** A `.env` file says what it means, or the server doesn't start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readEnvFile, variables } from '../../../src/config.js';
import { packageRoot } from '../../../src/root.js';
import { satisfying } from '../../support/expect.js';

describe('a line of .env', () => {
  for (const [line, value] of [
    ['SMTP_URL=smtp://mail', 'smtp://mail'],
    ['  SMTP_URL = smtp://mail  ', 'smtp://mail'],
    ['SMTP_URL="smtp://mail#1" # of the office', 'smtp://mail#1'],
    ['SMTP_URL=\'a "quoted" one\'', 'a "quoted" one'],
    ['SMTP_URL=smtp://mail # of the office', 'smtp://mail'],
    ['SMTP_URL=', ''],
    ['SMTP_URL= # none', ''],
    ['SMTP_URL=Lanyard <x@y.example>', 'Lanyard <x@y.example>'],
  ] as const)
    it(`is taken: ${line}`, () =>
      expect(readEnvFile(`# first\n\n${line}\r\n`).SMTP_URL).toBe(value));

  for (const [line, problem] of [
    ['SMTP_URL', /^ {2}line 2: must be NAME=value/m],
    ['=secret-value', /^ {2}line 2: must be NAME=value/m],
    ['1SMTP_URL=secret-value', /^ {2}line 2: must be NAME=value/m],
    ['SMTP_URL: secret-value', /^ {2}line 2: must be NAME=value/m],
    ['export SMTP_URL=secret-value', /^ {2}line 2: must be NAME=value/m],
    ['SMTP_URL="secret-value', /^ {2}line 2: must be NAME=value/m],
    ['SMTP_URL="secret-value" more', /^ {2}line 2: must be NAME=value/m],
    ["SMTP_URL=secret-value'", /^ {2}line 2: must be NAME=value/m],
    ['SMTP_URL=smtp://u#secret-value@mail', /^ {2}line 2: must be NAME=value/m],
    ['STMP_URL=secret-value', /^ {2}line 2: STMP_URL is unknown/m],
    ['PORT=2', /^ {2}line 2: PORT is set twice/m],
  ] as const)
    it(`is refused, without being shown: ${line}`, () =>
      expect(() => readEnvFile(`PORT=1\n${line}\n`)).toThrow(
        satisfying(
          (error) =>
            error instanceof ConfigError &&
            problem.test(error.message) &&
            !error.message.includes('secret-value'),
        ),
      ));

  it('is explained in .env.example for every variable, which is itself a file that is taken', () => {
    const example = readFileSync(join(packageRoot, '.env.example'), 'utf8');
    for (const name of Object.keys(variables.shape))
      expect(example).toMatch(new RegExp(`^#?${name}=`, 'm'));
    expect(readEnvFile(example).PORT).toBe('4000');
    expect(readEnvFile(example.replace(/^#(?=[A-Z_]+=)/gm, '')).DATABASE_URL).toBeTruthy();
  });
});
