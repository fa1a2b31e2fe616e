/** The changes of an event, value by value. */
import type { AuditEntry } from '../../auth/audit.js';
import { Day, Time } from '../../pages/time.js';
import { isDay } from '../../scalars/day.js';

/** `certificationTypeId` → `certification type id`. */
export const inWords = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

const longest = 200;

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

const Values = ({ all }: { all: readonly unknown[] }) => {
  const [first] = all;
  if (isMoment(first)) return <Time at={first} />;
  if (typeof first === 'string' && isDay(first)) return <Day on={first} />;
  const text = all
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
    .join(', ');
  return <>{text.length > longest ? `${text.slice(0, longest)}…` : text}</>;
};

const valuesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === '' ? [] : [value];

export const Changes = ({ changes }: AuditEntry) => {
  const rows = Object.entries(changes).filter(
    ([, [before, after]]) => valuesOf(before).length + valuesOf(after).length > 0,
  );
  if (rows.length === 0) return null;
  const list = (
    <dl class="changes">
      {rows.map(([name, change]) => (
        <div>
          <dt>{inWords(name)}</dt>
          <dd>
            <Difference change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
  if (rows.length <= 4) return list;
  return (
    <details>
      <summary>{rows.length} details</summary>
      {list}
    </details>
  );
};

/** Shows only the differences of two lists. */
const Difference = ({ change: [before, after] }: { change: AuditEntry['changes'][string] }) => {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const gone = was.filter((each) => !is.includes(each));
  const come = is.filter((each) => !was.includes(each));
  const isBoth = gone.length > 0 && come.length > 0;
  return (
    <>
      {gone.length > 0 && (
        <>
          {isBoth ? 'from ' : 'removed '}
          <del>
            <Values all={gone} />
          </del>
        </>
      )}
      {isBoth && ' to '}
      {come.length > 0 && (
        <>
          {!isBoth && was.length > 0 && 'added '}
          <ins>
            <Values all={come} />
          </ins>
        </>
      )}
    </>
  );
};
