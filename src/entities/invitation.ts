import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The link of an invited member; see auth/accounts/invitations.ts. */
@Entity({ tableName: 'invitations' })
export class Invitation {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @PrimaryKey({ type: 'uuid' }) memberId!: string;
  @Property({ type: 'blob', columnType: 'bytea' }) secretHash!: Buffer;
  @Property({ type: 'text' }) email!: string;
  /** Who passes the link on. Opening it proves the address, unless an admin has seen it. */
  @Property({ type: 'text' }) sentBy!: 'mail' | 'operator' | 'admin';
  /** The account that was created with the link, while its membership is not active. */
  @Property({ type: 'uuid', nullable: true }) accountId!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}

/** A membership to be looked at again; see `settle` in auth/accounts/memberships.ts. */
@Entity({ tableName: 'unsettled_members' })
export class UnsettledMember {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @PrimaryKey({ type: 'uuid' }) memberId!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) dueAt!: string;
}
