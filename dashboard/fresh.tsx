/** Shows the age of the data, with a button that reloads it. */
import { computed, signal } from '@preact/signals';
import { RefreshCw } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.js';
import { formatExactly, formatMoment, t } from './language.js';

/** Counts the refreshes. */
export const round = signal(0);

const readings = signal<ReadonlyMap<object, number>>(new Map());
const oldest = computed(() =>
  readings.value.size > 0 ? Math.min(...readings.value.values()) : undefined,
);

/**
 * Records when the visible result of a query was requested.
 * @param at Milliseconds of the page's clock; undefined when the page shows no result of it.
 */
export function noteReading(question: object, at: number | undefined): void {
  const next = new Map(readings.peek());
  if (at === undefined) next.delete(question);
  else next.set(question, at);
  readings.value = next;
}

/** Minutes after which the data may well have changed. */
const oldAfter = 10;
const millisecondsPerMinute = 60_000;

const ageInWords = (minutes: number): string =>
  minutes === 0
    ? t.fresh.now
    : minutes < 120
      ? t.fresh.minutes(minutes)
      : t.fresh.hours(Math.floor(minutes / 60));

/** The oldest result counts. */
export function Fresh() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const at = oldest.value;
  if (at === undefined) return null;
  const minutes = Math.max(0, Math.floor((now - at) / millisecondsPerMinute));
  const isOld = minutes >= oldAfter;
  const instant = new Date(at).toISOString();
  return (
    <p class={`fresh ${isOld ? 'old' : ''}`}>
      <span>
        {isOld ? t.fresh.old : t.fresh.read}{' '}
        <time dateTime={instant} title={formatExactly(instant)}>
          {formatMoment(instant)}
        </time>
        , {ageInWords(minutes)}
      </span>
      <button type="button" class="button plain" onClick={() => round.value++}>
        <Icon of={RefreshCw} /> {t.fresh.refresh}
      </button>
    </p>
  );
}
