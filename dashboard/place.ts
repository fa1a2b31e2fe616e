/** What the page shows, as the query of its address: every view can be linked to, and the browser's back goes back. */
import { signal } from '@preact/signals';

const names = ['org', 'tab', 'day', 'role', 'member', 'qualification', 'week', 'crew'] as const;

/** '' stands for what is shown when nothing is said. */
export type Place = Readonly<Record<(typeof names)[number], string>>;

function read(): Place {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Place;
}

export const place = signal(read());
addEventListener('popstate', () => {
  place.value = read();
});

/** The address of the place that differs from this one in `change`. */
export function hrefOf(change: Partial<Place>): string {
  const wanted = { ...place.value, ...change };
  const query = new URLSearchParams(names.flatMap((name) => (wanted[name] ? [[name, wanted[name]]] : [])));
  return query.size > 0 ? `/dashboard?${query}` : '/dashboard';
}

export function go(change: Partial<Place>): void {
  history.pushState(null, '', hrefOf(change));
  place.value = read();
}

/** Puts another query into the address, and in the history in place of this one. */
export function arrive(query: string): void {
  history.replaceState(null, '', `/dashboard${query}`);
  place.value = read();
}
