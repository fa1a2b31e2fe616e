/** Passkeys (WebAuthn): sign-in with the device's lock instead of a password. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { Passkey } from '../../entities/credentials.js';
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

export const listPasskeys = (db: Database, userId: string): Promise<Passkey[]> =>
  db.em.find(Passkey, { userId }, { orderBy: { createdAt: 'asc', credentialId: 'asc' } });

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
  const passkey = {
    credentialId: id,
    userId: user.id,
    name,
    publicKey: Buffer.from(publicKey),
    counter,
    transports,
  };
  await db.em.transactional(async (em) => {
    const { affectedRows } = await em
      .createQueryBuilder(Passkey)
      .insert(passkey)
      .onConflict('credentialId')
      .ignore()
      .execute();
    if (affectedRows === 0) throw invalid({ credential: ['This passkey is known already.'] });
    await recordUserEvent(em, actor, 'add_passkey', user.id, { name: [null, name] });
  });
}

/** @throws {ApiError} `not_found` */
export const removePasskey = (
  db: Database,
  userId: string,
  credentialId: string,
  actor: Actor,
): Promise<void> =>
  db.em.transactional(async (em) => {
    const passkey = await em.findOne(Passkey, { userId, credentialId });
    if (!passkey || (await em.nativeDelete(Passkey, { userId, credentialId })) === 0)
      throw new ApiError('not_found');
    await recordUserEvent(em, actor, 'remove_passkey', userId, { name: [passkey.name, null] });
  });

/** Enables a passkey again after a new password. @throws {ApiError} `not_found` */
export const confirmPasskey = (
  db: Database,
  userId: string,
  credentialId: string,
  actor: Actor,
): Promise<void> =>
  db.em.transactional(async (em) => {
    const [confirmed] = await em
      .createQueryBuilder(Passkey)
      .update({ isConfirmed: true })
      .where({ userId, credentialId, isConfirmed: false })
      .returning('name')
      .execute('all');
    if (!confirmed)
      throw new ApiError('not_found', 'There is no such passkey, or it is confirmed already.');
    await recordUserEvent(em, actor, 'confirm_passkey', userId, { name: [null, confirmed.name] });
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
  const known = await db.em.findOne(Passkey, {
    credentialId: response.id,
    user: { status: 'active' },
  });
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
  await db.em.nativeUpdate(
    Passkey,
    { credentialId: response.id },
    { counter: authenticationInfo.newCounter, lastUsedAt: sql`now()` },
  );
  return { userId: known.userId, method: 'passkey', credentialId: response.id };
}

const unconfirmed =
  'Your password was changed after you added this passkey. Sign in with the password, and confirm the passkey under “Account”.';

/** The passkey of the response. @throws {ApiError} `validation_error` under `credential`. */
export const credentialIdOf = (credential: string): string => parseCredential(credential).id;
