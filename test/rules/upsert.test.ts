/** Laws of bulk upserts, for any rows. */
import fc from 'fast-check';
import type { Certification } from '../../src/entities/certification.js';
import type { OrganizationMember } from '../../src/entities/member.js';
import { planCertification } from '../../src/rules/upsert/certification.js';
import { planMember } from '../../src/rules/upsert/member.js';
import { repetitions, type UpsertRow } from '../../src/rules/upsert/plan.js';

const day = fc
  .integer({ min: 0, max: 800 })
  .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10));
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const certificationRow = fc
  .record(
    {
      issuedOn: maybe(day),
      expiresOn: maybe(day),
      issuerName: maybe(fc.string()),
      serialNumber: maybe(fc.string()),
      memberEmail: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['memberEmail'] },
  )
  .map(
    (values): UpsertRow => ({
      values: { externalId: 'x', certificationTypeSlug: 't', ...values },
      problems: {},
    }),
  );
const referred = ({ values }: UpsertRow) => ({
  holder: { id: String(values.memberEmail), userId: `user ${values.memberEmail}` },
  type: { id: 'type', status: 'active' },
});

describe('planCertification', () => {
  it('plans nothing for a row that was carried out, whatever was there before', () => {
    fc.assert(
      fc.property(certificationRow, certificationRow, (before, row) => {
        const created = planCertification(before, referred(before), 'api');
        if (created.outcome !== 'created') return expect(created.problems.expiresOn).toBeTruthy();
        const stored = { id: '1', ...created.set } as unknown as Certification;
        const plan = planCertification(row, { stored, ...referred(row) }, 'api');
        if (plan.outcome === 'failed')
          return expect(Object.keys(plan.problems)).toEqual(['expiresOn']);
        const after = { ...stored, ...plan.set } as Certification;
        expect(planCertification(row, { stored: after, ...referred(row) }, 'api').outcome).toBe(
          'unchanged',
        );
        for (const [name, value] of Object.entries(row.values))
          if (name in after) expect(after[name as keyof Certification]).toBe(value);
        for (const name of ['issuedOn', 'issuerName', 'serialNumber'] as const)
          if (row.values[name] === undefined) expect(after[name]).toBe(stored[name]);
        return undefined;
      }),
    );
  });

  it('makes a verified record unverified when, and only when, something of it changes', () => {
    fc.assert(
      fc.property(certificationRow, certificationRow, (before, row) => {
        const created = planCertification(before, referred(before), 'api');
        fc.pre(created.outcome === 'created');
        const stored = {
          id: '1',
          ...created.set,
          verificationStatus: 'verified',
        } as unknown as Certification;
        const plan = planCertification(row, { stored, ...referred(row) }, 'api');
        fc.pre(plan.outcome !== 'failed');
        expect('verificationStatus' in plan.set).toBe(plan.outcome === 'updated');
      }),
    );
  });
});

describe('planMember', () => {
  const memberRow = fc
    .record(
      {
        displayName: maybe(fc.string()),
        firstName: maybe(fc.string()),
        role: fc.constantFrom('member', 'manager'),
        externalId: fc.constant('e'),
      },
      { requiredKeys: [] },
    )
    .map((values): UpsertRow => ({ values: { email: 'A@b.example', ...values }, problems: {} }));

  it('plans nothing for a row that was carried out', () => {
    fc.assert(
      fc.property(memberRow, memberRow, (before, row) => {
        const created = planMember(before, {}, false);
        expect(created.outcome).toBe('created');
        const found = (member: object) => {
          const byEmail = { id: '1', ...member } as OrganizationMember;
          const isSame =
            Boolean(row.values.externalId) && row.values.externalId === byEmail.externalId;
          return { byEmail, byExternalId: isSame ? byEmail : undefined };
        };
        const plan = planMember(row, found(created.set), false);
        expect(plan.outcome).not.toBe('failed');
        expect(planMember(row, found({ ...created.set, ...plan.set }), false).outcome).toBe(
          'unchanged',
        );
      }),
    );
  });
});

describe('repetitions', () => {
  it('names for each row the first with its key', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined })),
        (keys) => {
          const found = repetitions(keys, (key) => key);
          expect(found).toStrictEqual(
            keys.map((key, index) =>
              key !== undefined && keys.indexOf(key) < index ? keys.indexOf(key) : undefined,
            ),
          );
        },
      ),
    );
  });
});
