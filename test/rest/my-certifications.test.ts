/** /v1/certifications: the records of the person whom the token identifies. */
import { startApp } from '../support/app.js';
import { makeApp } from '../support/apps.js';
import {
  clientOf,
  dataOf,
  expectError,
  expectInvalid,
  expectStamps,
  uuidv7,
} from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const harborMember = demo.memberId(demo.bothEmail, 'harbor-fiber');
const osha = { certification_type_id: demo.typeId('osha-30') };

beforeAll(() =>
  makeApp(app.db, 'harbor-only', {
    scopes: ['certification_records:read', 'certification_records:write'],
    approved: { [demo.harborId]: ['certification_records:read', 'certification_records:write'] },
  }),
);

describe('POST /v1/certifications', () => {
  const path = '/v1/certifications';

  test('201 with the record, of the least that can be sent', async () => {
    const response = await climber.post(path, osha);
    const { id, created_at, updated_at, ...rest } = dataOf(response, 201);
    expect(id).toMatch(uuidv7);
    expectStamps(created_at);
    expect(updated_at).toBe(created_at);
    expect(rest).toStrictEqual({
      organization_id: demo.skylineId,
      organization_member_id: demo.memberId(demo.climberEmail),
      user_id: demo.userId(demo.climberEmail),
      external_id: null,
      external_source: null,
      certification_type_id: demo.typeId('osha-30'),
      lifecycle_status: 'active',
      source: 'self-reported',
      issued_on: null,
      expires_on: null,
      issuer_name: null,
      serial_number: null,
      verification_status: 'unverified',
      validity_status: 'unknown',
      verification_method: null,
      last_verified_at: null,
      certification_type: {
        id: demo.typeId('osha-30'),
        slug: 'osha-30',
        title: 'OSHA 30-Hour Construction',
        status: 'active',
      },
    });
    expect(response.headers.get('location')).toBe(`/v1/certifications/${id}`);
    expect(dataOf(await climber.get(`${path}/${id}`))).toStrictEqual(response.body.data);
  });

  test('201 with all that can be sent', async () => {
    const sent = {
      ...osha,
      organization_member_id: demo.memberId(demo.climberEmail),
      external_id: 'A-1',
      external_source: 'crew-desk',
      source: 'self-reported',
      issued_on: '2025-02-01',
      expires_on: '2025-02-01',
      issuer_name: 'Beacon',
      serial_number: '',
    };
    expect(dataOf(await climber.post(path, sent), 201)).toMatchObject({
      ...sent,
      serial_number: null,
      validity_status: 'expired',
    });
  });

  test('201 in the primary membership, or in the one named', async () => {
    expect(dataOf(await both.post(path, osha), 201).organization_id).toBe(demo.skylineId);
    const named = dataOf(
      await both.post(path, { ...osha, organization_member_id: harborMember }),
      201,
    );
    expect([named.organization_id, named.organization_member_id]).toStrictEqual([
      demo.harborId,
      harborMember,
    ]);
  });

  test('201 with self-reported by default for a manager too, who may say otherwise', async () => {
    expect(dataOf(await both.post(path, osha), 201).source).toBe('self-reported');
    expect(dataOf(await both.post(path, { ...osha, source: 'import' }), 201).source).toBe('import');
  });

  test('403 for the membership of another, the same as for one that there is not', async () => {
    const ask = (organization_member_id: string) =>
      both.post(path, { ...osha, organization_member_id }, { 'x-request-id': 'same' });
    const other = await ask(demo.memberId(demo.climberEmail));
    expectError(other, 403, 'forbidden');
    expect((await ask(demo.nothing)).text).toBe(other.text);
  });

  test('403 for a source other than self-reported from a plain member', async () => {
    for (const source of ['manual', 'import', 'api'])
      expectError(await climber.post(path, { ...osha, source }), 403, 'forbidden');
  });

  test('403 for a suspended member', async () => {
    expectError(await clientOf(app, demo.suspendedEmail).post(path, osha), 403, 'forbidden');
  });

  test('403 approval_required where the app waits for approval, and 201 where it does not', async () => {
    const client = clientOf(app, demo.bothEmail, 'harbor-only');
    expectError(await client.post(path, osha), 403, 'approval_required', {
      required_scope: 'certification_records:write',
    });
    dataOf(await client.post(path, { ...osha, organization_member_id: harborMember }), 201);
  });

  test('409 for an external id that is taken in the outside system, or without one', async () => {
    for (const external of [
      { external_id: 'B-1' },
      { external_id: 'B-1', external_source: 'crew-desk' },
    ]) {
      dataOf(await climber.post(path, { ...osha, ...external }), 201);
      expectError(await both.post(path, { ...osha, ...external }), 409, 'conflict', {
        field: 'external_id',
      });
    }
  });

  test('422 for dates in the wrong order, and for types that cannot be used', async () => {
    expectInvalid(
      await climber.post(path, { ...osha, issued_on: '2025-02-02', expires_on: '2025-02-01' }),
      {
        expires_on: 'must not be before the day of issue',
      },
    );
    expectInvalid(await climber.post(path, {}), { certification_type_id: 'is required' });
    for (const certification_type_id of [demo.nothing, demo.typeId('harbor-induction')]) {
      expectInvalid(await climber.post(path, { certification_type_id }), {
        certification_type_id: 'is not an active certification type that this organization can use',
      });
    }
  });
});

