import { OptionalProps } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Organization } from './organization.js';
import { User } from './user.js';

/** A registered OAuth client. */
@Entity({ tableName: 'apps' })
export class App {
  [OptionalProps]?: 'isFirstParty' | 'status' | 'ownerId' | 'owner' | 'createdAt' | 'updatedAt';
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'text' }) clientId!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) tokenEndpointAuthMethod!:
    | 'none'
    | 'client_secret_basic'
    | 'client_secret_post';
  @Property({ type: 'array', columnType: 'text[]' }) redirectUris!: string[];
  @Property({ type: 'array', columnType: 'text[]' }) apiScopes!: string[];
  @Property({ type: 'boolean' }) isFirstParty!: boolean;
  @Property({ type: 'text' }) status!: 'active' | 'disabled';
  @Property({ type: 'uuid', nullable: true }) ownerId!: string | null;
  @ManyToOne(() => User, { joinColumn: 'owner_id', persist: false, nullable: true })
  owner!: User | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

/** The API scopes that an admin of an organization approved for an app. */
@Entity({ tableName: 'app_approvals' })
export class AppApproval {
  [OptionalProps]?: 'organization';
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @ManyToOne(() => Organization, { joinColumn: 'organization_id', persist: false })
  organization!: Organization;
  @PrimaryKey({ type: 'uuid' }) appId!: string;
  @Property({ type: 'array', columnType: 'text[]' }) scopes!: string[];
  @Property({ type: 'uuid', nullable: true }) approvedBy!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) approvedAt!: string;
  @Property({ type: 'uuid', nullable: true }) revokedBy!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) revokedAt!:
    | string
    | null;
}

/** One of the secrets of a confidential app; see auth/apps/secrets.ts. */
@Entity({ tableName: 'app_secrets' })
export class AppSecret {
  [OptionalProps]?: 'app' | 'createdAt' | 'expiresAt' | 'lastUsedAt';
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'uuid' }) appId!: string;
  @ManyToOne(() => App, { joinColumn: 'app_id', persist: false }) app!: App;
  @Property({ type: 'blob', columnType: 'bytea' }) hash!: Buffer;
  /** The last four characters, to distinguish secrets. */
  @Property({ type: 'text' }) hint!: string;
  @Property({ type: 'uuid', nullable: true }) createdBy!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) expiresAt!:
    | string
    | null;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) lastUsedAt!:
    | string
    | null;
}

/**
 * The consent of a person to an app at one sign-in. Every token contains its id and ends with it.
 */
@Entity({ tableName: 'grants' })
export class Grant {
  [OptionalProps]?: 'app' | 'user' | 'payload' | 'createdAt';
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'uuid' }) appId!: string;
  @ManyToOne(() => App, { joinColumn: 'app_id', persist: false }) app!: App;
  @Property({ type: 'uuid' }) userId!: string;
  @ManyToOne(() => User, { joinColumn: 'user_id', persist: false }) user!: User;
  @Property({ type: 'json', columnType: 'jsonb' }) payload!: object;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}

/** A key that signs tokens from `activeFrom` and verifies them until `retiresAt`. */
@Entity({ tableName: 'signing_keys' })
export class SigningKey {
  [OptionalProps]?: 'createdAt' | 'retiresAt';
  @PrimaryKey({ type: 'text' }) kid!: string;
  @Property({ type: 'text' }) purpose!: 'access_token' | 'id_token' | 'cookie';
  @Property({ type: 'text' }) algorithm!: string;
  @Property({ type: 'json', columnType: 'jsonb' }) privateJwk!: object;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) activeFrom!: string;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) retiresAt!:
    | string
    | null;
}
