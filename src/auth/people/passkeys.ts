/** Passkeys (WebAuthn): a second way to sign in, with the device's own lock instead of a password. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import { ApiError, invalid } from '../../errors.js';
import { recordUserEvent } from './events.js';
import { hashSecret } from './secrets.js';
import type { WebUser } from './sessions.js';

/** Some 300 modules, of which most sign-ins need none. */
const webauthn = () => import('@simplewebauthn/server');

/** Browsers tie passkeys to a domain name, and take none for an IP address. */
export const havePasskeys = ({ BASE_URL }: Config): boolean => !/^(\d+(\.\d+){3}|\[.*\])$/.test(new URL(BASE_URL).hostname);

/** EdDSA, ES256 and RS256 by their COSE numbers: without a list, the library also asks for what Node has only as an experiment. */
const supportedAlgorithmIDs = [-8, -7, -257];

const originOf = (config: Config) => new URL(config.BASE_URL).origin;
const domainOf = (config: Config) => new URL(config.BASE_URL).hostname;

export interface Passkey {
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export const listPasskeys = (db: Database, userId: string): Promise<Passkey[]> =>
  db.query<Passkey>(
    `select credential_id as "credentialId", name, created_at as "createdAt", last_used_at as "lastUsedAt"
     from passkeys where user_id = $1 order by created_at, credential_id`,
    [userId],
  );

/** Remembers a challenge for the browser; it can be answered once, within five minutes. */
async function remember<Options extends { challenge: string }>(db: Database, browser: string, options: Options): Promise<Options> {
  await db.query(`insert into passkey_challenges (challenge, browser_hash, expires_at) values ($1, $2, now() + interval '5 minutes')`, [
    options.challenge,
    hashSecret(browser),
  ]);
  return options;
}

/** Whether the browser was given this challenge, and hasn't answered it yet. */
const takeChallenge = (db: Database, browser: string) => async (challenge: string) => {
  const taken = await db.query(
    'delete from passkey_challenges where challenge = $1 and browser_hash = $2 and expires_at > now() returning 1',
    [challenge, hashSecret(browser)],
  );
  return taken.length > 0;
};

/** @param browser The secret that the challenge is bound to. */
export async function registrationOptions(db: Database, config: Config, user: WebUser, browser: string) {
  const present = await listPasskeys(db, user.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Lanyard',
    rpID: domainOf(config),
    userName: user.email,
    userDisplayName: user.displayName || user.email,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: present.map(({ credentialId }) => ({ id: credentialId })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return remember(db, browser, options);
}

/** @throws {ApiError} `validation_error` under `credential`. */
export async function addPasskey(
  db: Database,
  config: Config,
  user: WebUser,
  browser: string,
  credential: string,
  name: string,
  actor: Actor,
): Promise<void> {
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: parse<RegistrationResponseJSON>(credential),
    expectedChallenge: takeChallenge(db, browser),
    expectedOrigin: originOf(config),
    expectedRPID: domainOf(config),
    supportedAlgorithmIDs,
  }).catch(refuse);
  if (!registrationInfo) throw refused();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  await db.transaction(async (tx) => {
    const added = await tx.query(
      `insert into passkeys (credential_id, user_id, name, public_key, counter, transports) values ($1, $2, $3, $4, $5, $6)
       on conflict do nothing returning 1`,
      [id, user.id, name, Buffer.from(publicKey), counter, transports],
    );
    if (added.length === 0) throw invalid({ credential: ['This passkey is known already.'] });
    await recordUserEvent(tx, actor, 'add_passkey', user.id, { name: [null, name] });
  });
}

/** @throws {ApiError} `not_found` */
export const removePasskey = (db: Database, userId: string, credentialId: string, actor: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const [removed] = await tx.query<{ name: string }>('delete from passkeys where user_id = $1 and credential_id = $2 returning name', [
      userId,
      credentialId,
    ]);
    if (!removed) throw new ApiError('not_found');
    await recordUserEvent(tx, actor, 'remove_passkey', userId, { name: [removed.name, null] });
  });

/** Names no user: the browser offers whatever passkeys it has for this site. */
export async function signInOptions(db: Database, config: Config, browser: string) {
  const { generateAuthenticationOptions } = await webauthn();
  return remember(db, browser, await generateAuthenticationOptions({ rpID: domainOf(config), userVerification: 'required' }));
}

/**
 * The user whose passkey answered.
 * @throws {ApiError} `validation_error` under `credential`.
 */
export async function checkPasskey(db: Database, config: Config, browser: string, credential: string): Promise<string> {
  const response = parse<AuthenticationResponseJSON>(credential);
  const [known] = await db.query<{ userId: string; publicKey: Buffer; counter: number }>(
    `select p.user_id as "userId", p.public_key as "publicKey", p.counter
     from passkeys p join users u on u.id = p.user_id and u.status = 'active' where p.credential_id = $1`,
    [response.id],
  );
  if (!known) throw invalid({ credential: ['Lanyard does not know this passkey (any more). Sign in with your password.'] });
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: takeChallenge(db, browser),
    expectedOrigin: originOf(config),
    expectedRPID: domainOf(config),
    credential: { id: response.id, publicKey: new Uint8Array(known.publicKey), counter: known.counter },
  }).catch(refuse);
  if (!verified) throw refused();
  await db.query('update passkeys set counter = $2, last_used_at = now() where credential_id = $1', [
    response.id,
    authenticationInfo.newCounter,
  ]);
  return known.userId;
}

/** The passkey that answered. @throws {ApiError} `validation_error` under `credential`. */
export const credentialIdOf = (credential: string): string => parse(credential).id;

const refused = () => invalid({ credential: ['The passkey could not be verified. Try again.'] });

/** The library throws for whatever doesn't hold: a stale challenge, another origin, a bad signature, a counter that went back. */
const refuse = (error: unknown): never => {
  if (error instanceof ApiError || (error as { severity?: unknown }).severity !== undefined) throw error;
  throw refused();
};

function parse<Response extends { id: string }>(credential: string): Response {
  try {
    const value = JSON.parse(credential) as Response;
    if (typeof value?.id === 'string') return value;
  } catch {
    // As any other thing that isn't a credential.
  }
  throw refused();
}
