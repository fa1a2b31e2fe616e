/** Readiness: counts, filters, and the matrix of the members. */
import { Search } from 'lucide';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAll } from './all.js';
import { Icon } from './icons.js';
import { formatList, t } from './language.js';
import { Matrix } from './matrix.js';
import {
  type Column,
  choose,
  columnsOf,
  combine,
  type JobRole,
  lastDayOf,
  type Member,
  type Wanted,
} from './members.js';
import { Readiness as ReadinessOperation, ReadinessStart, Summary } from './operations.js';
import { usePages } from './pages.js';
import { Card, Empty, Export, Failure, Go, Loading, Print } from './parts.js';
import { adjust, go, place } from './place.js';
import { Setup } from './setup.js';
import { Sign } from './standing.js';
import { More } from './table.js';
import { nearDays, Tiles } from './tiles.js';
import type { View } from './view.js';

export interface ReadinessProps extends View {
  readonly jobRoles: readonly JobRole[];
  readonly qualifications: readonly { readonly id: string; readonly name: string }[];
}

export function Readiness({ jobRoles: known, qualifications, ...view }: ReadinessProps) {
  const { organizationId, jobRoleId, day } = view;
  const { columns: shownColumns, sort, q, gaps } = place.value;
  const isAll = shownColumns === 'all';
  const jobRoles = known.filter(
    ({ id, qualificationIds }) =>
      qualificationIds.length > 0 && (jobRoleId === null || id === jobRoleId),
  );
  const summary = usePages(Summary, { organizationId, jobRoleId, ...nearDays(day) });
  const variants = [
    ...jobRoles.map(({ id }) => ({ organizationId, jobRoleId: id, asOf: day })),
    ...(isAll
      ? chunksOf(qualifications.map(({ id }) => id)).map((qualificationIds) => ({
          organizationId,
          jobRoleId,
          asOf: day,
          qualificationIds,
        }))
      : []),
  ];
  const matrix = useAll(
    ReadinessOperation,
    variants,
    (data) => data.readiness.members.pageInfo.nextCursor,
    ReadinessStart,
  );
  const { lists, isComplete } = matrix;
  const all = useMemo(
    () =>
      lists && combine(lists.map((pages, index) => ({ jobRole: jobRoles[index] ?? null, pages }))),
    [lists],
  );
  const onlyGaps = gaps !== '';
  const members = useMemo(
    () => all && choose(all, { q, onlyGaps, sort }),
    [all, q, onlyGaps, sort],
  );
  const columns = columnsOf(jobRoles, qualifications, isAll).filter(
    ({ id }) => isAll || jobRoleId || !all || all.some(({ required }) => required.has(id)),
  );
  const memberCount = summary.pages[0]?.readiness.memberCount;
  const isNothingRequired =
    jobRoleId === null && (jobRoles.length === 0 || (isComplete && all?.length === 0));
  if (qualifications.length === 0 || (isNothingRequired && !isAll))
    return (
      <Setup
        organizationId={organizationId}
        memberCount={memberCount}
        hasQualifications={qualifications.length > 0}
      />
    );
  const empty =
    memberCount === 0 && jobRoleId
      ? t.matrix.nobodyInRole
      : columns.length === 0
        ? t.matrix.nothingInRole
        : undefined;
  return (
    <>
      <Tiles day={day} members={isComplete ? all : undefined} summary={summary.pages[0]} />
      {summary.error && <Failure error={summary.error} retry={summary.retry} />}
      <Card
        title={t.matrix.title}
        aside={
          <div class="tools">
            <Export
              name={`${t.matrix.title} ${day}`}
              rows={members && isComplete ? () => rowsOf(members, columns) : undefined}
            />
            <Print />
          </div>
        }
      >
        <Filters wanted={{ q, onlyGaps, sort }} isAll={isAll} columns={columns} />
        <div aria-busy={matrix.isLoading}>
          {matrix.error && <Failure error={matrix.error} retry={matrix.retry} />}
          {empty ? (
            <Empty>{empty}</Empty>
          ) : all && members ? (
            <>
              {members.length > 0 ? (
                <Matrix {...{ day, columns, members, all, isAll, sort }} />
              ) : (
                <Empty>
                  <p>{t.matrix.noMatch}</p>
                  <Go to={{ q: '', gaps: '' }} class="button plain">
                    {t.matrix.clear}
                  </Go>
                </Empty>
              )}
              <Foot
                shown={members.length}
                all={all.length}
                isComplete={isComplete}
                without={isAll || jobRoleId || !isComplete ? 0 : (memberCount ?? 0) - all.length}
              />
              <More of={matrix} count={all.length} />
            </>
          ) : (
            matrix.isLoading && <Loading lines={10} />
          )}
        </div>
      </Card>
    </>
  );
}

