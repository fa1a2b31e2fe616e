import { Migration } from '@mikro-orm/migrations';

/**
 * Storage of the authorization server. Codes and refresh tokens reference their grant, so that one
 * DELETE of the grant ends everything that was issued from a sign-in. An id is a credential (an
 * opaque token is its id), so only its SHA-256 is stored.
 */
export class OAuth extends Migration {
  override up(): void {
    this.addSql(`
      create table oauth_artefacts (
        model text not null,
        id_hash bytea not null,
        grant_id text references grants on delete cascade,
        user_id uuid references users on delete cascade,
        uid text,
        payload jsonb not null,
        consumed_at timestamptz,
        expires_at timestamptz not null,
        primary key (model, id_hash)
      );
      create index oauth_artefacts_of_grant on oauth_artefacts (grant_id) where grant_id is not null;
      create index oauth_artefacts_of_user on oauth_artefacts (user_id) where user_id is not null;
      create index oauth_artefacts_uid on oauth_artefacts (uid) where uid is not null;
      create index oauth_artefacts_expiry on oauth_artefacts (expires_at);

      create table revoked_tokens (
        jti text primary key,
        expires_at timestamptz not null
      );
      create index revoked_tokens_expiry on revoked_tokens (expires_at);

      alter table signing_keys drop constraint signing_keys_purpose_check;
      alter table signing_keys add constraint signing_keys_purpose_check check (purpose in ('access_token', 'id_token', 'cookie'));
    `);
  }
}
