/** The environment, as a server reads it. */
import { ConfigError, problemsOf, readConfig } from '../src/config.js';
import { satisfying } from './support/expect.js';

describe('a variable that looks like one of ours', () => {
  for (const [name, meant] of [
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['HOTS', 'HOST'],
    ['BASE_ULR', 'BASE_URL'],
    ['BASEURL', 'BASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_POOL_MAX', 'DATABASE_POOL_SIZE'],
    ['DATADIR', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['RATE_LIMIT_PER_HOUR', 'RATE_LIMIT_PER_MINUTE'],
    ['KEY_ENCRYPTION_SECRETS', 'KEY_ENCRYPTION_SECRET'],
    ['KEY_ENCRYPTION_KEY', 'KEY_ENCRYPTION_SECRET'],
    ['GRAPHQL_INTROSPECTON', 'GRAPHQL_INTROSPECTION'],
    ['NODE_EVN', 'NODE_ENV'],
    ['OTEL_EXPORTER_OTLP_ENDPIONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ] as const)
    it(`stops the start, in production too: ${name}`, () => {
      for (const NODE_ENV of ['development', 'production']) {
        const problems = problemsOf({
          NODE_ENV,
          DATABASE_URL: 'postgres://x/y',
          [name]: 'secret-value',
        });
        expect(problems).toStrictEqual([{ name, problem: `is unknown; did you mean ${meant}?` }]);
      }
    });

  it('is named with all others and with what is malformed, in one message without values', () => {
    const wrong = { PROT: 'secret-value', LOGLEVEL: 'secret-value', TRUST_PROXY: 'secret-value' };
    expect(() => readConfig(wrong)).toThrow(
      satisfying(
        (error) =>
          error instanceof ConfigError &&
          Object.keys(wrong).every((name) => error.message.includes(`  ${name}: `)) &&
          !error.message.includes('secret-value'),
      ),
    );
  });
});

describe('a variable of another program', () => {
  const others = `PATH HOME USER SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL HOSTNAME HOSTTYPE LOGNAME MAIL EDITOR PAGER TZ TMPDIR DISPLAY COLORTERM
    NODE NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION YARN_VERSION npm_config_port npm_package_name INIT_CWD CI DEBUG NO_COLOR FORCE_COLOR
    HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy SSL_CERT_FILE LD_PRELOAD FAKETIME XDG_DATA_DIRS XDG_DATA_HOME PGHOST PGPORT PGDATA PGUSER PGPASSWORD
    POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_URL REDIS_HOST REDIS_PORT REDIS_PASSWORD SMTP_HOST SMTP_PORT SMTP_USER SENTRY_DSN
    KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP_PORT LANYARD_SERVICE_HOST LANYARD_SERVICE_PORT_HTTP LANYARD_PORT
    DATABASE_SERVICE_HOST DATABASE_PORT DATABASE_REPLICA_SERVICE_HOST DATABASE_REPLICA_PORT_5432_TCP_ADDR DATABASE_NAME DATABASE_HOST
    OTEL_LOG_LEVEL OTEL_SDK_DISABLED OTEL_LOGS_EXPORTER OTEL_BSP_SCHEDULE_DELAY OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_TIMEOUT
    OTEL_METRIC_EXPORT_TIMEOUT OTEL_PROPAGATORS OTEL_NODE_RESOURCE_DETECTORS AWS_REGION GITHUB_TOKEN PM2_HOME SUDO_USER SSH_TTY DBUS_SESSION_BUS_ADDRESS`;
  for (const name of others.split(/\s+/))
    it(`is no business of ours: ${name}`, () => expect(problemsOf({ [name]: 'x' })).toEqual([]));
});

describe('BASE_URL', () => {
  for (const [environment, base] of [
    [{}, 'http://localhost:4000'],
    [{ PORT: '5300' }, 'http://localhost:5300'],
    [{ HOST: '0.0.0.0' }, 'http://localhost:4000'],
    [{ HOST: '::1' }, 'http://localhost:4000'],
    [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:4000'],
    [{ HOST: '2001:db8::7' }, 'http://[2001:db8::7]:4000'],
    [{ BASE_URL: 'https://lanyard.example/' }, 'https://lanyard.example'],
  ] as const)
    it(`is ${base} with ${JSON.stringify(environment)}`, () =>
      expect(readConfig(environment).BASE_URL).toBe(base));
});

describe('DATABASE_URL', () => {
  it('must be set in production, to a database or to the embedded one', () => {
    const production = { NODE_ENV: 'production' };
    expect(() => readConfig(production)).toThrow(/^ {2}DATABASE_URL: must be set in production/m);
    expect(readConfig({ ...production, DATABASE_URL: 'embedded' }).DATABASE_URL).toBeUndefined();
    expect(readConfig({ ...production, DATABASE_URL: 'postgres://x/y' }).DATABASE_URL).toBe(
      'postgres://x/y',
    );
    expect(readConfig({}).DATABASE_URL).toBeUndefined();
    expect(() => readConfig({ DATABASE_URL: 'none' })).toThrow(ConfigError);
    expect(() =>
      readConfig({ ...production, DATABASE_URL: 'embedded', DEMO_DATA: 'public' }),
    ).toThrow(/^ {2}DEMO_DATA: must not be public/m);
  });
});
