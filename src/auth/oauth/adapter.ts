/** Where oidc-provider keeps what it issues: each kind of artefact in PostgreSQL, in one statement a step. */
import { createHash } from 'node:crypto';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { type Database, pgError } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import type { Authenticator } from '../principal.js';
import { accessTokenLifetime } from '../tokens.js';
import { findClient } from './clients.js';
import { GrantAdapter } from './grants.js';

/** Codes, refresh tokens, sessions and interactions: found by the hash of an id that only its holder knows. */
class ArtefactAdapter implements Adapter {
  constructor(
    private readonly db: Database,
    private readonly model: string,
  ) {}

  async upsert(id: string, { jti, ...payload }: AdapterPayload, expiresIn = 0): Promise<void> {
    // The cookie of the session, a credential like `jti`; nothing reads it here.
    if (payload.session) payload.session = { ...payload.session, cookie: '' };
    try {
      await this.db.query(
        `insert into oauth_artefacts (model, id_hash, grant_id, user_id, uid, payload, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
         on conflict (model, id_hash) do update set user_id = excluded.user_id, payload = excluded.payload, expires_at = excluded.expires_at`,
        [this.model, hashOf(id), this.grantOf(payload), payload.accountId ?? null, payload.uid ?? null, JSON.stringify(payload), expiresIn],
      );
    } catch (error) {
      // Somebody ended the grant (or deleted the app, or the user) since it was looked up.
      if (pgError(error)?.code === '23503') throw new errors.InvalidGrant('the grant has ended');
      throw error;
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.query<Row>(`select payload, ${consumedAt} from oauth_artefacts where model = $1 and id_hash = $2`, [
      this.model,
      hashOf(id),
    ]);
    return row && { ...payloadOf(row), jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.query<Row>(`select payload, ${consumedAt} from oauth_artefacts where model = $1 and uid = $2`, [this.model, uid]);
    return row && payloadOf(row);
  }

  /** Whoever comes second, however close behind, ends all that was issued from the sign-in: one of the two is a thief. */
  async consume(id: string): Promise<void> {
    const [first] = await this.db.query(
      `with used as (
         update oauth_artefacts set consumed_at = now() where model = $1 and id_hash = $2 and consumed_at is null returning 1)
       select 1 from used`,
      [this.model, hashOf(id)],
    );
    if (first) return;
    await this.db.query('delete from grants where id = (select grant_id from oauth_artefacts where model = $1 and id_hash = $2)', [
      this.model,
      hashOf(id),
    ]);
    throw new errors.InvalidGrant('used already');
  }

  async destroy(id: string): Promise<void> {
    await this.db.query('delete from oauth_artefacts where model = $1 and id_hash = $2', [this.model, hashOf(id)]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.db.query('delete from oauth_artefacts where model = $1 and grant_id = $2', [this.model, grantId]);
  }

  /** Not of interactions: theirs is the one that the person gave an earlier time. */
  private grantOf(payload: AdapterPayload): string | null {
    return this.model === 'Interaction' ? null : (payload.grantId ?? null);
  }

  async findByUserCode(): Promise<undefined> {}
}

interface Row {
  readonly payload: AdapterPayload;
  /** Seconds since 1970. */
  readonly consumedAt: number | null;
}

const consumedAt = `extract(epoch from consumed_at)::bigint as "consumedAt"`;

/** What was used is never merely expired: using it again must end the grant, however late. */
const payloadOf = ({ payload, consumedAt: at }: Row): AdapterPayload =>
  at === null ? payload : { ...payload, consumed: at, exp: Math.max(payload.exp ?? 0, Math.floor(Date.now() / 1000) + 60) };

const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

/** Stands before a JWT that is to be revoked or introspected: without it, oidc-provider refuses whatever looks like a JWT. */
export const jwtMark = 'jwt:';

/** Access tokens are JWTs, which aren't stored: finding one is verifying it as the API does, and destroying one is noting that it is refused from now on. */
const accessTokens = (db: Database, authenticator: Authenticator): Adapter => ({
  async find(id) {
    if (!id.startsWith(jwtMark)) return undefined;
    try {
      const { sub, client_id, jti, exp, iat, scope, aud } = await authenticator.verifyLive(db, id.slice(jwtMark.length));
      // Without the grant's id: revoking one token must not end the sign-in.
      return { kind: 'AccessToken', accountId: sub, clientId: client_id, jti, exp, iat, scope, aud };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  },
  async destroy(jti) {
    await db.query(`insert into revoked_tokens (jti, expires_at) values ($1, now() + $2 * interval '1 second') on conflict do nothing`, [
      jti,
      accessTokenLifetime,
    ]);
  },
  async revokeByGrantId() {},
  ...unused('upsert', 'findByUid', 'findByUserCode', 'consume'),
});

/** Apps, looked up at each use, so that a change in the portal holds at once. */
const clients = (db: Database): Adapter => ({
  find: (clientId) => findClient(db, clientId),
  ...unused('upsert', 'findByUid', 'findByUserCode', 'consume', 'destroy', 'revokeByGrantId'),
});

/** The parts of an adapter that its model never asks for. */
const unused = <Name extends keyof Adapter>(...names: Name[]): Record<Name, () => Promise<never>> =>
  Object.fromEntries(names.map((name) => [name, () => Promise.reject(new Error(`${name} is not supported here`))])) as Record<
    Name,
    () => Promise<never>
  >;

export const createAdapter =
  (db: Database, authenticator: Authenticator): AdapterFactory =>
  (model) => {
    if (model === 'Client') return clients(db);
    if (model === 'Grant') return new GrantAdapter(db);
    if (model === 'AccessToken') return accessTokens(db, authenticator);
    return new ArtefactAdapter(db, model);
  };
