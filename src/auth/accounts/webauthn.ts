/** Common parts of the WebAuthn ceremonies: the library, the relying party, and challenges. */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { ApiError, invalid } from '../../errors.js';
import { hashSecret } from './secrets.js';

/** Loaded on demand: about 300 modules, which most sign-ins do not need. */
export const webauthn = () => import('@simplewebauthn/server');

/**
 * EdDSA, ES256 and RS256 by their COSE numbers. By default the library also requests algorithms
 * that are experimental in Node.
 */
export const supportedAlgorithmIDs = [-8, -7, -257];

export const domainOf = (config: Config) => new URL(config.BASE_URL).hostname;

/** Browsers bind passkeys to a domain name, and refuse IP addresses. */
export const havePasskeys = (config: Config): boolean =>
  !/^(\d+(\.\d+){3}|\[.*\])$/.test(domainOf(config));

/** Stores a challenge for the browser; it is valid once, for five minutes. */
export async function rememberChallenge<Options extends { challenge: string }>(
  db: Database,
  browser: string,
  options: Options,
): Promise<Options> {
  await db.query(
    `insert into passkey_challenges (challenge, browser_hash, expires_at) values ($1, $2, now() + interval '5 minutes')`,
    [options.challenge, hashSecret(browser)],
  );
  return options;
}

/** Whether the browser has this challenge; consumes it. */
const takeChallenge = (db: Database, browser: string) => async (challenge: string) => {
  const taken = await db.query(
    'delete from passkey_challenges where challenge = $1 and browser_hash = $2 and expires_at > now() returning 1',
    [challenge, hashSecret(browser)],
  );
  return taken.length > 0;
};

/** The expected values of a response, in both ceremonies. */
export const expected = (db: Database, config: Config, browser: string) => ({
  expectedChallenge: takeChallenge(db, browser),
  expectedOrigin: new URL(config.BASE_URL).origin,
  expectedRPID: domainOf(config),
});

export const refused = () =>
  invalid({ credential: ['The passkey could not be verified. Try again.'] });

/**
 * The library throws for any invalid response: a stale challenge, another origin, a bad signature,
 * a counter that went back.
 */
export const rejectPasskey = (error: unknown): never => {
  if (error instanceof ApiError || (error as { severity?: unknown }).severity !== undefined)
    throw error;
  throw refused();
};

/** Parses the response of the browser, as its script sends it. */
export function parseCredential<Response extends { id: string }>(credential: string): Response {
  try {
    const value = JSON.parse(credential) as Response;
    if (typeof value?.id === 'string') return value;
  } catch {
    // Treated like any other invalid credential.
  }
  throw refused();
}
