import { createHash } from 'node:crypto';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { pgError } from '../../database/failures.js';
import { endGrant } from './grants.js';
import { currentRequest } from './request.js';
import { Store } from './store.js';

interface Row {
  readonly payload: AdapterPayload;
  /** Seconds since 1970. */
  readonly consumedAt: number | null;
}

const select = `select payload, extract(epoch from consumed_at)::bigint as "consumedAt" from oauth_artefacts`;

/** Codes, refresh tokens, sessions and interactions, found by the hash of a secret id. */
export class Artefacts extends Store {
  constructor(
    private readonly db: Database,
    private readonly model: string,
    /** Called before the row of a new sign-in is stored; may throw to refuse it. */
    private readonly onBeginning: () => Promise<void> = async () => {},
  ) {
    super();
  }

  override async upsert(
    id: string,
    { jti, ...payload }: AdapterPayload,
    expiresIn = 0,
  ): Promise<void> {
    if (this.model === 'Interaction' && currentRequest()?.path === '/authorize')
      await this.onBeginning();
    // The session's id is a credential like `jti`, and is not read here.
    if (payload.session) payload.session = { ...payload.session, cookie: '' };
    // The grant of an interaction is an earlier one.
    const grantId = this.model === 'Interaction' ? undefined : payload.grantId;
    try {
      await this.db.query(
        `insert into oauth_artefacts (model, id_hash, grant_id, user_id, uid, payload, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
         on conflict (model, id_hash) do update set user_id = excluded.user_id, payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          this.model,
          hashOf(id),
          grantId ?? null,
          payload.accountId ?? null,
          payload.uid ?? null,
          JSON.stringify(payload),
          expiresIn,
        ],
      );
    } catch (error) {
      // The grant was ended, or the user deleted, after the look-up.
      if (pgError(error)?.code === '23503') throw new errors.InvalidGrant('the grant has ended');
      throw error;
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.query<Row>(`${select} where model = $1 and id_hash = $2`, [
      this.model,
      hashOf(id),
    ]);
    return row && { ...payloadOf(row), jti: id };
  }

  override async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.query<Row>(`${select} where model = $1 and uid = $2`, [
      this.model,
      uid,
    ]);
    return row && payloadOf(row);
  }

  /**
   * A second use, even a concurrent one, ends everything that was issued from the sign-in, because
   * one of the two clients stole the code or token.
   */
  override async consume(id: string): Promise<void> {
    const key = [this.model, hashOf(id)];
    const first = await this.db.query(
      'update oauth_artefacts set consumed_at = now() where model = $1 and id_hash = $2 and consumed_at is null returning 1',
      key,
    );
    if (first.length > 0) return;
    await endGrant(
      this.db,
      'id = (select grant_id from oauth_artefacts where model = $1 and id_hash = $2)',
      key,
    );
    throw new errors.InvalidGrant('used already');
  }

  override async destroy(id: string): Promise<void> {
    await this.db.query('delete from oauth_artefacts where model = $1 and id_hash = $2', [
      this.model,
      hashOf(id),
    ]);
  }
}

const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

/** A used code or token never counts as merely expired: reuse must end the grant, however late. */
const payloadOf = ({ payload, consumedAt }: Row): AdapterPayload =>
  consumedAt === null
    ? payload
    : {
        ...payload,
        consumed: consumedAt,
        exp: Math.max(payload.exp ?? 0, Math.floor(Date.now() / 1000) + 60),
      };
