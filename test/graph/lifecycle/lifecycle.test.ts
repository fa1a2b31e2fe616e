/** The states of certification records: each mutation, who may, what it leaves behind. */
import { today } from '../../../src/scalars/day.js';
import { startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
beforeAll(() => makeAppsWithoutOneScope(app.db));

const inputs: Record<string, string> = {
  revokeCertification: 'CertificationRevocation!',
  archiveCertification: 'CertificationMove',
  restoreCertification: 'CertificationMove',
  submitCertificationForVerification: 'CertificationMove',
  verifyCertification: 'CertificationCheck!',
  failCertificationVerification: 'CertificationCheck!',
};
const sample: Record<string, object> = {
  revokeCertification: { reason: 'Forged' },
  verifyCertification: { method: 'issuer-registry' },
  failCertificationVerification: { method: 'issuer-registry' },
};
const operation = (name: string) =>
  `mutation ($organizationId: ID!, $id: ID!, $input: ${inputs[name]}) { result: ${name}(organizationId: $organizationId, id: $id, input: $input)
    { id lifecycleStatus verificationStatus verificationMethod lastVerifiedAt createdAt updatedAt
      history(first: 2) { recordedAt effectiveOn reason userId userDisplayName appName requestId changes { property from to } } } }`;
const variables = (name: string, id: string, input?: object) => ({
  organizationId: demo.skylineId,
  id,
  input: { ...sample[name], ...input },
});
const run = async (name: string, id: string, input?: object) =>
  (await manager.data(operation(name), variables(name, id, input))).result;
const refused = (name: string, id: string, input?: object) =>
  manager.refusal(operation(name), variables(name, id, input));

async function make(input: object = {}, by = manager): Promise<string> {
  const data = await by.data(
    'mutation ($organizationId: ID!, $input: CertificationCreate!) { createCertification(organizationId: $organizationId, input: $input) { id } }',
    {
      organizationId: demo.skylineId,
      input: {
        organizationMemberId: demo.memberId(demo.climberEmail),
        certificationTypeId: demo.typeId('osha-30'),
        issuedOn: '2025-05-01',
        ...input,
      },
    },
  );
  return data.createCertification.id;
}
const stored = async (id: string) =>
  (
    await app.db.query<Record<string, unknown>>('select * from certifications where id = $1', [id])
  )[0] as Record<string, unknown>;
const audit = (id: string) =>
  app.db.query<{ action: string; changes: Record<string, unknown> }>(
    'select action, changes from audit_events where subject_id = $1 order by occurred_at desc',
    [id],
  );

/** How to bring a new record to the state that a mutation starts from. */
const lead: Record<string, string[]> = { restoreCertification: ['archiveCertification'] };
const outcome: Record<string, object> = {
  revokeCertification: { lifecycleStatus: 'REVOKED', verificationStatus: 'UNVERIFIED' },
  archiveCertification: { lifecycleStatus: 'ARCHIVED', verificationStatus: 'UNVERIFIED' },
  restoreCertification: { lifecycleStatus: 'ACTIVE', verificationStatus: 'UNVERIFIED' },
  submitCertificationForVerification: { lifecycleStatus: 'ACTIVE', verificationStatus: 'PENDING' },
  verifyCertification: {
    lifecycleStatus: 'ACTIVE',
    verificationStatus: 'VERIFIED',
    verificationMethod: 'issuer-registry',
  },
  failCertificationVerification: {
    lifecycleStatus: 'ACTIVE',
    verificationStatus: 'FAILED',
    verificationMethod: 'issuer-registry',
  },
};

for (const name of Object.keys(inputs)) {
  describe(name, () => {
    const ready = async () => {
      const id = await make();
      for (const step of lead[name] ?? []) await run(step, id);
      return id;
    };

    test('moves the record, with an audit event and the reason in the history', async () => {
      const id = await ready();
      const old = await stored(id);
      const result = await run(name, id, { reason: 'Letter of 3 May' });
      const expected = outcome[name] as Record<string, unknown>;
      for (const [field, value] of Object.entries(expected))
        expect([field, result[field]]).toStrictEqual([field, value]);
      expect(result.updatedAt > String(old.updated_at)).toBe(true);
      const [event] = await audit(id);
      expect(event?.action).toBe('update');
      expect(event?.changes.reason).toEqual([null, 'Letter of 3 May']);
      const [change] = result.history;
      expect(change.recordedAt).toBe(result.updatedAt);
      expect(change.effectiveOn).toBe(today());
      expect(change.reason).toBe('Letter of 3 May');
      expect(change.userDisplayName).toBe('Marcus Delgado');
      expect(change.appName && change.requestId).toBeTruthy();
      const moved = change.changes.find(({ property }: { property: string }) =>
        /Status$/.test(property),
      );
      expect(moved.to).toBe(String(expected[moved.property]).toLowerCase());
    });

    test('is not for a plain member and the record of another, nor for a foreigner, nor without the scope', async () => {
      const id = await make({ organizationMemberId: demo.memberId(demo.managerEmail) });
      const before = await stored(id);
      const asked = variables(name, id);
      expect((await climber.refusal(operation(name), asked)).code).toBe('FORBIDDEN');
      expect(
        (await graphOf(app, 'admin@harbor.example').refusal(operation(name), asked)).code,
      ).toBe('FORBIDDEN');
      const poor = graphOf(app, demo.managerEmail, appWithout('certification_records:write'));
      expect((await poor.refusal(operation(name), asked)).code).toBe('INSUFFICIENT_SCOPE');
      expect(await stored(id)).toStrictEqual(before);
    });

    test('finds no record that is not of the organization', async () => {
      expect((await refused(name, demo.nothing)).code).toBe('NOT_FOUND');
      const [foreign] = await app.db.query<{ id: string }>(
        'select id from certifications where organization_id = $1 limit 1',
        [demo.harborId],
      );
      expect((await refused(name, foreign?.id ?? '')).code).toBe('NOT_FOUND');
    });

    test('refuses to make the same move again, naming the state', async () => {
      const id = await ready();
      const result = await run(name, id);
      const { code, message, details } = await refused(name, id);
      const field = name.match(/Verification$|^verify/) ? 'verificationStatus' : 'lifecycleStatus';
      const state = result[field].toLowerCase();
      expect([code, details]).toStrictEqual(['INVALID_TRANSITION', { from: state, to: state }]);
      expect(message).toMatch(new RegExp(state));
      expect(await audit(id)).toHaveLength(2 + (lead[name] ?? []).length);
    });

    test('refuses a day after today, and one before the day of issue', async () => {
      const id = await ready();
      expect((await refused(name, id, { effectiveOn: '2999-01-01' })).details).toStrictEqual({
        effectiveOn: ['must not be after today (UTC)'],
      });
      const { details } = await refused(name, id, { effectiveOn: '2020-01-01' });
      expect(details).toStrictEqual({
        effectiveOn: ['must not be before 2025-05-01, the day of issue'],
      });
    });
  });
}

describe('what follows what', () => {
  test('a revoked record never becomes active, by way of the archive either', async () => {
    const id = await make();
    await run('revokeCertification', id);
    expect((await refused('restoreCertification', id)).code).toBe('INVALID_TRANSITION');
    await run('archiveCertification', id);
    const { code, message } = await refused('restoreCertification', id);
    expect(code).toBe('INVALID_TRANSITION');
    expect(message).toMatch(/was revoked before/);
    expect((await stored(id)).lifecycle_status).toBe('archived');
  });

  test('verified is final until an edit; a failed record can be submitted again', async () => {
    const id = await make();
    await run('submitCertificationForVerification', id);
    await run('failCertificationVerification', id);
    expect((await refused('verifyCertification', id)).code).toBe('INVALID_TRANSITION');
    await run('submitCertificationForVerification', id);
    await run('verifyCertification', id);
    expect((await refused('failCertificationVerification', id)).code).toBe('INVALID_TRANSITION');
  });

  test('a check on an earlier day was made that day', async () => {
    const id = demo.recordId(demo.climberEmail, 'osha-10');
    await app.db.query(
      `update certifications set verification_status = 'unverified' where id = $1`,
      [id],
    );
    const issued = String((await stored(id)).issued_on);
    const result = await run('verifyCertification', id, { effectiveOn: issued });
    expect(result.lastVerifiedAt).toBe(`${issued}T00:00:00.000000Z`);
    expect(result.history[0].effectiveOn).toBe(issued);
  });

  test('holders submit their own self-reported records, and do nothing else to them', async () => {
    const id = await make({}, climber);
    for (const name of Object.keys(inputs).filter(
      (each) => each !== 'submitCertificationForVerification',
    )) {
      expect([
        name,
        (await climber.refusal(operation(name), variables(name, id))).code,
      ]).toStrictEqual([name, 'FORBIDDEN']);
    }
    const name = 'submitCertificationForVerification';
    expect(
      (await climber.data(operation(name), variables(name, id))).result.verificationStatus,
    ).toBe('PENDING');
    const entered = await make();
    expect((await climber.refusal(operation(name), variables(name, entered))).code).toBe(
      'FORBIDDEN',
    );
  });

  test('an input has its limits', async () => {
    const id = await make();
    expect((await refused('revokeCertification', id, { reason: ' ' })).details).toStrictEqual({
      reason: ['must not be empty'],
    });
    expect((await refused('verifyCertification', id, { method: '' })).details).toStrictEqual({
      method: ['must not be empty'],
    });
  });

  test('two at once: one revokes, the other is told', async () => {
    const id = await make();
    const token = await app.token(demo.managerEmail);
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        app.graphql(operation('revokeCertification'), variables('revokeCertification', id), {
          token,
        }),
      ),
    );
    const codes = answers.map(({ body }) => body.errors?.[0].extensions.code ?? 'OK').sort();
    expect(codes).toEqual(['INVALID_TRANSITION', 'INVALID_TRANSITION', 'OK']);
  });
});
