import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A person who can sign in. What organizations say about the person is in their member records. */
@Entity({ tableName: 'users' })
export class User {
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'text' }) email!: string;
  @Property({ type: 'text' }) displayName!: string;
  @Property({ type: 'text', nullable: true }) passwordHash!: string | null;
  @Property({ type: 'text' }) status!: 'active' | 'disabled';
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

/** In SQL, whether the user of this alias can sign in: by a password or a passkey. Before, the person is only invited. */
export const canSignIn = (user: string): string =>
  `(${user}.password_hash is not null or exists (select from passkeys where user_id = ${user}.id))`;
