/** Signing keys at rest: with KEY_ENCRYPTION_SECRET, the database alone gives nobody a key. */
import { randomBytes } from 'node:crypto';
import { ensureKeys, rotateKeys } from '../../../src/auth/key-store.js';
import { KeyRing } from '../../../src/auth/keys.js';
import { Authenticator } from '../../../src/auth/principal.js';
import { ConfigError, readConfig } from '../../../src/config.js';
import { openApp, startApp } from '../../support/app.js';
import { nobody } from '../../support/changes.js';
import { satisfying } from '../../support/expect.js';
import { managerEmail } from '../../support/names.js';
import { freePort, runLanyard } from '../../support/server.js';

const app = await startApp();
const { db } = app;
const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const withSecrets = (...secrets: string[]) =>
  readConfig({
    BASE_URL: app.config.BASE_URL,
    NODE_ENV: 'test',
    KEY_ENCRYPTION_SECRET: secrets.join(','),
  });

const stored = () =>
  db.query<{ kid: string; jwk: Record<string, string> }>(
    'select kid, private_jwk as jwk from signing_keys order by kid',
  );
const parts = async () =>
  [...new Set((await stored()).flatMap(({ jwk }) => Object.keys(jwk)))].sort();
/** Whether a server that starts with the secrets takes the token. */
async function accepts(token: string, ...secrets: string[]): Promise<boolean> {
  const config = withSecrets(...secrets);
  const keys = new KeyRing(db, config);
  await keys.reload();
  return new Authenticator(config, keys, db).verifyLive(token).then(
    () => true,
    () => false,
  );
}

describe('signing keys', () => {
  it('lie as they are while there is no secret, and stay in use when one is set', async () => {
    const token = await app.token(managerEmail);
    expect(await parts()).toContain('d');
    expect(await accepts(token, first)).toBe(true);
  });

  it('are encrypted by the next rotation, the old ones too, and tokens from before stay good', async () => {
    const token = await app.token(managerEmail);
    await rotateKeys(db, withSecrets(first), nobody, 600);
    const rows = await stored();
    expect(rows).toHaveLength(6);
    for (const { kid, jwk } of rows) {
      expect(Object.keys(jwk)).toEqual(['jwe']);
      const header = JSON.parse(Buffer.from(jwk.jwe?.split('.')[0] ?? '', 'base64url').toString());
      expect(header).toStrictEqual({ alg: 'dir', enc: 'A256GCM', kid });
    }
    expect(await accepts(token, first)).toBe(true);
  });

  it('are made encrypted where there were none', async () => {
    await using made = await openApp();
    await made.db.query('delete from signing_keys');
    await ensureKeys(made.db, withSecrets(first));
    const rows = await made.db.query<{ jwk: object }>(
      'select private_jwk as jwk from signing_keys',
    );
    expect(rows.map(({ jwk }) => Object.keys(jwk))).toEqual([['jwe'], ['jwe'], ['jwe']]);
  });

  for (const [what, secrets] of [
    ['no secret', []],
    ['another secret', [second]],
  ] as const) {
    it(`can't be opened with ${what}: the server does not start, and says which variable it needs`, async () => {
      await expect(new KeyRing(db, withSecrets(...secrets)).reload()).rejects.toThrow(ConfigError);
      const env = {
        DATABASE_URL: app.url,
        PORT: String(await freePort()),
        KEY_ENCRYPTION_SECRET: secrets.join(),
      };
      const run = runLanyard(['serve'], env);
      expect(await run.ended).toBe(2);
      expect(run.output.stderr).toMatch(
        /^The signing key \S+ is encrypted, and no secret in KEY_ENCRYPTION_SECRET decrypts it\.\n$/,
      );
    });
  }

  it('change to another secret by a rotation with both', async () => {
    const token = await app.token(managerEmail);
    expect(await accepts(token, second, first)).toBe(true);
    await rotateKeys(db, withSecrets(second, first), nobody, 600);
    expect(await accepts(token, second)).toBe(true);
    await expect(accepts(token, first)).rejects.toThrow(ConfigError);
  });

  it('are refused under the id of another', async () => {
    const [one, other] = await stored();
    await db.query('update signing_keys set private_jwk = $2 where kid = $1', [
      one?.kid,
      JSON.stringify(other?.jwk),
    ]);
    await expect(new KeyRing(db, withSecrets(second)).reload()).rejects.toThrow(ConfigError);
  });
});

it('a secret that is not 32 bytes is refused at the start, without being shown', () => {
  for (const wrong of [
    'passphrase-of-mine',
    randomBytes(16).toString('base64'),
    `${first},short`,
  ]) {
    expect(() => withSecrets(wrong)).toThrow(
      satisfying(
        (error) =>
          error instanceof ConfigError &&
          /KEY_ENCRYPTION_SECRET: must be 32 random bytes/.test(error.message) &&
          !error.message.includes(wrong),
      ),
    );
  }
});
