/** The status of a member for a qualification, in signs and in words. */
import { dayAfter } from '../src/scalars/day.js';
import { daysBetween, longDay, shortDay } from './days.js';

export interface Standing {
  readonly status: 'QUALIFIED' | 'NOT_QUALIFIED';
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
  /** The first day without it. */
  readonly lostOn: string | null;
}

/** Days ahead in which a loss counts as near. */
const near = 30;

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
  if (total === 0) return 'nothing is required yet';
  if (status === 'NOT_QUALIFIED') return `not qualified, has ${met} of ${total}`;
  return lostOn ? `qualified until ${longDay(dayAfter(lostOn, -1))}` : 'qualified';
}

/** Signs that differ by shape as well as by colour. */
const signs: Readonly<Record<Look, string>> = { good: '✓', warning: '!', bad: '×', none: '–' };

export const Sign = ({ look }: { look: Look }) => (
  <span class={`sign ${look}`} aria-hidden="true">
    {signs[look]}
  </span>
);

/** The content of a cell: the sign, and the end day or the progress. */
export const Short = ({ standing, day }: { standing: Standing; day: string }) => {
  const { status, metRequirementCount: met, totalRequirementCount: total, lostOn } = standing;
  const isThisYear = lostOn?.slice(0, 4) === day.slice(0, 4);
  return (
    <>
      <Sign look={lookOf(standing, day)} />
      {status === 'NOT_QUALIFIED'
        ? total > 0 && `${met}/${total}`
        : lostOn && (isThisYear ? shortDay : monthOf)(dayAfter(lostOn, -1))}
    </>
  );
};

const month = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const monthOf = (day: string): string => month.format(Date.parse(day));
