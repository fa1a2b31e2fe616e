/** The status of a member for a qualification, in signs and in words. */
import { Check, type IconNode, Minus, TriangleAlert, X } from 'lucide';
import { dayAfter } from '../src/scalars/day.js';
import { daysBetween } from './days.js';
import { Icon } from './icons.js';
import { formatDay, t } from './language.js';

export interface Standing {
  readonly status: 'QUALIFIED' | 'NOT_QUALIFIED';
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
  /** The first day without it. */
  readonly lostOn: string | null;
}

/** Days ahead in which a loss counts as near. */
export const near = 30;

type Look = 'good' | 'warning' | 'bad' | 'none';

export function lookOf({ status, totalRequirementCount, lostOn }: Standing, day: string): Look {
  if (status === 'NOT_QUALIFIED') return totalRequirementCount === 0 ? 'none' : 'bad';
  return lostOn !== null && daysBetween(day, lostOn) <= near ? 'warning' : 'good';
}

export function inWords({
  status,
  metRequirementCount: met,
  totalRequirementCount: total,
  lostOn,
}: Standing): string {
  if (total === 0) return t.standing.nothing;
  if (status === 'NOT_QUALIFIED') return t.standing.has(met, total);
  return lostOn ? t.standing.until(formatDay(dayAfter(lostOn, -1))) : t.standing.always;
}

/** Signs that differ by shape as well as by colour. */
const signs: Readonly<Record<Look, IconNode>> = {
  good: Check,
  warning: TriangleAlert,
  bad: X,
  none: Minus,
};

export const Sign = ({ look }: { look: Look }) => (
  <span class={`sign ${look}`} aria-hidden="true">
    <Icon of={signs[look]} />
  </span>
);

/** The content of a cell: the sign, and the last day or the progress. */
export const Short = ({
  standing,
  day,
  name,
}: {
  standing: Standing;
  day: string;
  /** Of the qualification, where no header has it. */
  name: string | undefined;
}) => {
  const { status, metRequirementCount: met, totalRequirementCount: total, lostOn } = standing;
  return (
    <>
      <Sign look={lookOf(standing, day)} />
      {name && <span class="what">{name}</span>}
      {status === 'NOT_QUALIFIED'
        ? total > 0 && `${met}/${total}`
        : lostOn && formatDay(dayAfter(lostOn, -1))}
    </>
  );
};
