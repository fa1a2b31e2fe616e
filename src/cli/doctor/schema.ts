/** Checks the contents of the database: migrations, signing keys, and version clocks. */
import { importJWK } from 'jose';
import { type StoredKey, unseal } from '../../auth/key-encryption.js';
import { type Config, ConfigError } from '../../config.js';
import { migrations } from '../../database/migrate.js';
import type { Client } from '../../database/wire/client.js';
import { type Finding, failure, messageOf, ok, orOk, warning } from './finding.js';
import { one } from './session.js';

/** @returns Also whether the other tables are readable. */
export async function checkMigrations(
  client: Client,
): Promise<{ readonly isMigrated: boolean; readonly findings: readonly Finding[] }> {
  const check = 'migrations';
  const { exists } = await one<{ exists: boolean }>(
    client,
    `select to_regclass('migrations') is not null as exists`,
  );
  const { rows } = exists
    ? await client.query<{ name: string }>('select name from migrations')
    : { rows: [] };
  const applied = new Set(rows.map(({ name }) => name));
  const known = (migrations.migrationsList ?? []).map(({ name }) => name);
  const pending = known.filter((name) => !applied.has(name));
  const newer = [...applied].filter((name) => !known.includes(name));
  const findings = [
    ...(pending.length > 0
      ? [
          failure(
            check,
            `the database lacks ${pending.join(', ')}`,
            'Run "lanyard migrate", which the server needs to start.',
          ),
        ]
      : []),
    ...(newer.length > 0
      ? [
          warning(
            check,
            `the database has ${newer.join(', ')}, which this release does not know`,
            'Expected while a newer release is rolled out; otherwise run that release here too.',
          ),
        ]
      : []),
  ];
  return {
    isMigrated: pending.length === 0,
    findings: orOk(findings, check, `all ${known.length} are applied`),
  };
}

/** Maximum seconds that the newest stamp may be ahead of PostgreSQL's clock. */
const aheadLimit = 1;

/** Stamps never decrease, so a clock that was far ahead leaves them ahead. */
export async function checkStamps(client: Client): Promise<Finding> {
  const { ahead } = await one<{ ahead: number | null }>(
    client,
    `select extract(epoch from greatest((select max(ticked_at) from organization_clocks),
       (select max(occurred_at) from audit_events)) - clock_timestamp())::float8 as ahead`,
  );
  if ((ahead ?? 0) <= aheadLimit)
    return ok('stamps', `no organization is ahead of PostgreSQL's clock`);
  const found = `the newest updated_at is ${ahead?.toFixed(0)} s ahead of PostgreSQL's clock, which was stepped back`;
  return warning(
    'stamps',
    found,
    'No data is lost, and stamps continue from there. Let NTP slew the clock, not step it.',
  );
}

interface KeyFacts {
  readonly kid: string;
  readonly purpose: string;
  readonly algorithm: string;
  readonly stored: StoredKey;
  /** Days since its first signature; negative before. */
  readonly age: number;
  readonly signs: boolean;
}

const keysStatement = `
  select kid, purpose, algorithm, private_jwk as stored, extract(epoch from now() - active_from)::float8 / 86400 as age,
    kid = first_value(kid) over (partition by purpose order by active_from > now(), active_from desc) as signs
  from signing_keys where retires_at is null or retires_at > now() order by purpose, active_from`;

/** Age in days at which a key should be replaced. */
const oldAge = 365;

export async function checkKeys(client: Client, config: Config): Promise<readonly Finding[]> {
  const check = 'signing keys';
  const { rows } = await client.query<KeyFacts>(keysStatement);
  if (rows.length === 0)
    return [warning(check, 'there are none yet', 'Start a server, which creates them.')];
  const encrypted = rows.filter(({ stored }) => 'jwe' in stored).length;
  const oldest = Math.max(...rows.filter(({ signs }) => signs).map(({ age }) => Math.floor(age)));
  const found = `${rows.length}, of which ${encrypted} are encrypted; the signing keys are at most ${Math.max(oldest, 0)} days old`;
  const findings = (await Promise.all(rows.map((key) => checkKey(check, key, config)))).flat();
  if (oldest > oldAge)
    findings.push(
      warning(check, `a key has signed for ${oldest} days`, 'Run "lanyard keys rotate".'),
    );
  if (config.KEY_ENCRYPTION_SECRET.length > 0 && encrypted < rows.length) {
    findings.push(
      warning(
        check,
        `${rows.length - encrypted} of ${rows.length} are not encrypted`,
        'Run "lanyard keys rotate", which encrypts them.',
      ),
    );
  }
  return orOk(findings, check, found);
}

async function checkKey(
  check: string,
  { kid, algorithm, purpose, stored }: KeyFacts,
  config: Config,
): Promise<Finding[]> {
  try {
    const jwk = await unseal(config, kid, stored);
    if (purpose !== 'cookie') await importJWK(jwk, algorithm);
  } catch (error) {
    const remedy =
      error instanceof ConfigError
        ? 'Set KEY_ENCRYPTION_SECRET to the secret that it was encrypted with, after the new one.'
        : 'Restore the row from a backup.';
    return [
      failure(
        check,
        error instanceof ConfigError
          ? error.message
          : `the key ${kid} cannot be used: ${messageOf(error)}`,
        remedy,
      ),
    ];
  }
  const [newest] = config.KEY_ENCRYPTION_SECRET;
  const bySecond =
    newest &&
    (await unseal({ KEY_ENCRYPTION_SECRET: [newest] }, kid, stored).then(
      () => false,
      () => true,
    ));
  return bySecond
    ? [
        warning(
          check,
          `the key ${kid} is encrypted with an older secret`,
          'Run "lanyard keys rotate", then remove the older secret.',
        ),
      ]
    : [];
}
