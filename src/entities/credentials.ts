/** What proves at a browser who a person is: sessions, passkeys and one-time links. */
import { OptionalProps } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { User } from './user.js';

/** A web session of a browser; see auth/accounts/sessions.ts. */
@Entity({ tableName: 'web_sessions' })
export class WebSession {
  [OptionalProps]?: 'user' | 'createdAt' | 'seenAt';
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'blob', columnType: 'bytea' }) secretHash!: Buffer;
  @Property({ type: 'uuid' }) userId!: string;
  @ManyToOne(() => User, { joinColumn: 'user_id', persist: false }) user!: User;
  @Property({ type: 'text' }) signedInBy!: 'password' | 'passkey' | 'link';
  @Property({ type: 'text' }) userAgent!: string;
  /** The IP address. */
  @Property({ type: 'text' }) address!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) seenAt!: string;
}

/** A passkey of a person; see auth/accounts/passkeys.ts. */
@Entity({ tableName: 'passkeys' })
export class Passkey {
  [OptionalProps]?: 'user' | 'isConfirmed' | 'createdAt' | 'lastUsedAt';
  @PrimaryKey({ type: 'text' }) credentialId!: string;
  @Property({ type: 'uuid' }) userId!: string;
  @ManyToOne(() => User, { joinColumn: 'user_id', persist: false }) user!: User;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'blob', columnType: 'bytea' }) publicKey!: Buffer;
  @Property({ type: 'integer', columnType: 'bigint', runtimeType: 'number' }) counter!: number;
  @Property({ type: 'array', columnType: 'text[]' }) transports!: string[];
  /** False: disabled until the person confirms it. */
  @Property({ type: 'boolean' }) isConfirmed!: boolean;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) lastUsedAt!:
    | string
    | null;
}

/** A challenge of a WebAuthn ceremony, which a browser can use once. */
@Entity({ tableName: 'passkey_challenges' })
export class PasskeyChallenge {
  @PrimaryKey({ type: 'text' }) challenge!: string;
  @Property({ type: 'blob', columnType: 'bytea' }) browserHash!: Buffer;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}

/** A link with which a person sets a password; see auth/accounts/links.ts. */
@Entity({ tableName: 'one_time_links' })
export class OneTimeLink {
  [OptionalProps]?: 'user' | 'createdAt';
  @PrimaryKey({ type: 'blob', columnType: 'bytea' }) secretHash!: Buffer;
  @Property({ type: 'uuid' }) userId!: string;
  @ManyToOne(() => User, { joinColumn: 'user_id', persist: false }) user!: User;
  @Property({ type: 'text' }) purpose!: 'invitation' | 'reset';
  /** Whether only the person has seen it, so that opening it proves the address. */
  @Property({ type: 'boolean' }) isMailed!: boolean;
  /** The organization whose admin passes it on. */
  @Property({ type: 'uuid', nullable: true }) organizationId!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}
