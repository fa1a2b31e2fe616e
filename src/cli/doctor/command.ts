/** `lanyard doctor`: checks each part, and prints a remedy for each problem. */
import { hide, secretsIn } from '../commands/secrets.js';
import type { Command, Environment } from '../usage.js';
import { examine } from './examine.js';
import type { Finding, Level } from './finding.js';

const exitCodes: Readonly<Record<Level, number>> = { ok: 0, warning: 1, failure: 2 };

export const doctorCommand: Command = {
  does: 'check the configuration, the database and other services of a server, and suggest remedies; changes nothing',
  exits: {
    [exitCodes.ok]: 'all is well',
    [exitCodes.warning]: 'only warnings',
    [exitCodes.failure]: 'failures',
  },
  json: 'status, checks[] { check, level, found, remedy }',
  async run({ environment }) {
    const { status, checks } = await diagnose(environment);
    return {
      text: checks.map(lineOf).join(''),
      json: {
        status,
        checks: checks.map(({ check, level, found, remedy = null }) => ({
          check,
          level,
          found,
          remedy,
        })),
      },
      exitCode: exitCodes[status],
    };
  },
};

export interface Diagnosis {
  /** The level of the worst finding. */
  readonly status: Level;
  readonly checks: readonly Finding[];
}

/** Contains no secret of the environment. */
export async function diagnose(environment: Environment): Promise<Diagnosis> {
  const checks = withoutSecrets(await examine(environment), secretsIn(environment));
  const status =
    (['failure', 'warning'] as const).find((level) =>
      checks.some((each) => each.level === level),
    ) ?? 'ok';
  return { status, checks };
}

const lineOf = ({ level, check, found, remedy }: Finding): string => {
  const line = `${level.padEnd(8)} ${check.padEnd(13)} `;
  return `${line}${found}\n${remedy ? `${' '.repeat(line.length)}→ ${remedy}\n` : ''}`;
};

/** Messages of others, such as PostgreSQL, may repeat secrets. */
function withoutSecrets(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  const clean = (text: string) => hide(text, secrets);
  return findings.map(({ found, remedy, ...rest }) => ({
    ...rest,
    found: clean(found),
    ...(remedy && { remedy: clean(remedy) }),
  }));
}
