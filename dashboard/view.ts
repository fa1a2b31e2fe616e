/** The properties of every view: organization, member, filters and day. */
export interface View {
  readonly organizationId: string;
  /** The membership of the signed-in person. */
  readonly memberId: string;
  /** Whether the person reads the whole organization. */
  readonly isManager: boolean;
  /** Null for all. */
  readonly jobRoleId: string | null;
  /** UTC. */
  readonly day: string;
}
