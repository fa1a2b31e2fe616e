/**
 * Values by what they stand for: mostly good ones, drawn from what there is, and where a request is
 * wild anything at all.
 */
import fc, { type GeneratorValue } from 'fast-check';
import type { Database } from '../../../src/database/connection.js';

/** What there is, by kind. */
export type Pools = Readonly<
  Record<
    'certificationType' | 'certification' | 'qualification' | 'jobRole' | 'member' | 'organization',
    readonly string[]
  >
>;

/**
 * @param kept E-mail addresses whose members are left out: a suspended caller would be refused for
 * the rest of the run.
 */
export async function readPools(db: Database, kept: readonly string[]): Promise<Pools> {
  const ids = async (table: string, most = 60) =>
    (await db.query<{ id: string }>(`select id from ${table} order by id limit ${most}`)).map(
      ({ id }) => id,
    );
  const members = await db.query<{ id: string }>(
    'select id from organization_members where user_id not in (select id from users where email = any($1)) order by id limit 60',
    [kept],
  );
  return {
    organization: await ids('organizations'),
    member: members.map(({ id }) => id),
    certificationType: await ids('certification_types'),
    // Few, so that each makes several moves.
    certification: await ids('certifications', 12),
    qualification: await ids('qualifications'),
    jobRole: await ids('job_roles'),
  };
}

/** One random request in the making. */
export interface Draft {
  readonly g: GeneratorValue;
  readonly pools: Pools;
  /** The organization that ids of organizations mean, where nothing is wild. */
  readonly home: string;
  readonly isWild: boolean;
}

type Drawing = Pick<Draft, 'g'>;

/** Made once: fast-check takes longer to make an arbitrary than to draw from it. */
const numbers = new Map<number, () => fc.Arbitrary<number>>();

/** A whole number from 0 to the greatest. */
export function upTo({ g }: Drawing, greatest: number): number {
  let arbitrary = numbers.get(greatest);
  if (!arbitrary) {
    const made = fc.nat({ max: greatest });
    arbitrary = () => made;
    numbers.set(greatest, arbitrary);
  }
  return g(arbitrary);
}

export const pick = <T>(draft: Drawing, list: readonly T[]): T =>
  list[upTo(draft, list.length - 1)] as T;
/** True so many times in a hundred. */
export const happens = (draft: Drawing, percent: number): boolean => upTo(draft, 99) < percent;

const jsonValues = fc.jsonValue({ maxDepth: 2 });
const jsonValue = () => jsonValues;

/** Halves of surrogates and all. */
const codePoints = (draft: Drawing): string =>
  String.fromCodePoint(...Array.from({ length: upTo(draft, 20) }, () => upTo(draft, 0x10ffff)));

const odd: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\u202eb',
  '__proto__',
  "' or 1=1 --",
  '%',
  '_',
  '\\',
  'x'.repeat(300),
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":1}'),
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '2026-03-01T25:00:00Z',
  '00000000-0000-0000-0000-000000000000',
];

/** Anything that JSON can say. */
export const anything = (draft: Draft): unknown =>
  happens(draft, 60)
    ? pick(draft, odd)
    : happens(draft, 50)
      ? draft.g(jsonValue)
      : codePoints(draft);

/**
 * Which pool an id is from: by its own name or, where that is `id`, by that of the field around it.
 */
const poolNames = [
  'certificationType',
  'certification',
  'qualification',
  'jobRole',
  'member',
  'organization',
] as const;

export function idFor(draft: Draft, name: string, around: string): string {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const told = /^ids?$/.test(camel) ? around : camel;
  const pool =
    poolNames.find((each) => told.toLowerCase().includes(each.toLowerCase())) ?? 'organization';
  return pool === 'organization' && happens(draft, 90)
    ? draft.home
    : pick(draft, draft.pools[pool]);
}

const words = ['Ladder', 'Tower', 'Rescue', 'Rigging', 'Night', 'Fiber', 'Ω', '塔', '🏗️', 'O’Neil'];
export const text = (draft: Draft, max = 200): string =>
  `${happens(draft, 3) ? 'a\u0007b' : ''}${pick(draft, words)} ${pick(draft, words)} ${upTo(draft, 99_999)}`.slice(
    0,
    max,
  );
export const slug = (draft: Draft): string => `s-${upTo(draft, 2999)}`;
export const email = (draft: Draft): string => `p${upTo(draft, 2999)}@skyline.example`;
export const day = (draft: Draft): string =>
  `20${pick(draft, ['24', '25', '26', '27'])}-0${pick(draft, [1, 2, 5, 9])}-1${pick(draft, [0, 5, 9])}`;
export const instant = (draft: Draft): string =>
  `${day(draft)}T0${pick(draft, [0, 9])}:30:00${pick(draft, ['Z', '.123456Z', '+02:00', '-11:30'])}`;
