/** Storage of the authorization server. */
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A code, refresh token, session or interaction of oidc-provider. */
@Entity({ tableName: 'oauth_artefacts' })
export class OAuthModel {
  @PrimaryKey({ type: 'text' }) model!: string;
  @PrimaryKey({ type: 'blob', columnType: 'bytea' }) idHash!: Buffer;
  @Property({ type: 'text', nullable: true }) grantId!: string | null;
  @Property({ type: 'uuid', nullable: true }) userId!: string | null;
  @Property({ type: 'text', nullable: true }) uid!: string | null;
  @Property({ type: 'json', columnType: 'jsonb' }) payload!: Record<string, unknown>;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) consumedAt!:
    | string
    | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}

/** An access token that ended before it expired. */
@Entity({ tableName: 'revoked_tokens' })
export class RevokedToken {
  @PrimaryKey({ type: 'text' }) jti!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}
