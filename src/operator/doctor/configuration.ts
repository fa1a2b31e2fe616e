/** Looks at the environment: each variable by itself, and those that contradict each other. */
import { accessSync, constants } from 'node:fs';
import { havePasskeys } from '../../auth/people/webauthn.js';
import { type Config, ConfigError, readConfig, variables } from '../../config.js';
import type { Environment } from '../usage.js';
import { type Finding, failure, orOk, warning } from './finding.js';

const check = 'configuration';

/** @returns No configuration when the server wouldn't start on it either. */
export function checkConfiguration(environment: Environment): { readonly config?: Config; readonly findings: readonly Finding[] } {
  const set = Object.entries(environment).filter(([name, value]) => name in variables.shape && value);
  const malformed = variables.safeParse(Object.fromEntries(set)).error?.issues ?? [];
  if (malformed.length > 0) {
    return { findings: malformed.map(({ path, message }) => failure(check, `${path.join('.')} is malformed: it ${message}`, remedy)) };
  }
  try {
    const config = readConfig(environment);
    return { config, findings: orOk(contradictions(config, environment), check, `${set.length} variables are set, all well-formed`) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: [failure(check, error.message, remedy)] };
  }
}

const remedy = 'Set it as .env.example describes, or leave it out for the default.';

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

function contradictions(config: Config, environment: Environment): Finding[] {
  const base = new URL(config.BASE_URL);
  const isProduction = config.NODE_ENV === 'production';
  const isHttps = base.protocol === 'https:';
  const when = (holds: boolean, finding: Finding): Finding[] => (holds ? [finding] : []);
  return [
    ...(isProduction ? production(config, environment, base) : []),
    ...when(
      !isProduction && isHttps,
      warning(check, `BASE_URL is https, but NODE_ENV is ${config.NODE_ENV}`, 'Set NODE_ENV=production where people rely on it.'),
    ),
    ...when(
      isHttps && !config.TRUST_PROXY,
      failure(
        check,
        'BASE_URL is https, but TRUST_PROXY is not set: every request seems to come over http, and from the proxy',
        'Set TRUST_PROXY=true, behind a proxy that ends TLS and sets X-Forwarded-For and X-Forwarded-Proto itself.',
      ),
    ),
    ...when(
      !havePasskeys(config),
      warning(
        check,
        `BASE_URL names the address ${base.hostname}: browsers have no passkeys for addresses`,
        'Set BASE_URL with a host name.',
      ),
    ),
    ...when(
      config.DATABASE_URL !== undefined && config.DATABASE_URL === config.DATABASE_DIRECT_URL,
      warning(
        check,
        'DATABASE_DIRECT_URL is DATABASE_URL: statements are not prepared, for a pooler that there is not',
        'Leave DATABASE_DIRECT_URL out where there is no pooler.',
      ),
    ),
    ...when(
      config.MAIL_FROM !== undefined && !config.SMTP_URL,
      warning(check, 'MAIL_FROM is set, but SMTP_URL is not: no mail is sent', 'Set SMTP_URL, or leave MAIL_FROM out.'),
    ),
    ...when(
      config.GRAPHQL_TRUSTED_DOCUMENTS !== undefined && !isReadable(config.GRAPHQL_TRUSTED_DOCUMENTS),
      failure(check, 'GRAPHQL_TRUSTED_DOCUMENTS names a file that cannot be read', 'Fix the path, or who may read the file.'),
    ),
  ];
}

function production(config: Config, environment: Environment, base: URL): Finding[] {
  const problems: (Finding | false)[] = [
    !environment.BASE_URL &&
      failure(check, `BASE_URL is not set: tokens name ${base.href} as their issuer`, 'Set BASE_URL to the address that the world uses.'),
    Boolean(environment.BASE_URL) &&
      base.protocol === 'http:' &&
      !isLoopback(base.hostname) &&
      failure(
        check,
        'BASE_URL is http: tokens and passwords cross the network in the clear',
        'Put a proxy with TLS in front, and set BASE_URL to https.',
      ),
    !config.DATABASE_URL &&
      failure(
        check,
        'DATABASE_URL is not set: the embedded PostgreSQL has demo people, whose password is public',
        'Set DATABASE_URL to a PostgreSQL of your own.',
      ),
    config.RATE_LIMIT_PER_MINUTE === 0 && warning(check, 'RATE_LIMIT_PER_MINUTE is 0: nobody is limited', 'Set a rate.'),
    config.KEY_ENCRYPTION_SECRET.length === 0 &&
      warning(
        check,
        'KEY_ENCRYPTION_SECRET is not set: whoever reads a backup can sign tokens',
        'Set it to the output of "openssl rand -base64 32", restart, and run "lanyard keys rotate".',
      ),
    Boolean(environment.KUBERNETES_SERVICE_HOST) &&
      isLoopback(config.HOST) &&
      failure(check, `HOST is ${config.HOST}: nothing outside of the container reaches it`, 'Set HOST=0.0.0.0.'),
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
