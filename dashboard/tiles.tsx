/** The counts above the matrix, each with a link to what it counts. */
import { CalendarClock, type IconNode, ShieldQuestionMark, UserCheck } from 'lucide';
import type { ComponentChildren } from 'preact';
import { dayAfter, today } from '../src/scalars/day.js';
import { Icon } from './icons.js';
import { formatDay, formatNumber, formatShare, t } from './language.js';
import type { Member } from './members.js';
import type { SummaryData } from './operations.js';
import { Go } from './parts.js';
import { place } from './place.js';
import { near } from './standing.js';

/** The days of the records that count as expiring. */
export const nearDays = (day: string) => ({ from: day, until: dayAfter(day, near) });

interface TilesProps {
  readonly day: string;
  /** Undefined until all are loaded. */
  readonly members: readonly Member[] | undefined;
  readonly summary: SummaryData | undefined;
}

export function Tiles({ day, members, summary }: TilesProps) {
  const concerned = members?.filter(({ required }) => required.size > 0);
  const qualified = concerned?.filter(({ gapCount }) => gapCount === 0).length;
  const expiring = summary?.expiring.totalCount;
  const isOnlyGaps = place.value.gaps !== '';
  return (
    <section class="tiles" aria-label={t.tiles.label}>
      <Tile
        icon={UserCheck}
        kind="good"
        title={t.tiles.qualified(day === today(), formatDay(day))}
        count={qualified}
        text={
          concerned &&
          t.tiles.qualifiedOf(concerned.length, formatShare(qualified ?? 0, concerned.length))
        }
      >
        {!isOnlyGaps && <Go to={{ gaps: '1' }}>{t.tiles.onlyGaps}</Go>}
      </Tile>
      <Tile
        icon={CalendarClock}
        kind="warning"
        title={t.tiles.expiring}
        count={expiring}
        text={expiring === undefined ? undefined : t.tiles.expiringText(expiring)}
      >
        <Go to={{ tab: 'expiries' }}>{t.tiles.listThem}</Go>
      </Tile>
      <Tile
        icon={ShieldQuestionMark}
        kind="info"
        title={t.tiles.unverified}
        count={summary && summary.unverified.totalCount + summary.pending.totalCount}
        text={summary && t.tiles.unverifiedText}
      >
        <Go to={{ tab: 'unverified' }}>{t.tiles.listThem}</Go>
      </Tile>
    </section>
  );
}

interface TileProps {
  readonly icon: IconNode;
  readonly kind: 'good' | 'warning' | 'info';
  readonly title: string;
  readonly count: number | undefined;
  readonly text: string | undefined;
  readonly children: ComponentChildren;
}

const Tile = ({ icon, kind, title, count, text, children }: TileProps) => (
  <div class={`tile ${kind}`} aria-busy={count === undefined}>
    <h2>
      <Icon of={icon} /> {title}
    </h2>
    <p class="figure">{count === undefined ? '…' : formatNumber(count)}</p>
    <p class="muted small">{text ?? t.loading}</p>
    <p class="small">{children}</p>
  </div>
);
