import { createHash } from 'node:crypto';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import { pgError } from '../../database/failures.js';
import { OAuthModel } from '../../entities/oauth.js';
import { endGrant } from './grants.js';
import { currentRequest } from './request.js';
import { Store } from './store.js';

/** Codes, refresh tokens, sessions and interactions, found by the hash of a secret id. */
export class OAuthModels extends Store {
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
    if (this.model === 'Interaction' && payload.result) return this.finish(id, payload, expiresIn);
    try {
      await this.db.em
        .createQueryBuilder(OAuthModel)
        .insert({
          model: this.model,
          idHash: hashOf(id),
          grantId: grantId ?? null,
          userId: payload.accountId ?? null,
          uid: payload.uid ?? null,
          payload,
          expiresAt: sql`now() + ${expiresIn} * interval '1 second'`,
        })
        .onConflict(['model', 'idHash'])
        .merge(['userId', 'payload', 'expiresAt'])
        .execute();
    } catch (error) {
      // The grant was ended, or the user deleted, after the look-up.
      if (pgError(error)?.code === '23503') throw new errors.InvalidGrant('the grant has ended');
      throw error;
    }
  }

  /** Stores the result of an interaction, unless the browser went on with an earlier one. */
  private async finish(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const changes = { payload, expiresAt: sql`now() + ${expiresIn} * interval '1 second'` };
    const updated = await this.db.em.nativeUpdate(OAuthModel, this.keyOf(id), changes);
    if (updated === 0) throw new errors.SessionNotFound(finished);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const artefact = await this.db.em.findOne(OAuthModel, this.keyOf(id));
    return artefact ? { ...payloadOf(artefact), jti: id } : undefined;
  }

  override async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const artefact = await this.db.em.findOne(OAuthModel, { model: this.model, uid });
    return artefact ? payloadOf(artefact) : undefined;
  }

  /**
   * A second use, even a concurrent one, ends everything that was issued from the sign-in, because
   * one of the two clients stole the code or token.
   */
  override async consume(id: string): Promise<void> {
    const key = this.keyOf(id);
    const { em } = this.db;
    const first = await em.nativeUpdate(
      OAuthModel,
      { ...key, consumedAt: null },
      { consumedAt: sql`now()` },
    );
    if (first > 0) return;
    const artefact = await em.findOne(OAuthModel, key);
    if (artefact?.grantId) await endGrant(this.db, artefact.grantId);
    throw new errors.InvalidGrant('used already');
  }

  /** Of several concurrent returns from one interaction, only the one that deletes it goes on. */
  override async destroy(id: string): Promise<void> {
    const deleted = await this.db.em.nativeDelete(OAuthModel, this.keyOf(id));
    if (deleted === 0 && this.model === 'Interaction') throw new errors.SessionNotFound(finished);
  }

  private keyOf(id: string) {
    return { model: this.model, idHash: hashOf(id) };
  }
}

const finished = 'the sign-in was finished already';

const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

/** A used code or token never counts as merely expired: reuse must end the grant, however late. */
function payloadOf({ payload, consumedAt }: OAuthModel): AdapterPayload {
  if (consumedAt === null) return payload;
  return {
    ...payload,
    consumed: Math.round(Date.parse(consumedAt) / 1000),
    exp: Math.max(Number(payload.exp ?? 0), Math.floor(Date.now() / 1000) + 60),
  };
}
