/** The states of certification records: each mutation, who may, what it leaves behind. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { today } from '../../../src/entities/day.js';
import { startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
before(() => makeAppsWithoutOneScope(app.db));

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
  `mutation ($organizationId: UUID!, $id: UUID!, $input: ${inputs[name]}) { result: ${name}(organizationId: $organizationId, id: $id, input: $input)
    { id lifecycleStatus verificationStatus verificationMethod lastVerifiedAt createdAt updatedAt
      history(first: 2) { recordedAt effectiveOn reason userId userDisplayName appName requestId changes { property from to } } } }`;
const variables = (name: string, id: string, input?: object) => ({
  organizationId: demo.skylineId,
  id,
  input: { ...sample[name], ...input },
});
const run = async (name: string, id: string, input?: object) => (await manager.data(operation(name), variables(name, id, input))).result;
const refused = (name: string, id: string, input?: object) => manager.refusal(operation(name), variables(name, id, input));

async function make(input: object = {}, by = manager): Promise<string> {
  const data = await by.data(
    'mutation ($organizationId: UUID!, $input: CertificationCreate!) { createCertification(organizationId: $organizationId, input: $input) { id } }',
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
  (await app.db.query<Record<string, unknown>>('select * from certifications where id = $1', [id]))[0] as Record<string, unknown>;
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
  verifyCertification: { lifecycleStatus: 'ACTIVE', verificationStatus: 'VERIFIED', verificationMethod: 'issuer-registry' },
  failCertificationVerification: { lifecycleStatus: 'ACTIVE', verificationStatus: 'FAILED', verificationMethod: 'issuer-registry' },
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
      for (const [field, value] of Object.entries(expected)) assert.equal(result[field], value, field);
      assert.ok(result.updatedAt > String(old.updated_at));
      const [event] = await audit(id);
      assert.equal(event?.action, 'update');
      assert.deepEqual(event?.changes.reason, [null, 'Letter of 3 May']);
      const [change] = result.history;
      assert.equal(change.recordedAt, result.updatedAt);
      assert.equal(change.effectiveOn, today());
      assert.equal(change.reason, 'Letter of 3 May');
      assert.equal(change.userDisplayName, 'Marcus Delgado');
      assert.ok(change.appName && change.requestId);
      const moved = change.changes.find(({ property }: { property: string }) => /Status$/.test(property));
      assert.equal(moved.to, String(expected[moved.property]).toLowerCase());
    });

    test('is not for a plain member and the record of another, nor for a foreigner, nor without the scope', async () => {
      const id = await make({ organizationMemberId: demo.memberId(demo.managerEmail) });
      const before = await stored(id);
      const asked = variables(name, id);
      assert.equal((await climber.refusal(operation(name), asked)).code, 'FORBIDDEN');
      assert.equal((await graphOf(app, 'admin@harbor.example').refusal(operation(name), asked)).code, 'FORBIDDEN');
      const poor = graphOf(app, demo.managerEmail, appWithout('certification_records:write'));
      assert.equal((await poor.refusal(operation(name), asked)).code, 'INSUFFICIENT_SCOPE');
      assert.deepEqual(await stored(id), before);
    });

    test('finds no record that is not of the organization', async () => {
      assert.equal((await refused(name, demo.nothing)).code, 'NOT_FOUND');
      const [foreign] = await app.db.query<{ id: string }>('select id from certifications where organization_id = $1 limit 1', [
        demo.harborId,
      ]);
      assert.equal((await refused(name, foreign?.id ?? '')).code, 'NOT_FOUND');
    });

    test('refuses to make the same move again, naming the state', async () => {
      const id = await ready();
      const result = await run(name, id);
      const { code, message, details } = await refused(name, id);
      const field = name.match(/Verification$|^verify/) ? 'verificationStatus' : 'lifecycleStatus';
      const state = result[field].toLowerCase();
      assert.deepEqual([code, details], ['INVALID_TRANSITION', { from: state, to: state }]);
      assert.match(message, new RegExp(state));
      assert.equal((await audit(id)).length, 2 + (lead[name] ?? []).length);
    });

    test('refuses a day after today, and one before the record was made', async () => {
      const id = await ready();
      assert.deepEqual((await refused(name, id, { effectiveOn: '2999-01-01' })).details, {
        effectiveOn: ['must not be after today (UTC)'],
      });
      const { details } = await refused(name, id, { effectiveOn: '2020-01-01' });
      assert.deepEqual(details, { effectiveOn: [`must not be before ${today()}, when the record was made`] });
    });
  });
}

describe('what follows what', () => {
  test('a revoked record never becomes active, by way of the archive either', async () => {
    const id = await make();
    await run('revokeCertification', id);
    assert.equal((await refused('restoreCertification', id)).code, 'INVALID_TRANSITION');
    await run('archiveCertification', id);
    const { code, message } = await refused('restoreCertification', id);
    assert.equal(code, 'INVALID_TRANSITION');
    assert.match(message, /was revoked before/);
    assert.equal((await stored(id)).lifecycle_status, 'archived');
  });

  test('verified is final until an edit; a failed record can be submitted again', async () => {
    const id = await make();
    await run('submitCertificationForVerification', id);
    await run('failCertificationVerification', id);
    assert.equal((await refused('verifyCertification', id)).code, 'INVALID_TRANSITION');
    await run('submitCertificationForVerification', id);
    await run('verifyCertification', id);
    assert.equal((await refused('failCertificationVerification', id)).code, 'INVALID_TRANSITION');
  });

  test('a check on an earlier day was made that day', async () => {
    const id = demo.recordId(demo.climberEmail, 'osha-10');
    await app.db.query(`update certifications set verification_status = 'unverified' where id = $1`, [id]);
    const made = String((await stored(id)).created_at).slice(0, 10);
    const result = await run('verifyCertification', id, { effectiveOn: made });
    assert.equal(result.lastVerifiedAt, `${made}T00:00:00.000000Z`);
    assert.equal(result.history[0].effectiveOn, made);
  });

  test('holders submit their own self-reported records, and do nothing else to them', async () => {
    const id = await make({}, climber);
    for (const name of Object.keys(inputs).filter((each) => each !== 'submitCertificationForVerification')) {
      assert.equal((await climber.refusal(operation(name), variables(name, id))).code, 'FORBIDDEN', name);
    }
    const name = 'submitCertificationForVerification';
    assert.equal((await climber.data(operation(name), variables(name, id))).result.verificationStatus, 'PENDING');
    const entered = await make();
    assert.equal((await climber.refusal(operation(name), variables(name, entered))).code, 'FORBIDDEN');
  });

  test('an input has its limits', async () => {
    const id = await make();
    assert.deepEqual((await refused('revokeCertification', id, { reason: ' ' })).details, { reason: ['must not be empty'] });
    assert.deepEqual((await refused('verifyCertification', id, { method: '' })).details, { method: ['must not be empty'] });
  });

  test('two at once: one revokes, the other is told', async () => {
    const id = await make();
    const token = await app.token(demo.managerEmail);
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.graphql(operation('revokeCertification'), variables('revokeCertification', id), { token })),
    );
    const codes = answers.map(({ body }) => body.errors?.[0].extensions.code ?? 'OK').sort();
    assert.deepEqual(codes, ['INVALID_TRANSITION', 'INVALID_TRANSITION', 'OK']);
  });
});
