/** How the operator looks after apps. */
import { findApp, type RegisteredApp } from '../auth/apps/registry.js';
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';

/** @throws {ApiError} `not_found`. */
export async function requireApp(db: Database, clientId: string): Promise<RegisteredApp> {
  const app = await findApp(db, clientId);
  if (!app) throw new ApiError('not_found', `There is no app ${clientId}: “lanyard apps list” shows them all.`);
  return app;
}

interface ListedApp {
  readonly clientId: string;
  readonly name: string;
  readonly status: string;
  readonly isFirstParty: boolean;
  readonly owner: string | null;
  readonly grants: number;
}

/** All apps as a table of text, with how many grants of each are alive. */
export async function listApps(db: Database): Promise<string> {
  const apps = await db.query<ListedApp>(
    `select a.client_id as "clientId", a.name, a.status, a.is_first_party as "isFirstParty", u.email as owner,
       (select count(*) from grants g where g.app_id = a.id and g.expires_at > now()) as grants
     from apps a left join users u on u.id = a.owner_id order by a.client_id`,
  );
  const rows = apps.map(({ clientId, name, status, isFirstParty, owner, grants }) => [
    clientId,
    name,
    isFirstParty ? `${status}, first-party` : status,
    owner ?? 'operator',
    String(grants),
  ]);
  return table([['CLIENT_ID', 'NAME', 'STATUS', 'OWNER', 'GRANTS'], ...rows]);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
