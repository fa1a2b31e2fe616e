/**
 * The organizations of the demo set: the publisher of the standard definitions, and two tenants.
 */

import { publisher as standard } from '../catalogue/definitions.js';
import { parseTable } from '../catalogue/table.js';
import { dayAfter } from '../scalars/day.js';

/** The slug of the organization that owns the standard definitions. */
export const publisher = standard.slug;

/**
 * Age is in days. E-mail addresses end in the domain; external ids of members begin with the
 * prefix.
 */
export const organizations = parseTable(
  ['slug', 'name', 'age', 'domain', 'prefix'],
  `
    ${standard.slug}      · ${standard.name} · 730
    skyline-towers · Skyline Towers     · 720 · skyline.example · SKY
    harbor-fiber   · Harbor Fiber       · 640 · harbor.example  · HBR`,
);

export type DemoOrganization = (typeof organizations)[number];

/** The day on which an organization was founded. */
export const foundedOn = ({ age }: DemoOrganization, day: string): string =>
  dayAfter(day, -Number(age));

/**
 * The rows of a table for each organization, numbered from 0 within it.
 * @param tables By slug.
 */
export const ofEach = <Column extends string>(
  columns: readonly Column[],
  tables: Readonly<Record<string, string>>,
) =>
  organizations.flatMap((organization) =>
    parseTable(columns, tables[organization.slug] ?? '').map((row, number) => ({
      ...row,
      organization,
      number,
    })),
  );
