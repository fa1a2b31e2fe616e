/** The members of the matrix: what their job roles require, and what they have. */
import { dayAfter } from '../src/scalars/day.js';
import { byText, folded } from './language.js';
import type { ReadinessData } from './operations.js';
import type { Standing } from './standing.js';

export interface JobRole {
  readonly id: string;
  readonly name: string;
  /** The active ones that it requires. */
  readonly qualificationIds: readonly string[];
}

export interface Member {
  readonly id: string;
  readonly displayName: string;
  readonly jobRoles: readonly JobRole[];
  /** By qualification: those required, or all that were asked for. */
  readonly standings: ReadonlyMap<string, Standing>;
  readonly required: ReadonlySet<string>;
  /** Required qualifications that the member lacks. */
  readonly gapCount: number;
  /** The first day without one of the required qualifications. */
  readonly lostOn: string | null;
}

export interface Column {
  readonly id: string;
  readonly name: string;
  /** The job roles that require it. */
  readonly jobRoles: readonly JobRole[];
}

type Pages = readonly Pick<ReadinessData, 'readiness'>[];

/** The pages of one list, with the job role whose members it has; null for all members. */
export interface MemberList {
  readonly jobRole: JobRole | null;
  readonly pages: Pages;
}

interface Found {
  readonly displayName: string;
  readonly jobRoles: JobRole[];
  readonly standings: Map<string, Standing>;
}

/** Combines lists: a member with several job roles is in the list of each. */
export function combine(lists: readonly MemberList[]): Member[] {
  const found = new Map<string, Found>();
  for (const { jobRole, pages } of lists) {
    for (const { organizationMember, cells } of pages.flatMap(
      (page) => page.readiness.members.nodes,
    )) {
      const { id, displayName } = organizationMember;
      const member: Found = found.get(id) ?? { displayName, jobRoles: [], standings: new Map() };
      found.set(id, member);
      if (jobRole && !member.jobRoles.includes(jobRole)) member.jobRoles.push(jobRole);
      for (const { qualificationId, ...standing } of cells)
        member.standings.set(qualificationId, standing);
    }
  }
  return [...found].map(([id, { displayName, jobRoles, standings }]) => {
    const required = new Set(jobRoles.flatMap(({ qualificationIds }) => qualificationIds));
    const decisive = [...standings].flatMap(([id, standing]) => (required.has(id) ? standing : []));
    const losses = decisive.flatMap(({ status, lostOn }) =>
      status === 'QUALIFIED' && lostOn ? lostOn : [],
    );
    return {
      id,
      displayName,
      jobRoles,
      standings,
      required,
      gapCount: decisive.filter(({ status }) => status === 'NOT_QUALIFIED').length,
      lostOn: losses.sort()[0] ?? null,
    };
  });
}

/**
 * The columns, grouped: those of the same job roles are beside each other.
 * @param qualifications All, or those required when `isAll` is false.
 */
export function columnsOf(
  jobRoles: readonly JobRole[],
  qualifications: readonly { readonly id: string; readonly name: string }[],
  isAll: boolean,
): Column[] {
  const columns = qualifications.map(({ id, name }) => ({
    id,
    name,
    jobRoles: jobRoles.filter(({ qualificationIds }) => qualificationIds.includes(id)),
  }));
  const orderOf = ({ jobRoles: [first, ...others] }: Column) =>
    first ? `${jobRoles.indexOf(first) + 100} ${others.length + 100}` : '999';
  return columns
    .filter((column) => isAll || column.jobRoles.length > 0)
    .sort(
      (one, other) =>
        (orderOf(one) < orderOf(other) ? -1 : orderOf(one) > orderOf(other) ? 1 : 0) ||
        byText(one.name, other.name),
    );
}

export interface Wanted {
  /** Part of a name. */
  readonly q: string;
  readonly onlyGaps: boolean;
  /** `''` for the name, `gaps`, `ends`, or the id of a qualification. */
  readonly sort: string;
}

/** The members to show, in order. */
export function choose(members: readonly Member[], { q, onlyGaps, sort }: Wanted): Member[] {
  const part = folded(q.trim());
  const chosen = members.filter(
    ({ displayName, gapCount }) =>
      (!onlyGaps || gapCount > 0) && (!part || folded(displayName).includes(part)),
  );
  const byName = (one: Member, other: Member) =>
    byText(one.displayName, other.displayName) || (one.id < other.id ? -1 : 1);
  if (!sort) return chosen.sort(byName);
  const keys = new Map(chosen.map((member) => [member, keyOf(member, sort)]));
  return chosen.sort((one, other) => {
    const [first = '', second = ''] = [keys.get(one), keys.get(other)];
    return first === second ? byName(one, other) : first < second ? -1 : 1;
  });
}

const never = '9999';

/** The place of a member in an order: what needs attention comes first. */
export function keyOf({ gapCount, lostOn, standings, required }: Member, sort: string): string {
  if (sort === 'gaps') return String(9999 - gapCount);
  if (sort === 'ends') return lostOn ?? never;
  const standing = standings.get(sort);
  if (!standing) return '3';
  const first = required.has(sort) ? '0' : '2';
  if (standing.status === 'NOT_QUALIFIED')
    return `${first}${standing.totalRequirementCount === 0 ? '9' : '0'}`;
  return `${first}1${standing.lostOn ?? never}`;
}

/** The last day with the qualification; empty without an end. */
export const lastDayOf = ({ lostOn }: { lostOn: string | null }): string =>
  lostOn ? dayAfter(lostOn, -1) : '';
