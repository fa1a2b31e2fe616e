import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The account of a person. Data of organizations about the person is in their member records. */
@Entity({ tableName: 'users' })
export class User {
  [OptionalProps]?:
    | 'address'
    | 'emailProvenAt'
    | 'managedBy'
    | 'status'
    | 'createdAt'
    | 'updatedAt';
  @PrimaryKey({ type: 'uuid' }) id!: string;
  /**
   * The sign-in name, unique case-insensitively: the address, or `slug/address` for an account
   * created through a link that does not prove the address.
   */
  @Property({ type: 'text' }) email!: string;
  /** The address, if the sign-in name is not the address. */
  @Property({ type: 'text', nullable: true }) address!: string | null;
  /** The time at which the person proved control of the address; null when unproven. */
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) emailProvenAt!:
    | string
    | null;
  /** The organization whose admins can issue a reset link. */
  @Property({ type: 'uuid', nullable: true }) managedBy!: string | null;
  @Property({ type: 'text' }) displayName!: string;
  @Property({ type: 'text', nullable: true }) passwordHash!: string | null;
  @Property({ type: 'text' }) status!: 'active' | 'disabled';
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

/** SQL: whether the user of this alias can sign in, by a password or a passkey. */
export const canSignIn = (user: string): string =>
  `(${user}.password_hash is not null or exists (select from passkeys where user_id = ${user}.id))`;

/** SQL: the e-mail address of the user of this alias, proven or not. */
export const addressOf = (user: string): string => `coalesce(${user}.address, ${user}.email)`;

/** The e-mail address of a user, proven or not. */
export const addressIn = ({ address, email }: Pick<User, 'address' | 'email'>): string =>
  address ?? email;

/** The name of a user, or the sign-in name without one. */
export const nameIn = ({ displayName, email }: Pick<User, 'displayName' | 'email'>): string =>
  displayName || email;