describe('GET /v1/certifications', () => {
  const list = async (client: typeof climber, query = '') =>
    dataOf(await client.get(`/v1/certifications${query}`));

  test('200 with the records of the person alone, oldest change first', async () => {
    const records = await list(climber, '?limit=200');
    expect(records.length >= 9).toBe(true);
    expect(
      records.every(
        (record: { user_id: string }) => record.user_id === demo.userId(demo.climberEmail),
      ),
    ).toBeTruthy();
    const stamps = records.map((record: { updated_at: string }) => record.updated_at);
    expect(stamps).toStrictEqual(stamps.toSorted());
  });

  test('200 with the records of all memberships of the person, page by page', async () => {
    const all = await list(both);
    expect(
      new Set(all.map((record: { organization_id: string }) => record.organization_id)),
    ).toStrictEqual(new Set([demo.skylineId, demo.harborId]));
    const walked = [];
    for (let cursor = ''; ; ) {
      const { data, page } = (await both.get(`/v1/certifications?limit=2${cursor}`)).body;
      walked.push(...data);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(walked).toStrictEqual(all);
  });

  test('200 with what changed later than updated_after', async () => {
    const all = await list(climber);
    expect(await list(climber, `?updated_after=${all[3].updated_at}`)).toStrictEqual(all.slice(4));
  });

  test('200 with the records of those organizations alone that approved the app', async () => {
    const records = await list(clientOf(app, demo.bothEmail, 'demo-reader'));
    expect(records.length).toBeGreaterThan(0);
    expect(
      records.every(
        (record: { organization_id: string }) => record.organization_id === demo.skylineId,
      ),
    ).toBeTruthy();
  });

  test('200 with nothing for a suspended member', async () => {
    expect((await clientOf(app, demo.suspendedEmail).get('/v1/certifications')).body).toStrictEqual(
      {
        data: [],
        page: { next_cursor: null, has_more: false },
      },
    );
  });

  test('403 approval_required where no organization approved the app', async () => {
    const required = { required_scope: 'certification_records:read' };
    expectError(
      await clientOf(app, demo.climberEmail, 'demo-pending').get('/v1/certifications'),
      403,
      'approval_required',
      required,
    );
  });
});

describe('GET /v1/certifications/{certification_id}', () => {
  test('200 with the record, whatever its state', async () => {
    const {
      lifecycle_status,
      verification_status,
      validity_status,
      source,
      verification_method,
      last_verified_at,
    } = dataOf(
      await climber.get(
        `/v1/certifications/${demo.recordId(demo.climberEmail, 'rf-awareness/previous')}`,
      ),
    );
    expect([lifecycle_status, verification_status, validity_status, source]).toEqual([
      'archived',
      'verified',
      'expired',
      'import',
    ]);
    expect(verification_method).toBe('issuer-registry');
    expectStamps(last_verified_at);
  });

  test('404 for the record of another, the same as for none; for a manager too', async () => {
    const ask = (id: string) => both.get(`/v1/certifications/${id}`, { 'x-request-id': 'same' });
    const other = await ask(demo.recordId(demo.climberEmail, 'rf-awareness'));
    expectError(other, 404, 'not_found');
    expect((await ask(demo.nothing)).text).toBe(other.text);
  });

  test('404 for the own record of a suspended member', async () => {
    const [{ id }] = (await app.db.query<{ id: string }>(
      'select id from certifications where user_id = $1',
      [demo.userId(demo.suspendedEmail)],
    )) as [{ id: string }];
    expectError(
      await clientOf(app, demo.suspendedEmail).get(`/v1/certifications/${id}`),
      404,
      'not_found',
    );
  });

  test('403 approval_required, and 404 in the one organization that did not approve the app', async () => {
    const path = `/v1/certifications/${demo.recordId(demo.climberEmail, 'rf-awareness')}`;
    const required = { required_scope: 'certification_records:read' };
    expectError(
      await clientOf(app, demo.climberEmail, 'demo-pending').get(path),
      403,
      'approval_required',
      required,
    );
    const { id } = (await both.get(`${demo.harbor}/certifications?limit=1`)).body.data[0];
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(`/v1/certifications/${id}`),
      404,
      'not_found',
    );
  });
});
