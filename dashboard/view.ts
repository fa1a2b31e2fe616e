/** What every view gets: whose data, and of which day. */
export interface View {
  readonly organizationId: string;
  /** The membership of the person who looks. */
  readonly memberId: string;
  /** Whether the person reads the whole organization. */
  readonly isManager: boolean;
  /** Null for all. */
  readonly jobRoleId: string | null;
  /** UTC. */
  readonly day: string;
}
