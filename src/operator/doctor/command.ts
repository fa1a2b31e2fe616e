/** `lanyard doctor`: says of each part whether it is well, and what to do where it is not. */
import { hide, secretsIn } from '../secrets.js';
import type { Command, Environment } from '../usage.js';
import { examine } from './examine.js';
import type { Finding, Level } from './finding.js';

const exitCodes: Readonly<Record<Level, number>> = { ok: 0, warning: 1, failure: 2 };

export const doctorCommand: Command = {
  does: 'check the configuration, the database and the other services that a server uses, and say what to do; changes nothing',
  exits: { [exitCodes.ok]: 'all is well', [exitCodes.warning]: 'only warnings', [exitCodes.failure]: 'failures' },
  json: 'status, checks[] { check, level, found, remedy }',
  async run({ environment }) {
    const { status, checks } = await diagnose(environment);
    return {
      text: checks.map(lineOf).join(''),
      json: { status, checks: checks.map(({ check, level, found, remedy = null }) => ({ check, level, found, remedy })) },
      exitCode: exitCodes[status],
    };
  },
};

export interface Diagnosis {
  /** That of the worst check. */
  readonly status: Level;
  readonly checks: readonly Finding[];
}

/** Without any secret of the environment. */
export async function diagnose(environment: Environment): Promise<Diagnosis> {
  const checks = withoutSecrets(await examine(environment), secretsIn(environment));
  const status = (['failure', 'warning'] as const).find((level) => checks.some((each) => each.level === level)) ?? 'ok';
  return { status, checks };
}

const lineOf = ({ level, check, found, remedy }: Finding): string => {
  const line = `${level.padEnd(8)} ${check.padEnd(13)} `;
  return `${line}${found}\n${remedy ? `${' '.repeat(line.length)}→ ${remedy}\n` : ''}`;
};

/** What others say, such as PostgreSQL, may repeat what they were told. */
function withoutSecrets(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  const clean = (text: string) => hide(text, secrets);
  return findings.map(({ found, remedy, ...rest }) => ({ ...rest, found: clean(found), ...(remedy && { remedy: clean(remedy) }) }));
}
