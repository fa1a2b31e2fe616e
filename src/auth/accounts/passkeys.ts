/** Passkeys (WebAuthn): sign-in with the device's lock instead of a password. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { ApiError, invalid } from '../../errors.js';
import { recordUserEvent } from './events.js';
import type { WebUser } from './sessions.js';
import type { Proof } from './sign-in.js';
import {
  domainOf,
  expected,
  parseCredential,
  refused,
  rejectPasskey,
  rememberChallenge,
  supportedAlgorithmIDs,
  webauthn,
} from './webauthn.js';

export interface Passkey {
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** False: disabled until the person confirms it. */
  readonly isConfirmed: boolean;
}

export const listPasskeys = (db: Database, userId: string): Promise<Passkey[]> =>
  db.query<Passkey>(
    `select credential_id as "credentialId", name, created_at as "createdAt", last_used_at as "lastUsedAt", is_confirmed as "isConfirmed"
     from passkeys where user_id = $1 order by created_at, credential_id`,
    [userId],
  );

/** @param browser The secret that the challenge is bound to. */
export async function registrationOptions(
  db: Database,
  config: Config,
  user: WebUser,
  browser: string,
) {
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
  return rememberChallenge(db, browser, options);
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
    response: parseCredential<RegistrationResponseJSON>(credential),
    ...expected(db, config, browser),
    supportedAlgorithmIDs,
  }).catch(rejectPasskey);
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
export const removePasskey = (
  db: Database,
  userId: string,
  credentialId: string,
  actor: Actor,
): Promise<void> =>
  db.transaction(async (tx) => {
    const [removed] = await tx.query<{ name: string }>(
      'delete from passkeys where user_id = $1 and credential_id = $2 returning name',
      [userId, credentialId],
    );
    if (!removed) throw new ApiError('not_found');
    await recordUserEvent(tx, actor, 'remove_passkey', userId, { name: [removed.name, null] });
  });

/** Enables a passkey again after a new password. @throws {ApiError} `not_found` */
export const confirmPasskey = (
  db: Database,
  userId: string,
  credentialId: string,
  actor: Actor,
): Promise<void> =>
  db.transaction(async (tx) => {
    const [confirmed] = await tx.query<{ name: string }>(
      'update passkeys set is_confirmed = true where user_id = $1 and credential_id = $2 and not is_confirmed returning name',
      [userId, credentialId],
    );
    if (!confirmed)
      throw new ApiError('not_found', 'There is no such passkey, or it is confirmed already.');
    await recordUserEvent(tx, actor, 'confirm_passkey', userId, { name: [null, confirmed.name] });
  });

/** Names no user: the browser offers all its passkeys for this site. */
export async function signInOptions(db: Database, config: Config, browser: string) {
  const { generateAuthenticationOptions } = await webauthn();
  return rememberChallenge(
    db,
    browser,
    await generateAuthenticationOptions({ rpID: domainOf(config), userVerification: 'required' }),
  );
}

/** Verifies a passkey. @throws {ApiError} `validation_error` under `credential`. */
export async function checkPasskey(
  db: Database,
  config: Config,
  browser: string,
  credential: string,
): Promise<Proof> {
  const response = parseCredential<AuthenticationResponseJSON>(credential);
  const [known] = await db.query<{
    userId: string;
    publicKey: Buffer;
    counter: number;
    isConfirmed: boolean;
  }>(
    `select p.user_id as "userId", p.public_key as "publicKey", p.counter, p.is_confirmed as "isConfirmed"
     from passkeys p join users u on u.id = p.user_id and u.status = 'active' where p.credential_id = $1`,
    [response.id],
  );
  if (!known)
    throw invalid({
      credential: [
        'Lanyard does not know this passkey. It may have been removed. Sign in with your password.',
      ],
    });
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    ...expected(db, config, browser),
    credential: {
      id: response.id,
      publicKey: new Uint8Array(known.publicKey),
      counter: known.counter,
    },
  }).catch(rejectPasskey);
  if (!verified) throw refused();
  if (!known.isConfirmed) throw invalid({ credential: [unconfirmed] });
  await db.query(
    'update passkeys set counter = $2, last_used_at = now() where credential_id = $1',
    [response.id, authenticationInfo.newCounter],
  );
  return { userId: known.userId, method: 'passkey', credentialId: response.id };
}

const unconfirmed =
  'Your password was changed after you added this passkey. Sign in with the password, and confirm the passkey under “Account”.';

/** The passkey of the response. @throws {ApiError} `validation_error` under `credential`. */
export const credentialIdOf = (credential: string): string => parseCredential(credential).id;
