/** A refresh token for a new pair: used up and followed in one statement. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { Refused, readKeys } from './caller.js';
import { query } from './database.js';
import { settings } from './settings.js';

const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

const rotation = `
  with used as (
    update oauth_artefacts a set consumed_at = now() from grants g, apps p, users u
    where a.model = 'RefreshToken' and a.id_hash = $1 and a.consumed_at is null and a.expires_at > now() and g.id = a.grant_id and g.expires_at > now()
      and p.id = g.app_id and p.client_id = $3 and p.status = 'active' and u.id = g.user_id and u.status = 'active'
    returning a.*)
  insert into oauth_artefacts (model, id_hash, grant_id, user_id, payload, expires_at)
  select model, $2, grant_id, user_id, payload || jsonb_build_object('iat', extract(epoch from now())::bigint, 'rotations', coalesce((payload ->> 'rotations')::int, 0) + 1),
    expires_at from used
  returning grant_id as "grantId", user_id as "userId", payload ->> 'scope' as scope`;

let keys: ReturnType<typeof readKeys> | undefined;

export async function refresh(form: URLSearchParams): Promise<object> {
  const next = randomBytes(32).toString('base64url');
  const clientId = form.get('client_id') ?? '';
  const [row] = await query<{ grantId: string; userId: string; scope: string }>(rotation, [
    hashOf(form.get('refresh_token') ?? ''),
    hashOf(next),
    clientId,
  ]);
  if (!row) throw new Refused(400);
  keys ??= readKeys();
  const { signer, kid } = await keys;
  const accessToken = await new SignJWT({
    client_id: clientId,
    grant_id: row.grantId,
    scope: row.scope,
  })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
    .setIssuer(`${settings.base}/auth/v1/oauth`)
    .setAudience(`${settings.base}/v1`)
    .setSubject(row.userId)
    .setIssuedAt()
    .setExpirationTime('600s')
    .setJti(randomUUID())
    .sign(signer);
  return {
    access_token: accessToken,
    expires_in: 600,
    refresh_token: next,
    scope: row.scope,
    token_type: 'Bearer',
  };
}
