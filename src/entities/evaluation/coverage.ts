/** On which days a member is qualified: spans of days, so that no day has to be tried one by one. */
import { dayAfter, firstDay, lastDay } from '../day.js';
import { type HeldRecord, type Span, spanOf } from './evidence.js';

/** For each type the days on which some record of it counts: in order, apart from each other by a day at least. */
export type Coverage = ReadonlyMap<string, readonly Span[]>;

export function coverageOf(records: readonly HeldRecord[]): Coverage {
  const coverage = new Map<string, Span[]>();
  for (const record of records) {
    const span = spanOf(record);
    const others = coverage.get(record.certificationTypeId);
    if (span && others) others.push(span);
    else if (span) coverage.set(record.certificationTypeId, [span]);
  }
  for (const [type, spans] of coverage) if (spans.length > 1) coverage.set(type, union(spans));
  return coverage;
}

/** Spans that overlap, or follow each other without a day between, become one. */
function union(spans: Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans.sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = apart.at(-1);
    if (!last || span.from > dayAfter(last.until, 1)) apart.push(span);
    else if (span.until > last.until) apart[apart.length - 1] = { from: last.from, until: span.until };
  }
  return apart;
}

/** The days that are in both. */
const intersection = (some: readonly Span[], others: readonly Span[]): readonly Span[] =>
  some.flatMap((a) =>
    others
      .map((b) => ({ from: (a.from > b.from ? a : b).from, until: (a.until < b.until ? a : b).until }))
      .filter(({ from, until }) => from <= until),
  );

/** The days on which a member has all types that are required, in order; of a qualification that requires nothing, none. */
export function qualifiedSpans(required: readonly string[], coverage: Coverage): readonly Span[] {
  const [first = [], ...rest] = required.map((type) => coverage.get(type) ?? []);
  return rest.reduce(intersection, first);
}

/** The span that a day is in. */
export const spanAt = (day: string, spans: readonly Span[]): Span | undefined =>
  spans.find(({ from, until }) => from <= day && day <= until);

/** The day after a span, on which what it stands for is lost; null when that is never. */
export const lossAfter = (span: Span | undefined): string | null => (!span || span.until === lastDay ? null : dayAfter(span.until, 1));

/** The day since when it is as it is on a day; null when it always was. */
export function sinceWhen(day: string, spans: readonly Span[]): string | null {
  const current = spanAt(day, spans);
  if (current) return current.from === firstDay ? null : current.from;
  return lossAfter(spans.findLast(({ until }) => until < day));
}
