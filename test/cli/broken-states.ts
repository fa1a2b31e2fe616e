/**
 * Each thing that may be wrong in a database: what breaks it, what mends it, what the doctor finds
 * and says.
 */
const restoreKeys = 'delete from signing_keys; insert into signing_keys select * from saved.keys';
const aged = `update signing_keys set active_from = active_from - interval '400 days'`;
export const brokenStates: readonly (readonly [
  what: string,
  breaks: string,
  mends: string,
  problems: readonly string[],
  remedy: RegExp,
])[] = [
  [
    'a migration that is missing',
    `delete from migrations where name = '0010_latest_tick'`,
    `insert into migrations (name) values ('0010_latest_tick')`,
    ['failure migrations'],
    /lanyard migrate/,
  ],
  [
    'a migration of a later release',
    `insert into migrations (name) values ('9999_later')`,
    `delete from migrations where name = '9999_later'`,
    ['warning migrations'],
    /newer release/,
  ],
  [
    'a right that is missing',
    'revoke insert on certifications from lanyard_app',
    'grant insert on certifications to lanyard_app',
    ['failure rights'],
    /^grant insert on certifications/m,
  ],
  [
    'no right to migrate',
    'revoke create on schema public from lanyard_app',
    'grant create on schema public to lanyard_app',
    ['warning rights'],
    /grant create/,
  ],
  [
    'a role that may do anything',
    'alter role lanyard_app superuser',
    'alter role lanyard_app nosuperuser',
    ['warning rights'],
    /its own role/,
  ],
  [
    'too few connections',
    'alter role lanyard_app connection limit 10',
    'alter role lanyard_app connection limit -1',
    ['failure settings'],
    /DATABASE_POOL_SIZE/,
  ],
  [
    'commits that may be lost',
    'alter role lanyard_app set synchronous_commit = off',
    'alter role lanyard_app reset all',
    ['warning settings'],
    /synchronous_commit to on/,
  ],
  [
    'a role that only reads',
    'alter role lanyard_app set default_transaction_read_only = on',
    'alter role lanyard_app reset all',
    ['failure settings'],
    /to off/,
  ],
  [
    'a stamp that is far ahead',
    `update organization_clocks set ticked_at = ticked_at + interval '1 hour'`,
    `update organization_clocks set ticked_at = ticked_at - interval '1 hour'`,
    ['warning stamps'],
    /NTP/,
  ],
  [
    'no signing keys',
    'delete from signing_keys',
    restoreKeys,
    ['warning signing keys'],
    /Start a server/,
  ],
  ['old signing keys', aged, restoreKeys, ['warning signing keys'], /keys rotate/],
  [
    'a key that is not encrypted',
    `update signing_keys set private_jwk = '{"kty":"oct","k":"AA"}' where purpose = 'cookie'`,
    restoreKeys,
    ['warning signing keys'],
    /encrypts them/,
  ],
  [
    'a key that is none',
    `update signing_keys set private_jwk = '{"kty":"EC"}' where purpose = 'access_token'`,
    restoreKeys,
    ['failure signing keys', 'warning signing keys'],
    /backup/,
  ],
];
