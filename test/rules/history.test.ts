/** What the history of a record answers, against a model that writes out every day. */
import fc from 'fast-check';
import { lifecycleStatuses, verificationStatuses } from '../../src/entities/certification.js';
import { spanAt } from '../../src/rules/evaluation/evidence.js';
import {
  activeDays,
  type RecordState,
  replay,
  type Version,
  wasRevoked,
} from '../../src/rules/history.js';
import { dayAfter } from '../../src/scalars/day.js';

const start = '2026-03-01';
const days = Array.from({ length: 14 }, (_, number) => dayAfter(start, number));

const state = fc.record({
  lifecycleStatus: fc.constantFrom(...lifecycleStatuses),
  verificationStatus: fc.constantFrom(...verificationStatuses),
  verificationMethod: fc.constantFrom(null, 'document-review', 'issuer-registry'),
  expiresOn: fc.constantFrom(null, '2026-03-05', '2027-01-01'),
  issuerName: fc.constantFrom('Beacon', 'Ridgeline'),
});

/**
 * Versions recorded one after the other, each effective on its own day or on one before: before the
 * record was entered, too.
 */
const versions: fc.Arbitrary<Version[]> = fc
  .array(fc.tuple(state, fc.nat(3), fc.nat(9)), { minLength: 1, maxLength: 6 })
  .map((drawn) => {
    let recorded = 4;
    return drawn.map(([values, later, back], index): Version => {
      recorded = Math.min(recorded + (index === 0 ? 0 : later), days.length - 1);
      return {
        certificationId: 'c',
        organizationMemberId: 'm',
        certificationTypeId: 't',
        source: 'manual',
        issuedOn: null,
        ...values,
        recordedAt: `${days[recorded]}T10:00:0${index}.000000Z`,
        effectiveOn: days[index === 0 ? recorded : Math.max(recorded - back, 0)] ?? '',
      };
    });
  });

const evidenceOf = ({ recordedAt, effectiveOn, ...evidence }: Version): RecordState => evidence;

/**
 * Day by day: the creation writes its state over all days, each change, as it is recorded, over its
 * day and all after it.
 */
function model(all: readonly Version[], asOf: string): RecordState | undefined {
  const last = all.at(-1);
  if (!last) return undefined;
  const diary = new Map<string, Version['lifecycleStatus']>();
  for (const [index, { lifecycleStatus, effectiveOn }] of all.entries()) {
    if (lifecycleStatus === all[index - 1]?.lifecycleStatus) continue;
    for (const day of days) if (index === 0 || day >= effectiveOn) diary.set(day, lifecycleStatus);
  }
  return { ...evidenceOf(last), lifecycleStatus: diary.get(asOf) ?? last.lifecycleStatus };
}

describe('replay', () => {
  test('equals a diary that is written day by day', () => {
    fc.assert(
      fc.property(versions, fc.constantFrom(...days), (all, day) =>
        expect(replay(all, day)).toStrictEqual(model(all, day)),
      ),
      { numRuns: 2000 },
    );
  });

  test('agrees on every day with the days on which the record is active', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const spans = activeDays(all);
        for (const day of days)
          expect([day, spanAt(day, spans) !== undefined]).toStrictEqual([
            day,
            replay(all, day)?.lifecycleStatus === 'active',
          ]);
        for (const [index, { from }] of spans.entries())
          expect(index === 0 || from > dayAfter(spans[index - 1]?.until ?? '', 1)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('of the present is the record as it stands', () => {
    fc.assert(
      fc.property(versions, (all) =>
        expect(replay(all, days.at(-1) ?? '')).toStrictEqual(evidenceOf(all.at(-1) as Version)),
      ),
    );
  });

  test('what was revoked stays so, whatever is entered later of earlier days', () => {
    const life = (lifecycleStatus: 'active' | 'revoked' | 'archived', effectiveOn: string) => ({
      lifecycleStatus,
      effectiveOn,
    });
    const versions = [
      life('active', '2026-03-01'),
      life('revoked', '2026-03-05'),
      life('archived', '2026-03-03'),
    ];
    expect(
      ['2026-03-04', '2026-03-05', '2026-03-09'].map((day) => wasRevoked(versions, day)),
    ).toEqual([false, true, true]);
    expect(activeDays(versions)).toStrictEqual([{ from: '0001-01-01', until: '2026-03-02' }]);
  });

  test('holds for the days before the record was entered, and is nothing where nobody knew of it', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const [first] = all as [Version];
        expect(replay([first], '2001-01-01')).toStrictEqual(evidenceOf(first));
      }),
    );
    expect(replay([], start)).toBeUndefined();
  });

  test('a correction holds backwards, unless it was not known yet', () => {
    fc.assert(
      fc.property(versions, fc.constantFrom(...days), (all, day) => {
        const [first] = all as [Version];
        const last = all.at(-1) as Version;
        expect(replay(all, day)?.expiresOn).toBe(last.expiresOn);
        expect(replay(all, day)?.issuerName).toBe(last.issuerName);
        expect(replay([first], day)).toStrictEqual(evidenceOf(first));
      }),
    );
  });

  test('a check says what the record was worth on every day, and does not bring back what was archived meanwhile', () => {
    const made = {
      certificationId: 'c',
      organizationMemberId: 'm',
      certificationTypeId: 't',
      source: 'self-reported',
      issuedOn: null,
      expiresOn: null,
      issuerName: null,
    } as const;
    const open = {
      lifecycleStatus: 'active',
      verificationStatus: 'unverified',
      verificationMethod: null,
    } as const;
    const all: Version[] = [
      { ...made, ...open, recordedAt: '2026-03-02T10:00:00.000000Z', effectiveOn: '2026-03-02' },
      {
        ...made,
        ...open,
        lifecycleStatus: 'archived',
        recordedAt: '2026-03-03T10:00:00.000000Z',
        effectiveOn: '2026-03-03',
      },
      { ...made, ...open, recordedAt: '2026-03-05T10:00:00.000000Z', effectiveOn: '2026-03-05' },
      {
        ...made,
        ...open,
        verificationStatus: 'verified',
        recordedAt: '2026-03-06T10:00:00.000000Z',
        effectiveOn: '2026-03-02',
      },
    ];
    const seen = (versions: readonly Version[]) =>
      days
        .slice(0, 6)
        .map((day) =>
          [replay(versions, day)?.lifecycleStatus, replay(versions, day)?.verificationStatus].join(
            ' ',
          ),
        );
    const lifecycle = ['active', 'active', 'archived', 'archived', 'active', 'active'];
    expect(seen(all)).toStrictEqual(lifecycle.map((state) => `${state} verified`));
    expect(seen(all.slice(0, 3))).toStrictEqual(lifecycle.map((state) => `${state} unverified`));
  });
});