/** The API takes up to 200 qualifications at a time. */
const maxQualifications = 200;

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / maxQualifications) }, (_, index) =>
    ids.slice(index * maxQualifications, (index + 1) * maxQualifications),
  );

const Foot = ({
  shown,
  all,
  isComplete,
  without,
}: {
  shown: number;
  all: number;
  isComplete: boolean;
  /** Members that no column concerns. */
  without: number;
}) => (
  <div class="foot">
    <p role="status">{isComplete ? t.matrix.shown(shown, all) : t.matrix.loadingRest(all)}</p>
    {without > 0 && (
      <p>
        {t.matrix.without(without)} <Go to={{ columns: 'all' }}>{t.matrix.showAll}</Go>
      </p>
    )}
    <ul class="legend" aria-label={t.matrix.signs}>
      <li>
        <Sign look="good" /> {t.matrix.good}
      </li>
      <li>
        <Sign look="warning" /> {t.matrix.warning}
      </li>
      <li>
        <Sign look="bad" /> {t.matrix.bad}
      </li>
    </ul>
  </div>
);

/** Milliseconds after the last letter before the search is done. */
const searchDelay = 120;

const Filters = ({
  wanted: { q, onlyGaps, sort },
  isAll,
  columns,
}: {
  wanted: Wanted;
  isAll: boolean;
  columns: readonly Column[];
}) => {
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if (text === q) return;
    const timer = setTimeout(() => adjust({ q: text }), searchDelay);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label class="search">
        <span class="unseen">{t.matrix.search}</span>
        <Icon of={Search} />
        <input
          type="search"
          placeholder={t.matrix.search}
          value={text}
          maxLength={100}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={onlyGaps}
          onChange={({ currentTarget }) => go({ gaps: currentTarget.checked ? '1' : '' })}
        />
        {t.matrix.onlyGaps}
      </label>
      <label>
        <span>{t.matrix.columns}</span>
        <select
          value={isAll ? 'all' : ''}
          onChange={({ currentTarget }) => go({ columns: currentTarget.value })}
        >
          <option value="">{t.matrix.onlyRequired}</option>
          <option value="all">{t.matrix.all}</option>
        </select>
      </label>
      <label>
        <span>{t.matrix.sort}</span>
        <select value={sort} onChange={({ currentTarget }) => go({ sort: currentTarget.value })}>
          <option value="">{t.matrix.byName}</option>
          <option value="gaps">{t.matrix.byGaps}</option>
          <option value="ends">{t.matrix.byEnd}</option>
          {columns.map(({ id, name }) => (
            <option key={id} value={id}>
              {t.matrix.byColumn(name)}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
};

/** Days as YYYY-MM-DD: an export is read by programs. */
const rowsOf = (members: readonly Member[], columns: readonly Column[]): string[][] => [
  [
    t.member,
    t.person.jobRoles,
    t.matrix.gaps,
    ...columns.flatMap(({ name }) => [name, `${name}: ${t.lastDay}`]),
  ],
  ...members.map(({ displayName, jobRoles, gapCount, standings }) => [
    displayName,
    formatList(jobRoles.map(({ name }) => name)),
    String(gapCount),
    ...columns.flatMap(({ id }) => {
      const standing = standings.get(id);
      if (!standing) return ['', ''];
      return standing.status === 'QUALIFIED'
        ? [t.standing.qualified, lastDayOf(standing)]
        : [t.standing.notQualified, ''];
    }),
  ]),
];
