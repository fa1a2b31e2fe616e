/** Qualification results: of the person, and of a member. */
import { dayAfter, today } from '../../src/scalars/day.js';
import { startApp } from '../support/app.js';
import { makeApp } from '../support/apps.js';
import { clientOf, dataOf, expectError, expectStamps } from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const mine = (slug: string) => `/v1/qualification-results/${demo.qualificationId(slug)}`;
const ofMember = (email: string) =>
  `${demo.skyline}/organization-members/${demo.memberId(email)}/qualifications`;

interface Result {
  readonly qualification_id: string;
  readonly organization_member_id: string;
}

describe('GET /v1/qualification-results/{qualification_id}', () => {
  test('200 qualified, with all that is required', async () => {
    const { evaluated_at, ...rest } = dataOf(await climber.get(mine('supervised-climber')));
    expectStamps(evaluated_at);
    expect(Math.abs(Date.parse(evaluated_at) - Date.now())).toBeLessThan(60_000);
    expect(rest).toStrictEqual({
      organization_member_id: demo.memberId(demo.climberEmail),
      qualification_id: demo.qualificationId('supervised-climber'),
      status: 'qualified',
      met_requirement_count: 4,
      total_requirement_count: 4,
      missing_certification_type_ids: [],
    });
  });

  test('200 not_qualified: self-reported and not verified, expired, and missing, in the order of the requirements', async () => {
    expect(dataOf(await climber.get(mine('lead-climber')))).toMatchObject({
      status: 'not_qualified',
      met_requirement_count: 2,
      total_requirement_count: 5,
      missing_certification_type_ids: ['nwsa-ttt2', 'competent-climber', 'competent-rescuer'].map(
        demo.typeId,
      ),
    });
  });

  test('200 not_qualified for a qualification without requirements', async () => {
    const { id } = dataOf(
      await manager.post(`${demo.skyline}/qualifications`, { name: 'Empty' }),
      201,
    );
    expect(dataOf(await climber.get(`/v1/qualification-results/${id}`))).toMatchObject({
      status: 'not_qualified',
      met_requirement_count: 0,
      total_requirement_count: 0,
      missing_certification_type_ids: [],
    });
  });

  test('200 counting only what is required', async () => {
    const { id } = dataOf(
      await manager.post(`${demo.skyline}/qualifications`, { name: 'Optional' }),
      201,
    );
    const requirements = [
      { certification_type_id: demo.typeId('osha-10') },
      { certification_type_id: demo.typeId('gwo-wah'), is_required: false },
    ];
    dataOf(
      await manager.put(`${demo.skyline}/qualifications/${id}/requirements`, { requirements }),
    );
    expect(dataOf(await climber.get(`/v1/qualification-results/${id}`))).toMatchObject({
      status: 'qualified',
      total_requirement_count: 1,
    });
  });

  test('200 in the primary membership for a standard one, and in the owning organization for its own', async () => {
    const memberOf = async (slug: string) =>
      dataOf(await both.get(mine(slug))).organization_member_id;
    expect(await memberOf('pim-tester')).toBe(demo.memberId(demo.bothEmail));
    expect(await memberOf('night-crew')).toBe(demo.memberId(demo.bothEmail));
    expect(await memberOf('splice-lead')).toBe(demo.memberId(demo.bothEmail, 'harbor-fiber'));
  });

  test('404 for one of an organization that the person is not in, an archived one, and none', async () => {
    await app.db.query(
      `update qualifications set status = 'archived' where slug = 'drone-inspector'`,
    );
    for (const slug of ['splice-lead', 'drone-inspector', 'none'])
      expectError(await climber.get(mine(slug)), 404, 'not_found');
  });

  test('404 for a suspended member', async () => {
    for (const slug of ['pim-tester', 'night-crew'])
      expectError(await clientOf(app, demo.suspendedEmail).get(mine(slug)), 404, 'not_found');
  });

  test('403 approval_required where the app waits for approval', async () => {
    const required = { required_scope: 'organization_members:read' };
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(mine('splice-lead')),
      403,
      'approval_required',
      required,
    );
  });
});

