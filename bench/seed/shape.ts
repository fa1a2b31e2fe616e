/** How many there are of everything, and how values follow from numbers. */

export const organizationCount = 50;
/** The organization that publishes the shared catalogue. */
export const publisher = organizationCount;
export const standard = { types: 40, qualifications: 15, roles: 10 };
export const own = { types: 10, qualifications: 10, roles: 5 };
/** Organization 1 has a quarter of all members; the others share the rest. */
export const organizationOf = (member: string): string =>
  `(case when ${member} % 4 = 0 then 1 else 2 + ${member} % ${organizationCount - 1} end)`;

export interface Size {
  readonly members: number;
  readonly certifications: number;
}

/** @param scale 1 for 20,000 members with 200,000 certifications. */
export const sizeOf = (scale: number): Size => ({
  members: Math.round(20_000 * scale),
  certifications: Math.round(200_000 * scale),
});

export interface Statement {
  /** The table, for the progress. */
  readonly fills: string;
  readonly sql: string;
  /**
   * Rows that `$1` to `$2` number, to be written in portions; left out: one statement does it all.
   */
  readonly rows?: number;
}

/**
 * `bench.uid` makes a UUIDv7 of a kind and a number, `bench.rnd` a number from 0 to below `below`
 * that looks random.
 */
export const functions = `
  create schema bench;
  create function bench.uid(kind text, n bigint) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex(1700000000000 + n * 1000), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid from md5(kind || n) h $$;
  create function bench.rnd(n bigint, salt bigint, below int) returns int language sql immutable parallel safe as $$
    select ((hashint8extended(n, salt) & 9223372036854775807) % below)::int $$;`;

export const pick = (values: readonly string[], salt: number): string =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + bench.rnd(n, ${salt}, ${values.length})]`;
