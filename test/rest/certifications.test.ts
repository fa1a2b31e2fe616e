/** /v1/organizations/{organization_id}/certifications */
import { dayAfter, today } from '../../src/scalars/day.js';
import { startApp } from '../support/app.js';
import { makeApp } from '../support/apps.js';
import { clientOf, dataOf, expectError, expectInvalid } from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const path = `${demo.skyline}/certifications`;
const osha = { certification_type_id: demo.typeId('osha-30') };
const ofClimber = { ...osha, organization_member_id: demo.memberId(demo.climberEmail) };
const onlySelfReported =
  'Without the role admin or manager you can only write your own self-reported certifications.';

beforeAll(() =>
  makeApp(app.db, 'widened', {
    scopes: ['certification_records:read', 'certification_records:write'],
    approved: { [demo.skylineId]: ['certification_records:read'] },
  }),
);

describe('POST /v1/organizations/{organization_id}/certifications', () => {
  test('201 with the source api by default; without Location, since no address reads it again', async () => {
    const response = await manager.post(path, ofClimber);
    expect(dataOf(response, 201)).toMatchObject({
      ...ofClimber,
      organization_id: demo.skylineId,
      user_id: demo.userId(demo.climberEmail),
      source: 'api',
      lifecycle_status: 'active',
      verification_status: 'unverified',
      certification_type: { slug: 'osha-30' },
    });
    expect(response.headers.get('location')).toBeNull();
  });

  test('201 for the caller when a self-reported record names no member', async () => {
    const ofManager = dataOf(await manager.post(path, { ...osha, source: 'self-reported' }), 201);
    expect(ofManager.organization_member_id).toBe(demo.memberId(demo.managerEmail));
    const own = {
      organization_member_id: demo.memberId(demo.climberEmail),
      source: 'self-reported',
    };
    expect(dataOf(await climber.post(path, osha), 201)).toMatchObject(own);
    expect(dataOf(await climber.post(path, { ...osha, source: null }), 201)).toMatchObject(own);
  });

  test('422 when any other record names no member: a failed look-up makes nobody a climber', async () => {
    const required =
      'is required unless source is self-reported; then it defaults to your own membership';
    for (const source of [undefined, null, 'api', 'manual', 'import']) {
      expectInvalid(await manager.post(path, { ...osha, source }), {
        organization_member_id: required,
      });
    }
  });

  test('422 for a member that is null, whatever the source and the role', async () => {
    const sent = { ...osha, organization_member_id: null };
    for (const client of [manager, climber]) {
      for (const source of [undefined, 'api', 'self-reported']) {
        expectInvalid(await client.post(path, { ...sent, source }), {
          organization_member_id: 'must not be null',
        });
        expectInvalid(await client.post('/v1/certifications', { ...sent, source }), {
          organization_member_id: 'must not be null',
        });
      }
    }
  });

  for (const source of ['manual', 'import', 'api', 'self-reported']) {
    test(`201 with the source ${source} from a manager`, async () => {
      expect(dataOf(await manager.post(path, { ...ofClimber, source }), 201).source).toBe(source);
    });
  }

  const validities: [
    what: string,
    issued: number | null,
    expires: number | null,
    validity: string,
  ][] = [
    ['expired yesterday', -400, -1, 'expired'],
    ['expiring today', -400, 0, 'expiring'],
    ['expiring in 30 days', null, 30, 'expiring'],
    ['expiring in 31 days', null, 31, 'valid'],
    ['issued today, without end', 0, null, 'valid'],
    ['issued tomorrow, without end', 1, null, 'unknown'],
    ['without dates', null, null, 'unknown'],
  ];
  for (const [what, issued, expires, validity] of validities) {
    test(`201 with validity ${validity} when ${what}`, async () => {
      const day = (days: number | null) => (days === null ? null : dayAfter(today(), days));
      const sent = { ...ofClimber, issued_on: day(issued), expires_on: day(expires) };
      expect(dataOf(await manager.post(path, sent), 201)).toMatchObject({
        ...sent,
        validity_status: validity,
      });
    });
  }

  test('201 for a suspended or invited member, whose records a manager keeps', async () => {
    dataOf(
      await manager.post(path, {
        ...osha,
        organization_member_id: demo.memberId(demo.suspendedEmail),
      }),
      201,
    );
    dataOf(
      await manager.post(path, {
        ...osha,
        organization_member_id: demo.memberId('isaiah.pruitt@skyline.example'),
      }),
      201,
    );
  });

  test('403 for another member, from a plain member; whether there is such a member or not', async () => {
    for (const organization_member_id of [demo.memberId(demo.managerEmail), demo.nothing]) {
      expectError(await climber.post(path, { ...osha, organization_member_id }), 403, 'forbidden');
    }
    expectError(
      await both.post(`${demo.harbor}/certifications`, {
        ...osha,
        organization_member_id: demo.memberId('admin@harbor.example', 'harbor-fiber'),
      }),
      403,
      'forbidden',
    );
  });

  test('403 for a source other than self-reported, from a plain member', async () => {
    const refused = await climber.post(path, { ...osha, source: 'api' });
    expectError(refused, 403, 'forbidden');
    expect(refused.body.error.message).toBe(onlySelfReported);
  });

  test('403 approval_required for a scope that was added since the approval', async () => {
    const widened = clientOf(app, demo.managerEmail, 'widened');
    expectError(await widened.post(path, ofClimber), 403, 'approval_required', {
      required_scope: 'certification_records:write',
    });
    dataOf(await widened.get(path));
  });

  test('409 for an external id that is taken; 201 for the same of another outside system', async () => {
    const external = { external_id: 'C-1', external_source: 'crew-desk' };
    dataOf(await manager.post(path, { ...ofClimber, ...external }), 201);
    expectError(
      await manager.post(path, { ...ofClimber, ...external, serial_number: 'X' }),
      409,
      'conflict',
      { field: 'external_id' },
    );
    dataOf(await manager.post(path, { ...ofClimber, ...external, external_source: 'other' }), 201);
  });

  test('422 for a member of another organization, and a type that is archived, foreign or none', async () => {
    await app.db.query(`update certification_types set status = 'archived' where id = $1`, [
      demo.typeId('hazwoper-refresher'),
    ]);
    for (const slug of ['hazwoper-refresher', 'harbor-induction']) {
      const sent = {
        certification_type_id: demo.typeId(slug),
        organization_member_id: demo.memberId('admin@harbor.example', 'harbor-fiber'),
      };
      expectInvalid(await manager.post(path, sent), {
        organization_member_id: 'is not a member of this organization',
        certification_type_id: 'is not an active certification type that this organization can use',
      });
    }
  });

  test('422 with every problem of the body at once', async () => {
    expectInvalid(
      await manager.post(path, {
        organization_member_id: 1,
        source: 'Manual',
        issued_on: '1.2.2025',
        expires_on: 7,
        issuer_name: [],
        external_id: 'a\nb',
      }),
      {
        organization_member_id: 'must be a UUID',
        certification_type_id: 'is required',
        source: 'must be one of manual, import, api, self-reported',
        issued_on:
          'must be a real calendar day in the form YYYY-MM-DD, from 0001-01-01 to 9999-12-31',
        expires_on:
          'must be a real calendar day in the form YYYY-MM-DD, from 0001-01-01 to 9999-12-31',
        issuer_name: 'must be a string',
        external_id: 'must not contain control characters or line breaks',
      },
    );
  });
});

