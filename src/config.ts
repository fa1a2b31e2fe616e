/**
 * The environment, read once and frozen. All other modules use a {@link Config}, never
 * `process.env`.
 */
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { distance } from './spelling.js';

const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`);
const flag = oneOf('true', 'false', '1', '0').transform((text) => text === 'true' || text === '1');
const count = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= least && n <= most, `must be from ${least} to ${most}`);
const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL that begins with ${protocols.join(' or ')}`,
    );

const aes256Keys = z
  .string()
  .transform((text) => text.split(',').map((each) => Buffer.from(each.trim(), 'base64')))
  .refine(
    (keys) => keys.every(({ length }) => length === 32),
    'must be 32 random bytes in base64, or several of them separated by commas',
  );

/** The value of `DATABASE_URL` for the embedded PostgreSQL. */
const embedded = 'embedded';

/** Every variable that Lanyard reads, with its default. `.env.example` describes them. */
export const variables = z.object({
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  PORT: count(0, 65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: url('http:', 'https:').optional(),
  DATABASE_URL: z.literal(embedded).or(url('postgres:', 'postgresql:')).optional(),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_REPLICA_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: count(2, 500).default(10),
  DATA_DIR: z.string().min(1).default('./data'),
  DEMO_DATA: oneOf('local', 'public', 'none').default('local'),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  RATE_LIMIT_PER_MINUTE: count(0, 10_000_000).default(600),
  EXPIRING_WINDOW_DAYS: count(0, 3650).default(30),
  IDEMPOTENCY_TTL_HOURS: count(24, 8760).default(24),
  TRUST_PROXY: flag.default(false),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/,
      'must begin with mailto:, https:// or tel:',
    )
    .optional(),
  MAIL_FROM: z.string().min(3, 'must be an e-mail address').optional(),
  STREAM_LIMIT: count(1, 100_000).default(2000),
  CHANGES_RETENTION_DAYS: count(1, 3650).default(90),
  KEY_ENCRYPTION_SECRET: aes256Keys.default([]),
  GRAPHQL_SANDBOX: flag.optional(),
  GRAPHQL_INTROSPECTION: oneOf('true', 'authenticated', 'false', '1', '0')
    .transform((text) => (text === '1' ? 'true' : text === '0' ? 'false' : text))
    .optional(),
  GRAPHQL_COST_LIMIT: count(100, 1_000_000_000).default(50_000),
  GRAPHQL_TRUSTED_DOCUMENTS: z.string().min(1).optional(),
  METRICS_PORT: count(1, 65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: count(1, 60_000).default(2000),
  OTEL_METRICS_EXPORTER: oneOf('otlp', 'none').default('otlp'),
  OTEL_METRIC_EXPORT_INTERVAL: count(100, 3_600_000).default(60_000),
  OTEL_TRACES_SAMPLER: oneOf(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be from 0 to 1')
    .transform(Number)
    .default(1),
});

/**
 * OpenTelemetry variables that its exporters and resource detectors read from the environment of
 * the process.
 */
const readBySdk =
  /^OTEL_(SERVICE_NAME|RESOURCE_ATTRIBUTES|EXPORTER_OTLP_((TRACES_|METRICS_)?(HEADERS|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE)|(TRACES|METRICS)_ENDPOINT|METRICS_TEMPORALITY_PREFERENCE))$/;

export type Config = Readonly<
  z.infer<typeof variables> & {
    BASE_URL: string;
    GRAPHQL_INTROSPECTION: 'true' | 'authenticated' | 'false';
    GRAPHQL_SANDBOX: boolean;
  }
>;

/** Thrown with one message that names every invalid variable. */
export class ConfigError extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @param environment Variables by name. An empty value counts as not set.
 * @returns The configuration. `DATABASE_URL` is undefined for the embedded PostgreSQL.
 * @throws {ConfigError} that names every variable that is malformed, contradicts another, or looks
 * misspelt.
 */
export function readConfig(environment: Variables): Config {
  const problems = problemsOf(environment);
  const lines = problems.map(({ name, problem }) => `  ${name}: ${problem}`);
  if (lines.length > 0)
    throw new ConfigError(
      `Lanyard cannot start, because the configuration is invalid:\n${lines.join('\n')}`,
    );
  const { HOST, PORT, DATABASE_URL, BASE_URL, GRAPHQL_INTROSPECTION, ...rest } = variables.parse(
    nonEmpty(environment),
  );
  return Object.freeze({
    ...rest,
    HOST,
    PORT,
    GRAPHQL_INTROSPECTION:
      GRAPHQL_INTROSPECTION ?? (rest.NODE_ENV === 'production' ? 'authenticated' : 'true'),
    GRAPHQL_SANDBOX: rest.GRAPHQL_SANDBOX ?? rest.NODE_ENV !== 'production',
    DATABASE_URL: DATABASE_URL === embedded ? undefined : DATABASE_URL,
    BASE_URL: (BASE_URL ?? `http://${hostInUrl(HOST)}:${PORT}`).replace(/\/+$/, ''),
  });
}

const nonEmpty = (environment: Variables): Variables =>
  Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );

/** Browsers support passkeys for `localhost`, but not for IP addresses. */
const hostInUrl = (host: string): string => {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** Whether a server that listens on the host is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

export interface ConfigProblem {
  readonly name: string;
  /** Without the value, which may be secret. */
  readonly problem: string;
}

/** All problems of the variables. */
export function problemsOf(environment: Variables): readonly ConfigProblem[] {
  const set = nonEmpty(environment);
  const misspelt = Object.keys(set).flatMap((name) => {
    const meant = meantBy(name);
    return meant ? [{ name, problem: `is unknown; did you mean ${meant}?` }] : [];
  });
  const { data, error } = variables.safeParse(set);
  const malformed =
    error?.issues.map(({ path, message }) => ({ name: path.join('.'), problem: message })) ?? [];
  return [...misspelt, ...malformed, ...(data ? contradictions(data) : [])];
}

function contradictions({
  NODE_ENV,
  DATABASE_URL,
  DEMO_DATA,
  ...rest
}: z.infer<typeof variables>): ConfigProblem[] {
  const hasUrl = DATABASE_URL !== undefined && DATABASE_URL !== embedded;
  const problem = (holds: boolean, name: string, text: string) =>
    holds ? [{ name, problem: text }] : [];
  const isProduction = NODE_ENV === 'production';
  return [
    ...problem(
      isProduction && DATABASE_URL === undefined,
      'DATABASE_URL',
      `must be set in production: to your PostgreSQL, or to "${embedded}" for the one that Lanyard brings and keeps in DATA_DIR`,
    ),
    ...problem(
      isProduction && DEMO_DATA === 'public',
      'DEMO_DATA',
      'must not be public in production, where no demo data is loaded',
    ),
    ...(['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const).flatMap((name) =>
      problem(
        !hasUrl && rest[name] !== undefined,
        name,
        'goes with a DATABASE_URL, which is not set',
      ),
    ),
  ];
}

/** Kubernetes sets such variables for each Service. */
const ofService = /_SERVICE_(HOST|PORT)|_PORT(_|$)/;

/**
 * The variable of Lanyard that a misspelt name resembles; undefined for a variable of another
 * program.
 */
function meantBy(name: string): string | undefined {
  const known = Object.keys(variables.shape);
  if (known.includes(name) || readBySdk.test(name)) return undefined;
  const upper = name.toUpperCase();
  const [nearest] = known
    .map((each) => ({ each, distance: distance(upper, each) }))
    .filter(({ each, distance: changed }) => changed <= (each.length < 8 ? 1 : 2))
    .sort((one, other) => one.distance - other.distance);
  if (nearest) return nearest.each;
  const family = known.find(
    (each) => each.split('_').length > 2 && upper.startsWith(each.replace(/[^_]+$/, '')),
  );
  return family?.startsWith('OTEL_') || ofService.test(upper) ? undefined : family;
}

/** A name and a value, quoted or not, up to a comment. */
const assignment =
  /^\s*([A-Za-z_]\w*)\s*=\s*(?:"[^"]*"|'[^']*'|`[^`]*`|[^\s"'`#]*|[^\s"'`#][^"'`#]*[^\s"'`#])\s*(?:(?<=[\s"'`=])#.*)?$/;

/**
 * Parses a `.env` file: one variable per line, empty lines and comments.
 * @throws {ConfigError} that names each malformed line, which would otherwise be ignored in part,
 * and variables that are set twice or unknown. Never shows a value.
 */
export function readEnvFile(text: string): Record<string, string | undefined> {
  const seen = new Set<string>();
  const problems = text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const name = assignment.exec(line)?.[1];
    const problem = !name
      ? 'must be NAME=value, with the value in quotes where it has spaces, quotes or a #'
      : !(name in variables.shape || readBySdk.test(name))
        ? `${name} is unknown`
        : seen.has(name) && `${name} is set twice`;
    if (name) seen.add(name);
    return problem ? [`  line ${index + 1}: ${problem}`] : [];
  });
  if (problems.length > 0)
    throw new ConfigError(`Lanyard cannot start, because .env is invalid:\n${problems.join('\n')}`);
  return parseEnv(text);
}
