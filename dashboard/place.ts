/**
 * The state of the view as the query of the address, so that every view has a link and the back
 * button works.
 */
import { signal } from '@preact/signals';

const names = [
  'org',
  'tab',
  'day',
  'role',
  'person',
  'member',
  'qualification',
  'week',
  'crew',
  'q',
  'gaps',
  'columns',
  'sort',
] as const;

/** '' stands for the default. */
export type Place = Readonly<Record<(typeof names)[number], string>>;

function read(): Place {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Place;
}

export const place = signal(read());
addEventListener('popstate', () => {
  place.value = read();
});

/** The address of the current view with `change` applied. */
export function hrefOf(change: Partial<Place>): string {
  const wanted = { ...place.value, ...change };
  const query = new URLSearchParams(
    names.flatMap((name) => (wanted[name] ? [[name, wanted[name]]] : [])),
  );
  return query.size > 0 ? `/dashboard?${query}` : '/dashboard';
}

export function go(change: Partial<Place>): void {
  history.pushState(null, '', hrefOf(change));
  place.value = read();
}

/** As {@link go}, in the same history entry: for each letter of a search. */
export function adjust(change: Partial<Place>): void {
  history.replaceState(null, '', hrefOf(change));
  place.value = read();
}

/** Replaces the query of the address and the history entry. */
export function arrive(query: string): void {
  history.replaceState(null, '', `/dashboard${query}`);
  place.value = read();
}
