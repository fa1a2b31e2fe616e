/** PATCH /v1/organizations/{organization_id}/certifications/{certification_id} */
import { startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectInvalid } from '../support/client.js';
import { ensure } from '../support/expect.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const path = (type: string, email = demo.climberEmail) =>
  `${demo.skyline}/certifications/${demo.recordId(email, type)}`;
const stored = async (type: string) =>
  dataOf(await climber.get(`/v1/certifications/${demo.recordId(demo.climberEmail, type)}`));
const later = (one: string, other: string) => ensure(one > other, `${one} is not after ${other}`);

describe('PATCH /v1/organizations/{organization_id}/certifications/{certification_id}', () => {
  test('200 with only what was sent changed, and a later updated_at', async () => {
    const before = await stored('osha-10');
    const sent = { external_id: 'E-1', external_source: 'crew-desk' };
    const data = dataOf(await manager.patch(path('osha-10'), sent));
    expect(data).toStrictEqual({ ...before, ...sent, updated_at: data.updated_at });
    later(data.updated_at, before.updated_at);
    expect(await stored('osha-10')).toStrictEqual(data);
    const [event] = await app.db.query(
      'select action, changes from audit_events where subject_id = $1 order by occurred_at desc limit 1',
      [data.id],
    );
    expect(event).toStrictEqual({
      action: 'update',
      changes: { externalId: [null, 'E-1'], externalSource: [null, 'crew-desk'] },
    });
  });

  test('200 with null clearing', async () => {
    const sent = {
      external_id: null,
      external_source: null,
      issued_on: null,
      expires_on: null,
      issuer_name: null,
      serial_number: null,
    };
    expect(dataOf(await manager.patch(path('dot-medical'), sent))).toMatchObject({
      ...sent,
      validity_status: 'unknown',
    });
  });

  test('200 with nothing changed, updated_at included, for an empty object or the same values', async () => {
    const before = await stored('authorized-climber');
    const eventsOf = () =>
      app.db.query('select id from audit_events where subject_id = $1', [before.id]);
    const past = await eventsOf();
    const { external_id, issued_on, issuer_name } = before;
    for (const same of [{}, { external_id, issued_on, issuer_name }]) {
      expect(dataOf(await manager.patch(path('authorized-climber'), same))).toStrictEqual(before);
    }
    expect(await eventsOf()).toStrictEqual(past);
  });

  const doubtful = {
    issued_on: '2024-01-31',
    expires_on: '2099-01-31',
    issuer_name: 'Another',
    serial_number: 'S-2',
  };
  for (const [property, value] of Object.entries(doubtful)) {
    test(`200 with a changed ${property} making the record unverified`, async () => {
      const id = demo.recordId(demo.climberEmail, 'rf-awareness');
      await app.db.query(
        `update certifications set verification_status = 'verified', verification_method = 'x', last_verified_at = now() where id = $1`,
        [id],
      );
      const data = dataOf(await manager.patch(path('rf-awareness'), { [property]: value }));
      const fresh = {
        verification_status: 'unverified',
        verification_method: null,
        last_verified_at: null,
      };
      expect(data).toMatchObject({ [property]: value, ...fresh });
    });
  }

  test('200 with the verification kept when only the outside system changes', async () => {
    const data = dataOf(await manager.patch(path('competent-climber'), { external_id: 'E-2' }));
    expect(data.verification_status).toBe('verified');
    expect(data.last_verified_at).not.toBeNull();
  });

  test('200 for an archived record, which stays archived', async () => {
    expect(
      dataOf(await manager.patch(path('rf-awareness/previous'), { issuer_name: 'Old' }))
        .lifecycle_status,
    ).toBe('archived');
  });

  test('200 for their own self-reported record from a plain member', async () => {
    expect(
      dataOf(await climber.patch(path('first-aid-cpr-aed'), { serial_number: 'FA-2' })),
    ).toMatchObject({
      serial_number: 'FA-2',
      source: 'self-reported',
      verification_status: 'unverified',
    });
  });

  test('403 for their own record of another source, and the record of another, from a plain member', async () => {
    for (const target of [
      path('authorized-climber'),
      path('nwsa-foreman', demo.managerEmail),
      path('none'),
    ]) {
      expectError(await climber.patch(target, { serial_number: '1' }), 403, 'forbidden');
    }
  });

  test('403 to tell whether a record of another is there: the same for none', async () => {
    const ask = (target: string) => climber.patch(target, {}, { 'x-request-id': 'same' });
    expect((await ask(path('none'))).text).toBe(
      (await ask(path('nwsa-foreman', demo.managerEmail))).text,
    );
  });

  test('403 for a suspended member and their own record', async () => {
    const suspended = clientOf(app, demo.suspendedEmail);
    const [record] = await app.db.query<{ id: string }>(
      'select id from certifications where user_id = $1',
      [demo.userId(demo.suspendedEmail)],
    );
    expectError(
      await suspended.patch(`${demo.skyline}/certifications/${record?.id}`, {}),
      403,
      'forbidden',
    );
  });

  test('404 for a record that is not of the organization', async () => {
    expectError(await manager.patch(path('none'), {}), 404, 'not_found');
    const harborRecord = (
      await clientOf(app, 'admin@harbor.example').get(`${demo.harbor}/certifications?limit=1`)
    ).body.data[0].id;
    expectError(
      await manager.patch(`${demo.skyline}/certifications/${harborRecord}`, {}),
      404,
      'not_found',
    );
  });

  test('409 for an external id that another record has', async () => {
    const { external_id, external_source } = await stored('authorized-climber');
    expectError(
      await manager.patch(path('osha-10'), { external_id, external_source }),
      409,
      'conflict',
      { field: 'external_id' },
    );
    expect((await stored('osha-10')).external_id).not.toBe(external_id);
  });

  test('422 for dates in the wrong order, together with what is stored', async () => {
    const { issued_on } = await stored('nwsa-ttt2');
    expectInvalid(await manager.patch(path('nwsa-ttt2'), { expires_on: '2001-01-01' }), {
      expires_on: 'must not be before the day of issue',
    });
    expectInvalid(await manager.patch(path('nwsa-ttt2'), { issued_on: '2099-12-31' }), {
      expires_on: 'must not be before the day of issue',
    });
    expect((await stored('nwsa-ttt2')).issued_on).toBe(issued_on);
    dataOf(await manager.patch(path('nwsa-ttt2'), { issued_on: '2099-12-31', expires_on: null }));
  });

  test('422 for what an edit cannot change', async () => {
    const known =
      'is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number';
    const fixed = [
      'lifecycle_status',
      'verification_status',
      'source',
      'organization_member_id',
      'certification_type_id',
      'id',
    ];
    expectInvalid(
      await manager.patch(path('osha-10'), Object.fromEntries(fixed.map((name) => [name, 'x']))),
      Object.fromEntries(fixed.map((name) => [name, known])),
    );
  });
});
