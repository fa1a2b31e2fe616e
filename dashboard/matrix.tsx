/** The readiness matrix: members and their qualifications, of which it renders the visible rows. */
import { ArrowDown, Check } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { moved } from './grid.js';
import { Icon } from './icons.js';
import { formatNumber, t } from './language.js';
import { type Column, keyOf, type Member } from './members.js';
import { Go, Name } from './parts.js';
import { go } from './place.js';
import { isPrinting } from './print.js';
import { inWords, lookOf, Short } from './standing.js';
import { Space } from './table.js';
import { useSize, useVirtualRows } from './virtual.js';

/** Widths in pixels. A place has the name of its qualification, and so needs more. */
const least = { name: 128, cell: 116, place: 208 };
const most = { name: 420, cell: 190, place: 440 };
const gapsWidth = 76;
/** Below this width, a phone's, the column of gaps is left out. */
const phoneWidth = 560;

interface Layout {
  /** Without columns of qualifications: the number of places for those that a member needs. */
  readonly places: number | undefined;
  readonly name: number;
  readonly gaps: number;
  readonly cell: number;
}

/**
 * Columns of qualifications if all fit. Otherwise most of the visible cells would be empty, as few
 * qualifications concern a member: each row then has only its own. As many columns as fit are
 * visible in full, and none in part.
 */
function layOut(width: number, columnCount: number, placeCount: number | undefined): Layout {
  const gaps = width < phoneWidth ? 0 : gapsWidth;
  const name = Math.min(260, Math.max(least.name, Math.round(width * 0.18)));
  const fitting = (one: number) => Math.max(1, Math.floor((width - name - gaps) / one));
  const places = columnCount > fitting(least.cell) ? placeCount : undefined;
  const [count, kind] = places ? [places, 'place' as const] : [columnCount, 'cell' as const];
  const visible = Math.min(fitting(least[kind]), count);
  const cell = Math.min(most[kind], (width - name - gaps) / visible);
  const rest = width - gaps - cell * visible;
  return { places, gaps, cell, name: Math.max(name, Math.min(most.name, rest)) };
}

/** The qualifications that a member needs, those that need attention first. */
const needsOf = (member: Member, columns: readonly Column[]): Column[] =>
  columns
    .filter(({ id }) => member.required.has(id))
    .map((column) => ({ column, key: keyOf(member, column.id) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ column }) => column);

interface MatrixProps {
  readonly day: string;
  readonly columns: readonly Column[];
  /** Those to show, in order. */
  readonly members: readonly Member[];
  /** All, for the counts of the columns. */
  readonly all: readonly Member[];
  /** Whether the columns include qualifications that no job role requires. */
  readonly isAll: boolean;
  readonly sort: string;
}