describe('GET /v1/organizations/{organization_id}/certifications', () => {
  type Record = {
    organization_id: string;
    organization_member_id: string;
    external_source: string;
    updated_at: string;
  };
  const list = async (query: string, client = manager): Promise<Record[]> =>
    dataOf(await client.get(`${path}?limit=200&${query}`));

  test('200 with those of the organization, 50 a page, oldest change first', async () => {
    const { data, page } = (await manager.get(path)).body;
    expect(data).toHaveLength(50);
    expect(page.has_more).toBe(true);
    expect(data.every((record: Record) => record.organization_id === demo.skylineId)).toBeTruthy();
    const stamps = data.map((record: Record) => record.updated_at);
    expect(stamps).toStrictEqual(stamps.toSorted());
  });

  test('200 with those of one member, of one outside system, of one external id', async () => {
    const member = demo.memberId(demo.climberEmail);
    const ofMember = await list(`organization_member_id=${member}`);
    expect(
      ofMember.length >= 9 && ofMember.every((record) => record.organization_member_id === member),
    ).toBe(true);
    const ofSystem = await list('external_source=lms');
    expect(
      ofSystem.length > 10 && ofSystem.every((record) => record.external_source === 'lms'),
    ).toBe(true);
    expect(await list('external_source=bamboo-hr&external_id=BHR-20001')).toHaveLength(1);
    expect(await list('external_source=lms&external_id=BHR-20001')).toEqual([]);
    expect(await list(`organization_member_id=${demo.nothing}`)).toEqual([]);
  });

  test('200 with what changed later than updated_after, within the filters', async () => {
    const query = `organization_member_id=${demo.memberId(demo.climberEmail)}`;
    const all = await list(query);
    expect(await list(`${query}&updated_after=${all[5]?.updated_at}`)).toStrictEqual(all.slice(6));
  });

  test('200 with their own for a plain member; 403 when another is named', async () => {
    const own = demo.memberId(demo.climberEmail);
    const all = await list('', climber);
    expect(all.length > 0 && all.every((record) => record.organization_member_id === own)).toBe(
      true,
    );
    expect(await list(`organization_member_id=${own}`, climber)).toStrictEqual(all);
    expectError(
      await climber.get(`${path}?organization_member_id=${demo.memberId(demo.managerEmail)}`),
      403,
      'forbidden',
    );
    expectError(
      await climber.get(`${path}?organization_member_id=${demo.nothing}`),
      403,
      'forbidden',
    );
  });

  test('403 for a suspended member, and approval_required for an app that waits', async () => {
    expectError(await clientOf(app, demo.suspendedEmail).get(path), 403, 'forbidden');
    const required = { required_scope: 'certification_records:read' };
    expectError(
      await clientOf(app, demo.managerEmail, 'demo-pending').get(path),
      403,
      'approval_required',
      required,
    );
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(`${demo.harbor}/certifications`),
      403,
      'approval_required',
      required,
    );
  });
});
