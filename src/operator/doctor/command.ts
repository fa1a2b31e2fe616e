/** `lanyard doctor`: says of each part whether it is well, and what to do where it is not. */
import type { Inspection } from '../usage.js';
import type { Environment } from './configuration.js';
import { examine } from './examine.js';
import type { Finding, Level } from './finding.js';

const exitCodes: Readonly<Record<Level, number>> = { ok: 0, warning: 1, failure: 2 };

export const doctorCommand: Inspection = {
  does: `look for what is wrong with the configuration, the database and what else a server uses, and say what to do; changes nothing.
      Ends with ${exitCodes.ok} when all is well, ${exitCodes.warning} with warnings alone, ${exitCodes.failure} with failures`,
  usage: '[--json]',
  async inspect(environment, { json }) {
    const diagnosis = await diagnose(environment);
    process.stdout.write(json ? `${JSON.stringify(diagnosis, null, 2)}\n` : diagnosis.checks.map(lineOf).join(''));
    process.exitCode = exitCodes[diagnosis.status];
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

/** Passwords of URLs as they are and as they are written, and keys. */
const secretsIn = (environment: Environment): string[] =>
  Object.entries(environment)
    .flatMap(([name, value = '']) => {
      if (name === 'KEY_ENCRYPTION_SECRET') return value.split(',').map((secret) => secret.trim());
      if (!name.endsWith('_URL') || !URL.canParse(value)) return [];
      const { password, searchParams } = new URL(value);
      return [password, decoded(password), searchParams.get('password') ?? ''];
    })
    .filter(Boolean);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What others say, such as PostgreSQL, may repeat what they were told. */
function withoutSecrets(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return findings.map(({ found, remedy, ...rest }) => ({ ...rest, found: clean(found), ...(remedy && { remedy: clean(remedy) }) }));
}