/** One tab stop; arrow keys move between cells, Enter opens one. */
export function Matrix({ day, columns, members, all, isAll, sort }: MatrixProps) {
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const { width } = useSize(frame);
  const { edges } = useSize(scroller);
  const { height } = useSize(head);
  const rows = useVirtualRows(scroller, members.length, 41, height);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const isMoving = useRef(false);
  const row = Math.min(active.row, members.length - 1);
  const isFixed = !isPrinting.value;
  const placeCount = isAll
    ? undefined
    : all.reduce((most, { required }) => Math.max(most, required.size), 0);
  const { places, gaps, cell, name } = layOut(width - edges, columns.length, placeCount);
  const cellCount = places ?? columns.length;

  // The cell may have been rendered only now.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const cell = scroller.current?.querySelector<HTMLElement>(
      `[data-index="${row}"] > :nth-child(${1 + active.column + (active.column > 0 ? 1 : 0)})`,
    );
    const target = cell?.querySelector('a') ?? cell;
    if (!target) return;
    isMoving.current = false;
    target.focus();
  });

  const move = (event: KeyboardEvent) => {
    const next = moved(event, { row, column: active.column }, members.length, cellCount + 1);
    if (!next) return;
    event.preventDefault();
    isMoving.current = true;
    rows.reveal(next.row);
    setActive(next);
  };
  const stopOf = (index: number, column: number) =>
    index === row && column === active.column ? 0 : -1;
  return (
    <div ref={frame}>
      <div class="scroller fit" ref={scroller} style={{ scrollPaddingLeft: `${name + gaps}px` }}>
        <table
          class={`matrix ${gaps ? '' : 'without-gaps'}`}
          style={isFixed ? { width: `${name + gaps + cell * cellCount}px` } : {}}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is moved about in cell by cell is a grid
          role="grid"
          aria-label={t.matrix.label}
          aria-rowcount={members.length + (places ? 1 : 2)}
          onKeyDown={move}
        >
          {isFixed && (
            <colgroup>
              <col style={{ width: `${name}px` }} />
              <col class="gaps" style={{ width: `${gaps}px` }} />
              {Array.from({ length: cellCount }, (_, at) => (
                <col key={at} style={{ width: `${cell}px` }} />
              ))}
            </colgroup>
          )}
          <Head reference={head} columns={columns} places={places} all={all} sort={sort} />
          <tbody>
            {rows.before > 0 && <Space height={rows.before} />}
            {rows.indexes.map((index) => {
              const member = members[index];
              const shown = member && places ? needsOf(member, columns) : columns;
              return (
                member && (
                  <tr
                    key={member.id}
                    data-index={index}
                    ref={rows.measure}
                    aria-rowindex={index + (places ? 2 : 3)}
                  >
                    <th scope="row" onFocusCapture={() => setActive({ row: index, column: 0 })}>
                      <Name of={member} tabIndex={stopOf(index, 0)} />
                    </th>
                    <td class="gaps">
                      <Gaps {...member} />
                    </td>
                    {Array.from({ length: cellCount }, (_, at) => (
                      <Cell
                        key={at}
                        member={member}
                        column={shown[at]}
                        isNamed={places !== undefined}
                        day={day}
                        tabIndex={stopOf(index, at + 1)}
                        onFocus={() => setActive({ row: index, column: at + 1 })}
                      />
                    ))}
                  </tr>
                )
              );
            })}
            {rows.after > 0 && <Space height={rows.after} />}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const Gaps = ({ gapCount, required }: Member) =>
  required.size === 0 ? (
    <span class="muted">–</span>
  ) : gapCount > 0 ? (
    <span class="tag bad">{formatNumber(gapCount)}</span>
  ) : (
    <span class="complete">
      <Icon of={Check} />
      <span class="unseen">{t.matrix.gapsOf(0)}</span>
    </span>
  );

interface CellProps {
  readonly member: Member;
  /** Undefined for a place that is not needed. */
  readonly column: Column | undefined;
  /** Whether the cell has the name of the qualification, as no header does. */
  readonly isNamed: boolean;
  readonly day: string;
  readonly tabIndex: number;
  readonly onFocus: () => void;
}

const Cell = ({ member, column, isNamed, day, tabIndex, onFocus }: CellProps) => {
  const { id, displayName, standings, required } = member;
  const standing = column && standings.get(column.id);
  if (!standing) return <td tabIndex={tabIndex} onFocus={onFocus} />;
  return (
    <td onFocusCapture={onFocus}>
      <Go
        to={{ member: id, qualification: column.id }}
        class={`cell ${lookOf(standing, day)} ${required.has(column.id) ? '' : 'extra-cell'}`}
        label={`${displayName}, ${column.name}: ${inWords(standing)}`}
        tabIndex={tabIndex}
      >
        <Short standing={standing} day={day} name={isNamed ? column.name : undefined} />
      </Go>
    </td>
  );
};

interface HeadProps {
  readonly reference: { current: HTMLTableSectionElement | null };
  readonly columns: readonly Column[];
  readonly places: number | undefined;
  readonly all: readonly Member[];
  readonly sort: string;
}

const Head = ({ reference, columns, places, all, sort }: HeadProps) => (
  <thead ref={reference}>
    <tr class="groups">
      <th scope="col" rowSpan={places ? 1 : 2} aria-sort={sort === '' ? 'ascending' : 'none'}>
        <Order by="" name={t.member} sort={sort} />
      </th>
      <th scope="col" rowSpan={2} class="gaps" aria-sort={sort === 'gaps' ? 'descending' : 'none'}>
        <Order by="gaps" name={t.matrix.gaps} sort={sort} />
      </th>
      {places ? (
        <th scope="colgroup" colSpan={places}>
          {t.matrix.required}
        </th>
      ) : (
        groupsOf(columns).map(({ key, name, columns: { length } }) => (
          <th key={key} scope="colgroup" colSpan={length}>
            {name}
          </th>
        ))
      )}
    </tr>
    {!places && (
      <tr class="columns">
        {columns.map(({ id, name }) => {
          const concerned = all.filter(({ required }) => required.has(id));
          const qualified = concerned.filter(
            ({ standings }) => standings.get(id)?.status === 'QUALIFIED',
          );
          return (
            <th key={id} scope="col" aria-sort={sort === id ? 'ascending' : 'none'}>
              <Order by={id} name={name} sort={sort} />
              {concerned.length > 0 && (
                <span class="count-of">
                  {t.matrix.qualifiedOf(qualified.length, concerned.length)}
                </span>
              )}
            </th>
          );
        })}
      </tr>
    )}
  </thead>
);

interface Group {
  readonly key: string;
  readonly name: string;
  readonly columns: Column[];
}

function groupsOf(columns: readonly Column[]): Group[] {
  const groups: Group[] = [];
  for (const column of columns) {
    const key = column.jobRoles.map(({ id }) => id).join();
    const last = groups.at(-1);
    const name = column.jobRoles.map((each) => each.name).join(', ') || t.matrix.notRequired;
    if (last?.key === key) last.columns.push(column);
    else groups.push({ key, name, columns: [column] });
  }
  return groups;
}

/** The name of a column, which orders the rows by it. */
const Order = ({ by, name, sort }: { by: string; name: string; sort: string }) => (
  <button
    type="button"
    class="order"
    title={t.matrix.orderBy(name)}
    onClick={() => go({ sort: by === sort ? '' : by })}
  >
    {name}
    {by === sort && <Icon of={ArrowDown} />}
  </button>
);
