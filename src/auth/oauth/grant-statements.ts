/** SQL about grants that MikroORM's builder cannot express: an upsert from a query. */
import type { Database } from '../../database/connection.js';

interface Upserted {
  readonly userId: string;
  readonly appId: string;
  readonly isNew: boolean;
}

/** @returns Undefined when there is no such app. */
export async function upsertGrant(
  tx: Database,
  grant: {
    readonly id: string;
    readonly clientId: string;
    readonly userId: string;
    readonly payload: object;
    readonly expiresIn: number;
  },
): Promise<Upserted | undefined> {
  const { id, clientId, userId, payload, expiresIn } = grant;
  const [upserted] = await tx.query<Upserted>(
    `insert into grants (id, app_id, user_id, payload, expires_at)
     select $1, a.id, $2, $4, now() + $5 * interval '1 second' from apps a where a.client_id = $3
     on conflict (id) do update set payload = excluded.payload, expires_at = excluded.expires_at
     returning user_id as "userId", app_id as "appId", xmax = 0 as "isNew"`,
    [id, userId, clientId, JSON.stringify(payload), expiresIn],
  );
  return upserted;
}
