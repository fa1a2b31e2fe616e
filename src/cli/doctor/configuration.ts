/** Checks the environment: each variable, and contradictions between variables. */
import { accessSync, constants } from 'node:fs';
import { havePasskeys } from '../../auth/accounts/webauthn.js';
import { type Config, isLoopback, problemsOf, readConfig, variables } from '../../config.js';
import type { Environment } from '../usage.js';
import { type Finding, failure, orOk, warning } from './finding.js';

const check = 'configuration';

/** @returns No configuration when the server would not start with it. */
export function checkConfiguration(environment: Environment): {
  readonly config?: Config;
  readonly findings: readonly Finding[];
} {
  const problems = problemsOf(environment);
  if (problems.length > 0) {
    return {
      findings: problems.map(({ name, problem }) => failure(check, `${name}: ${problem}`, remedy)),
    };
  }
  const config = readConfig(environment);
  const count = Object.keys(variables.shape).filter((name) => environment[name]).length;
  return {
    config,
    findings: orOk(
      contradictions(config, environment),
      check,
      `${count} variables are set, all well-formed`,
    ),
  };
}

const remedy = 'Set it as .env.example describes, or omit it for the default.';

function contradictions(config: Config, environment: Environment): Finding[] {
  const base = new URL(config.BASE_URL);
  const isProduction = config.NODE_ENV === 'production';
  const isHttps = base.protocol === 'https:';
  const when = (holds: boolean, finding: Finding): Finding[] => (holds ? [finding] : []);
  return [
    ...(isProduction ? production(config, environment, base) : []),
    ...when(
      !isProduction && isHttps,
      warning(
        check,
        `BASE_URL is https, but NODE_ENV is ${config.NODE_ENV}`,
        'Set NODE_ENV=production for productive use.',
      ),
    ),
    ...when(
      isHttps && !config.TRUST_PROXY,
      failure(
        check,
        'BASE_URL is https, but TRUST_PROXY is not set: every request seems to come from the proxy over http',
        'Set TRUST_PROXY=true, behind a proxy that terminates TLS and sets X-Forwarded-For and X-Forwarded-Proto itself.',
      ),
    ),
    ...when(
      !havePasskeys(config),
      warning(
        check,
        `BASE_URL names the address ${base.hostname}: browsers support no passkeys for IP addresses`,
        'Set BASE_URL with a host name.',
      ),
    ),
    ...when(
      config.DATABASE_URL !== undefined && config.DATABASE_URL === config.DATABASE_DIRECT_URL,
      warning(
        check,
        'DATABASE_DIRECT_URL is DATABASE_URL: statements are not prepared, although there is no pooler',
        'Omit DATABASE_DIRECT_URL without a pooler.',
      ),
    ),
    ...when(
      config.MAIL_FROM !== undefined && !config.SMTP_URL,
      warning(
        check,
        'MAIL_FROM is set, but SMTP_URL is not: no mail is sent',
        'Set SMTP_URL, or omit MAIL_FROM.',
      ),
    ),
    ...when(
      config.GRAPHQL_TRUSTED_DOCUMENTS !== undefined &&
        !isReadable(config.GRAPHQL_TRUSTED_DOCUMENTS),
      failure(
        check,
        'GRAPHQL_TRUSTED_DOCUMENTS names a file that cannot be read',
        'Fix the path, or the permissions of the file.',
      ),
    ),
  ];
}

function production(config: Config, environment: Environment, base: URL): Finding[] {
  const problems: (Finding | false)[] = [
    !environment.BASE_URL &&
      failure(
        check,
        `BASE_URL is not set: tokens name ${base.href} as their issuer`,
        'Set BASE_URL to the public URL.',
      ),
    Boolean(environment.BASE_URL) &&
      base.protocol === 'http:' &&
      !isLoopback(base.hostname) &&
      failure(
        check,
        'BASE_URL is http: tokens and passwords are sent unencrypted',
        'Put a proxy with TLS in front, and set BASE_URL to https.',
      ),
    !config.DATABASE_URL &&
      warning(
        check,
        'DATABASE_URL is embedded: only one process can serve, and the data is not replicated',
        'Back up DATA_DIR while the server is stopped, or set DATABASE_URL to a PostgreSQL of your own.',
      ),
    config.RATE_LIMIT_PER_MINUTE === 0 &&
      warning(check, 'RATE_LIMIT_PER_MINUTE is 0: requests are not limited', 'Set a rate.'),
    config.KEY_ENCRYPTION_SECRET.length === 0 &&
      warning(
        check,
        'KEY_ENCRYPTION_SECRET is not set: anyone with a backup can sign tokens',
        'Set it to the output of "openssl rand -base64 32", restart, and run "lanyard keys rotate".',
      ),
    Boolean(environment.KUBERNETES_SERVICE_HOST) &&
      isLoopback(config.HOST) &&
      failure(
        check,
        `HOST is ${config.HOST}: it is not reachable from outside of the container`,
        'Set HOST=0.0.0.0.',
      ),
  ];
  return problems.filter((problem) => problem !== false);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
