/** What the history of a record answers, against a model that writes out every day. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { lifecycleStatuses, verificationStatuses } from '../../src/entities/certification.js';
import { dayAfter } from '../../src/entities/day.js';
import { type Evidence, replay, type Version } from '../../src/entities/history.js';

const start = '2026-03-01';
const days = Array.from({ length: 14 }, (_, number) => dayAfter(start, number));

const state = fc.record({
  lifecycleStatus: fc.constantFrom(...lifecycleStatuses),
  verificationStatus: fc.constantFrom(...verificationStatuses),
  verificationMethod: fc.constantFrom(null, 'document-review', 'issuer-registry'),
  expiresOn: fc.constantFrom(null, '2026-03-05', '2027-01-01'),
  issuerName: fc.constantFrom('Beacon', 'Ridgeline'),
});

/** Versions recorded one after the other, each effective on its own day or on one before, but never before the record was made. */
const versions: fc.Arbitrary<Version[]> = fc.array(fc.tuple(state, fc.nat(3), fc.nat(5)), { minLength: 1, maxLength: 6 }).map((drawn) => {
  let recorded = 2;
  return drawn.map(([values, later, back], index): Version => {
    recorded = Math.min(recorded + (index === 0 ? 0 : later), days.length - 1);
    const effective = index === 0 ? recorded : Math.max(recorded - back, 2);
    return {
      certificationId: 'c',
      organizationMemberId: 'm',
      certificationTypeId: 't',
      source: 'manual',
      issuedOn: null,
      ...values,
      recordedAt: `${days[recorded]}T10:00:0${index}.000000Z`,
      effectiveOn: days[effective] ?? '',
    };
  });
});

const evidenceOf = ({ recordedAt, effectiveOn, ...evidence }: Version): Evidence => evidence;

/** Day by day: each change, as it is recorded, writes what it changes over its day and all after it. */
function model(all: readonly Version[], asOf: string): Evidence | undefined {
  const last = all.at(-1);
  if (!last) return undefined;
  const diary = new Map<string, Partial<Evidence>>();
  for (const [index, version] of all.entries()) {
    const previous = all[index - 1];
    const lifecycleChanged = version.lifecycleStatus !== previous?.lifecycleStatus;
    const checkChanged =
      version.verificationStatus !== previous?.verificationStatus || version.verificationMethod !== previous?.verificationMethod;
    for (const day of days.filter((each) => each >= version.effectiveOn)) {
      const { lifecycleStatus, verificationStatus, verificationMethod } = version;
      diary.set(day, {
        ...diary.get(day),
        ...(lifecycleChanged && { lifecycleStatus }),
        ...(checkChanged && { verificationStatus, verificationMethod }),
      });
    }
  }
  const then = diary.get(asOf);
  return then && { ...evidenceOf(last), ...then };
}

describe('replay', () => {
  test('equals a diary that is written day by day', () => {
    fc.assert(
      fc.property(versions, fc.constantFrom(...days), (all, day) => assert.deepEqual(replay(all, day), model(all, day))),
      { numRuns: 2000 },
    );
  });

  test('of the present is the record as it stands', () => {
    fc.assert(fc.property(versions, (all) => assert.deepEqual(replay(all, days.at(-1) ?? ''), evidenceOf(all.at(-1) as Version))));
  });

  test('before the record was made is nothing, and so is what nobody knew of', () => {
    fc.assert(fc.property(versions, (all) => assert.equal(replay(all, days[1] ?? ''), undefined)));
    assert.equal(replay([], start), undefined);
  });

  test('a correction holds backwards, unless it was not known yet', () => {
    fc.assert(
      fc.property(versions, fc.constantFrom(...days.slice(2)), (all, day) => {
        const [first] = all as [Version];
        const last = all.at(-1) as Version;
        assert.equal(replay(all, day)?.expiresOn, last.expiresOn);
        assert.equal(replay(all, day)?.issuerName, last.issuerName);
        assert.deepEqual(replay([first], day), evidenceOf(first));
      }),
    );
  });

  test('a check that is entered late does not bring back what was archived meanwhile', () => {
    const made = {
      certificationId: 'c',
      organizationMemberId: 'm',
      certificationTypeId: 't',
      source: 'api',
      issuedOn: null,
      expiresOn: null,
      issuerName: null,
    } as const;
    const open = { lifecycleStatus: 'active', verificationStatus: 'unverified', verificationMethod: null } as const;
    const all: Version[] = [
      { ...made, ...open, recordedAt: '2026-03-01T10:00:00.000000Z', effectiveOn: '2026-03-01' },
      { ...made, ...open, lifecycleStatus: 'archived', recordedAt: '2026-03-03T10:00:00.000000Z', effectiveOn: '2026-03-03' },
      { ...made, ...open, recordedAt: '2026-03-05T10:00:00.000000Z', effectiveOn: '2026-03-05' },
      { ...made, ...open, verificationStatus: 'verified', recordedAt: '2026-03-06T10:00:00.000000Z', effectiveOn: '2026-03-02' },
    ];
    const seen = days.slice(0, 6).map((day) => [replay(all, day)?.lifecycleStatus, replay(all, day)?.verificationStatus].join(' '));
    assert.deepEqual(seen, [
      'active unverified',
      'active verified',
      'archived verified',
      'archived verified',
      'active verified',
      'active verified',
    ]);
  });
});
