import { Migration } from '@mikro-orm/migrations';

/**
 * Sign-in of people. Secrets of session cookies and links are stored as SHA-256: they are random,
 * so a slow hash would add nothing.
 */
export class People extends Migration {
  override up(): void {
    this.addSql(`
      create table web_sessions (
        id uuid primary key,
        secret_hash bytea not null constraint web_sessions_secret_key unique,
        user_id uuid not null references users on delete cascade,
        signed_in_by text not null check (signed_in_by in ('password', 'passkey', 'link')),
        user_agent text not null,
        address text not null,
        created_at timestamptz not null default now(),
        seen_at timestamptz not null default now()
      );
      create index web_sessions_of_user on web_sessions (user_id);
      create index web_sessions_expiry on web_sessions (seen_at);

      create table one_time_links (
        secret_hash bytea primary key,
        user_id uuid not null references users on delete cascade,
        purpose text not null check (purpose in ('invitation', 'reset')),
        expires_at timestamptz not null,
        constraint one_time_links_purpose_key unique (user_id, purpose)
      );

      create table passkeys (
        credential_id text primary key,
        user_id uuid not null references users on delete cascade,
        name text not null,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null default '{}',
        created_at timestamptz not null default now(),
        last_used_at timestamptz
      );
      create index passkeys_of_user on passkeys (user_id);

      create table passkey_challenges (
        challenge text primary key,
        browser_hash bytea not null,
        expires_at timestamptz not null
      );

      -- The shape that RateLimiterPostgres of rate-limiter-flexible expects; expire is in milliseconds since 1970.
      create table sign_in_attempts (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      );
    `);
  }
}
