/** The environment, read once and frozen. Every other module takes a {@link Config}, never `process.env`. */
import { parseEnv } from 'node:util';
import { z } from 'zod';

const oneOf = <const Values extends readonly string[]>(...values: Values) => z.enum(values, `must be one of ${values.join(', ')}`);
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
  .refine((keys) => keys.every(({ length }) => length === 32), 'must be 32 random bytes in base64, or several such separated by commas');

/** Every variable that Lanyard reads, with its default. `.env.example` says what each is for. */
export const variables = z.object({
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  PORT: count(0, 65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: url('http:', 'https:').optional(),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_REPLICA_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: count(2, 500).default(10),
  DATA_DIR: z.string().min(1).default('./data'),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  RATE_LIMIT_PER_MINUTE: count(0, 10_000_000).default(600),
  EXPIRING_WINDOW_DAYS: count(0, 3650).default(30),
  IDEMPOTENCY_TTL_HOURS: count(24, 8760).default(24),
  TRUST_PROXY: flag.default(false),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.string().min(3, 'must be an e-mail address').optional(),
  CHANGES_RETENTION_DAYS: count(1, 3650).default(90),
  KEY_ENCRYPTION_SECRET: aes256Keys.default([]),
  GRAPHQL_INTROSPECTION: flag.default(true),
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

/** Of OpenTelemetry's variables those that its exporters and resources read themselves, from the environment of the process. */
const readBySdk =
  /^OTEL_(SERVICE_NAME|RESOURCE_ATTRIBUTES|EXPORTER_OTLP_((TRACES_|METRICS_)?(HEADERS|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE)|(TRACES|METRICS)_ENDPOINT|METRICS_TEMPORALITY_PREFERENCE))$/;

export type Config = Readonly<z.infer<typeof variables> & { BASE_URL: string }>;

/** Thrown with one message that names every bad variable. */
export class ConfigError extends Error {}

/**
 * @param environment Variables by name. An empty value counts as not set.
 * @throws {ConfigError} naming every malformed variable and what it must be.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = variables.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Lanyard can't start, because the configuration is wrong:\n${lines.join('\n')}`);
  }
  const lonely = (['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const).find((name) => parsed.data[name] && !parsed.data.DATABASE_URL);
  if (lonely) throw new ConfigError(`${lonely} goes with DATABASE_URL, which is not set.`);
  const { HOST, PORT } = parsed.data;
  const base = parsed.data.BASE_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
  return Object.freeze({ ...parsed.data, BASE_URL: base.replace(/\/+$/, '') });
}

/** A name, and a value in quotes or without any, up to a comment. */
const assignment = /^\s*([A-Za-z_]\w*)\s*=\s*(?:"[^"]*"|'[^']*'|`[^`]*`|[^\s"'`#]*|[^\s"'`#][^"'`#]*[^\s"'`#])\s*(?:(?<=[\s"'`=])#.*)?$/;

/**
 * The variables of a `.env` file: one in each line, besides empty lines and comments.
 * @throws {ConfigError} naming each line that is something else, which would silently do nothing or half of it; and those variables that are set twice,
 * or that Lanyard doesn't know. Never shows a value.
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
  if (problems.length > 0) throw new ConfigError(`Lanyard can't start, because .env is wrong:\n${problems.join('\n')}`);
  return parseEnv(text);
}