describe('What counts towards a qualification', () => {
  let path = '';
  beforeAll(async () => {
    const { id } = dataOf(
      await manager.post(`${demo.skyline}/qualifications`, { name: 'One Thing' }),
      201,
    );
    dataOf(
      await manager.put(`${demo.skyline}/qualifications/${id}/requirements`, {
        requirements: [{ certification_type_id: demo.typeId('gwo-wah') }],
      }),
    );
    path = `/v1/qualification-results/${id}`;
  });

  const day = (days: number) => dayAfter(today(), days);
  const good = {
    lifecycle: 'active',
    verification: 'unverified',
    source: 'api',
    issued: day(-9),
    expires: day(90) as string | null,
  };
  const cases: [
    what: string,
    record: Partial<Record<keyof typeof good, string | null>>,
    counts: boolean,
  ][] = [
    ['one that is active and valid', {}, true],
    ['one that is expiring', { expires: day(3) }, true],
    ['one on its last day', { expires: day(0) }, true],
    ['one that has expired', { expires: day(-1) }, false],
    ['one without an end', { expires: null }, true],
    ['one without dates', { issued: null, expires: null }, false],
    ['one without a day of issue', { issued: null }, true],
    ['one issued today', { issued: day(0) }, true],
    ['one issued tomorrow', { issued: day(1) }, false],
    ['one issued tomorrow, without an end', { issued: day(1), expires: null }, false],
    ['one that is revoked', { lifecycle: 'revoked' }, false],
    ['one that is archived', { lifecycle: 'archived' }, false],
    ['one whose check is pending', { verification: 'pending' }, true],
    ['one whose check failed', { verification: 'failed' }, false],
    ['one that is verified', { verification: 'verified' }, true],
    ['a self-reported one that nobody checked', { source: 'self-reported' }, false],
    [
      'a self-reported one whose check is pending',
      { source: 'self-reported', verification: 'pending' },
      false,
    ],
    [
      'a self-reported one that is verified',
      { source: 'self-reported', verification: 'verified' },
      true,
    ],
  ];
  for (const [what, record, counts] of cases) {
    test(`${what}: ${counts ? 'counts' : 'does not'}`, async () => {
      const { lifecycle, verification, source, issued, expires } = { ...good, ...record };
      await app.db.query(
        `insert into certifications (organization_id, id, organization_member_id, user_id, certification_type_id, lifecycle_status, verification_status, source,
           issued_on, expires_on, last_verified_at, created_at, updated_at)
         values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, $9, now(), now(), now())`,
        [
          demo.skylineId,
          demo.memberId(demo.climberEmail),
          demo.userId(demo.climberEmail),
          demo.typeId('gwo-wah'),
          lifecycle,
          verification,
          source,
          issued,
          expires,
        ],
      );
      const { status } = dataOf(await climber.get(path));
      await app.db.query(
        'delete from certifications where certification_type_id = $1 and organization_member_id = $2',
        [demo.typeId('gwo-wah'), demo.memberId(demo.climberEmail)],
      );
      expect(status).toBe(counts ? 'qualified' : 'not_qualified');
    });
  }
});

describe('GET /v1/organizations/{organization_id}/organization-members/{organization_member_id}/qualifications', () => {
  test('200 with every active qualification that the organization can use, by its id, page by page', async () => {
    const { data, page } = (await manager.get(ofMember(demo.climberEmail))).body;
    expect(page).toStrictEqual({ next_cursor: null, has_more: false });
    const usable = dataOf(await manager.get(`${demo.skyline}/qualifications?limit=200`)).filter(
      ({ status }: { status: string }) => status === 'active',
    );
    expect(data.map((result: Result) => result.qualification_id)).toStrictEqual(
      usable.map(({ id }: { id: string }) => id).sort(),
    );
    const first = (await manager.get(`${ofMember(demo.climberEmail)}?limit=4`)).body;
    const second = (
      await manager.get(`${ofMember(demo.climberEmail)}?limit=4&cursor=${first.page.next_cursor}`)
    ).body;
    const undated = (results: object[]) =>
      results.map((result) => ({ ...result, evaluated_at: '' }));
    expect(undated([...first.data, ...second.data])).toStrictEqual(undated(data.slice(0, 8)));
  });

  test('200 with the same result as the person sees', async () => {
    const results = dataOf(await climber.get(ofMember(demo.climberEmail)));
    const id = demo.qualificationId('lead-climber');
    const own = dataOf(await climber.get(mine('lead-climber')));
    expect({
      ...results.find((result: Result) => result.qualification_id === id),
      evaluated_at: own.evaluated_at,
    }).toStrictEqual(own);
  });

  test('200 for a suspended member, seen by a manager', async () => {
    expect(dataOf(await manager.get(ofMember(demo.suspendedEmail))).length >= 11).toBe(true);
  });

  test('403 for another member, from a plain member; whether there is such a member or not', async () => {
    for (const email of [demo.managerEmail, 'nobody@skyline.example'])
      expectError(await climber.get(ofMember(email)), 403, 'forbidden');
  });

  test('403 approval_required where one of the two scopes waits for approval', async () => {
    const scopes = ['organization_members:read', 'certification_records:read'] as const;
    await makeApp(app.db, 'half', { scopes, approved: { [demo.skylineId]: [scopes[0]] } });
    const refused = await clientOf(app, demo.managerEmail, 'half').get(ofMember(demo.climberEmail));
    expect(refused.body.error.code).toBe('approval_required');
    // Must name the scope that waits.
    expect(refused.body.error.details.required_scope).toBe(scopes[1]);
  });

  test('404 for a member that the organization does not have', async () => {
    expectError(await manager.get(ofMember('nobody@skyline.example')), 404, 'not_found');
  });

  test('422 for updated_after, which this list does not have, and the cursor of another member', async () => {
    const known = ['is not a known parameter; known are limit, cursor'];
    expectError(
      await manager.get(`${ofMember(demo.climberEmail)}?updated_after=2025-01-01T00:00:00Z`),
      422,
      'validation_error',
      {
        updated_after: known,
      },
    );
    const { next_cursor } = (await manager.get(`${ofMember(demo.climberEmail)}?limit=1`)).body.page;
    const refused = await manager.get(
      `${ofMember(demo.managerEmail)}?limit=1&cursor=${next_cursor}`,
    );
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ['cursor']]);
  });
});
