/** Computes the days on which a member is qualified, as spans instead of day by day. */
import { dayAfter, firstDay, lastDay } from '../../scalars/day.js';
import { type HeldRecord, intersection, type Span, spanAt, spansOf } from './evidence.js';

/** The spans of days on which a record counts, by type: in order, at least one day apart. */
export type Coverage = ReadonlyMap<string, readonly Span[]>;

export function coverageOf(records: readonly HeldRecord[]): Coverage {
  const coverage = new Map<string, Span[]>();
  for (const record of records) {
    const spans = spansOf(record);
    const others = coverage.get(record.certificationTypeId);
    if (others) others.push(...spans);
    else if (spans.length > 0) coverage.set(record.certificationTypeId, [...spans]);
  }
  for (const [type, spans] of coverage) if (spans.length > 1) coverage.set(type, union(spans));
  return coverage;
}

/** Merges spans that overlap or are adjacent. */
function union(spans: Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans.sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = apart.at(-1);
    if (!last || span.from > dayAfter(last.until, 1)) apart.push(span);
    else if (span.until > last.until)
      apart[apart.length - 1] = { from: last.from, until: span.until };
  }
  return apart;
}

/** The days on which a member has all required types, in order. Empty when nothing is required. */
export function qualifiedSpans(required: readonly string[], coverage: Coverage): readonly Span[] {
  const [first = [], ...rest] = required.map((type) => coverage.get(type) ?? []);
  return rest.reduce(intersection, first);
}

/** The first day after a span; null when the span has no end. */
export const lossAfter = (span: Span | undefined): string | null =>
  !span || span.until === lastDay ? null : dayAfter(span.until, 1);

/** The first day of the current state on a day; null when it never changed. */
export function sinceWhen(day: string, spans: readonly Span[]): string | null {
  const current = spanAt(day, spans);
  if (current) return current.from === firstDay ? null : current.from;
  return lossAfter(spans.findLast(({ until }) => until < day));
}
