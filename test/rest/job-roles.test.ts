/** /v1/organizations/{organization_id}/job-roles, and the assignment of job roles to members. */
import { startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectInvalid, expectStamps } from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const roles = `${demo.skyline}/job-roles`;
const own = `${roles}/${demo.jobRoleId('night-crew-coordinator')}`;
const assignment = (role: string, email = demo.climberEmail) =>
  `${demo.skyline}/organization-members/${demo.memberId(email)}/job-roles/${demo.jobRoleId(role)}`;

interface Role {
  readonly id: string;
  readonly slug: string;
  readonly scope: string;
  readonly organization_id: string;
}

describe('GET /v1/organizations/{organization_id}/job-roles', () => {
  test('200 with its own and the standard ones, for a plain member too', async () => {
    const { data, page } = (await climber.get(roles)).body;
    expect(page).toStrictEqual({ next_cursor: null, has_more: false });
    const of = (scope: string) => data.filter((role: Role) => role.scope === scope);
    expect(
      of('organization')
        .map(({ slug }: Role) => slug)
        .sort(),
    ).toEqual(['gin-pole-operator', 'night-crew-coordinator']);
    expect(of('standard')).toHaveLength(10);
    expect(data).toHaveLength(12);
    const { created_at, updated_at, ...rest } = data.find(({ slug }: Role) => slug === 'rigger');
    expectStamps(created_at, updated_at);
    expect(rest).toStrictEqual({
      id: demo.jobRoleId('rigger'),
      organization_id: demo.catalogueId,
      slug: 'rigger',
      name: 'Rigger',
      description: 'Usually needs the qualification rigging-crew.',
      scope: 'standard',
      status: 'active',
    });
  });

  test('200 page by page, with what changed later than updated_after', async () => {
    const all = dataOf(await climber.get(roles));
    expect(
      dataOf(await climber.get(`${roles}?limit=3&updated_after=${all[4].updated_at}`)),
    ).toStrictEqual(all.slice(5, 8));
  });

  test('403 approval_required where the app is not approved', async () => {
    const required = { required_scope: 'job_roles:read' };
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(`${demo.harbor}/job-roles`),
      403,
      'approval_required',
      required,
    );
  });
});

describe('PATCH /v1/organizations/{organization_id}/job-roles/{job_role_id}', () => {
  const stored = async () =>
    dataOf(await manager.get(roles)).find(({ id }: Role) => own.endsWith(id));

  test('200 with only what was sent changed, and a later updated_at', async () => {
    const before = await stored();
    const data = dataOf(await manager.patch(own, { name: 'Night Lead' }));
    expect(data).toStrictEqual({ ...before, name: 'Night Lead', updated_at: data.updated_at });
    expect(data.updated_at > before.updated_at).toBe(true);
    expect(await stored()).toStrictEqual(data);
  });

  test('200 with a description emptied, and a slug', async () => {
    expect(dataOf(await manager.patch(own, { description: '', slug: 'night-lead' }))).toMatchObject(
      {
        description: '',
        slug: 'night-lead',
      },
    );
  });

  test('200 with nothing changed for an empty object or the same values', async () => {
    const before = await stored();
    for (const same of [{}, { name: before.name }])
      expect(dataOf(await manager.patch(own, same))).toStrictEqual(before);
  });

  test('403 for a plain member', async () => {
    expectError(await climber.patch(own, { name: 'x' }), 403, 'forbidden');
  });

  test('403 for a standard one, which only its publisher changes', async () => {
    const refused = await manager.patch(`${roles}/${demo.jobRoleId('rigger')}`, { name: 'x' });
    expectError(refused, 403, 'forbidden');
    expect(refused.body.error.message).toMatch(/standard definition/);
  });

  test('404 for one of another organization, or none', async () => {
    for (const id of [demo.jobRoleId('splice-crew-lead'), demo.nothing])
      expectError(await manager.patch(`${roles}/${id}`, {}), 404, 'not_found');
  });

  test('409 for a slug that is taken here; 200 for one that a standard role has', async () => {
    expectError(await manager.patch(own, { slug: 'gin-pole-operator' }), 409, 'conflict', {
      field: 'slug',
    });
    expect(dataOf(await manager.patch(own, { slug: 'rigger' })).slug).toBe('rigger');
  });

  test('422 for null, and for what has an invalid format', async () => {
    expectInvalid(await manager.patch(own, { slug: null, name: null, description: null }), {
      slug: 'must not be null',
      name: 'must not be null',
      description: 'must not be null',
    });
    expectInvalid(await manager.patch(own, { name: '', status: 'archived' }), {
      name: 'must not be empty',
      status: 'is not a known property; known are slug, name, description',
    });
  });
});

describe('PUT /v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}', () => {
  const primary = async (role: string, email?: string) =>
    dataOf(await manager.put(assignment(role, email), {})).is_primary;

  test('200 with a new assignment, not primary unless asked for', async () => {
    const { assigned_at, created_at, updated_at, ...rest } = dataOf(
      await manager.put(assignment('rigger'), {}),
    );
    expectStamps(assigned_at, created_at, updated_at);
    expect([assigned_at, created_at]).toStrictEqual([updated_at, updated_at]);
    expect(rest).toStrictEqual({
      organization_member_id: demo.memberId(demo.climberEmail),
      job_role_id: demo.jobRoleId('rigger'),
      is_primary: false,
    });
  });

  test('200 with nothing changed when it is so already, assigned_at included', async () => {
    const first = dataOf(await manager.put(assignment('rigger'), { is_primary: false }));
    expect(dataOf(await manager.put(assignment('rigger'), {}))).toStrictEqual(first);
  });

  test('200 with is_primary moving from the role that had it', async () => {
    const before = dataOf(await manager.put(assignment('tower-technician-i'), {}));
    expect(before.is_primary).toBe(true);
    const data = dataOf(await manager.put(assignment('rigger'), { is_primary: true }));
    expect(data.is_primary).toBe(true);
    const after = dataOf(await manager.put(assignment('tower-technician-i'), {}));
    expect([after.is_primary, after.assigned_at, after.created_at]).toStrictEqual([
      false,
      before.assigned_at,
      before.created_at,
    ]);
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(dataOf(await manager.put(assignment('rigger'), { is_primary: false })).is_primary).toBe(
      false,
    );
    expect(await primary('tower-technician-i')).toBe(false);
  });

  test('200 with the other member’s primary role untouched', async () => {
    dataOf(await manager.put(assignment('rigger', demo.managerEmail), { is_primary: true }));
    expect(await primary('tower-foreman', demo.managerEmail)).toBe(false);
    expect(await primary('tower-foreman', 'keisha.broussard@skyline.example')).toBe(true);
  });

  test('403 for a plain member, for themselves too', async () => {
    expectError(await climber.put(assignment('rigger'), {}), 403, 'forbidden');
  });

  test('404 for a member or role that the organization does not have, or a role that is archived', async () => {
    await app.db.query(
      `update job_roles set status = 'archived' where slug = 'drone-inspection-pilot'`,
    );
    for (const role of ['splice-crew-lead', 'none', 'drone-inspection-pilot'])
      expectError(await manager.put(assignment(role), {}), 404, 'not_found');
    expectError(
      await manager.put(assignment('rigger', 'nobody@skyline.example'), {}),
      404,
      'not_found',
    );
  });

  test('422 for is_primary that is not true or false', async () => {
    expectInvalid(await manager.put(assignment('rigger'), { is_primary: 1 }), {
      is_primary: 'must be true or false',
    });
    expectInvalid(await manager.put(assignment('rigger'), { is_primary: null }), {
      is_primary: 'must not be null',
    });
  });
});

describe('DELETE /v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}', () => {
  test('204 without a body, also when it is gone already', async () => {
    for (const _ of ['there', 'gone']) {
      const response = await manager.delete(assignment('tower-technician-i'));
      expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
        204,
        '',
        null,
      ]);
    }
    const left = await app.db.query(
      'select from member_job_roles where organization_member_id = $1 and job_role_id = $2',
      [demo.memberId(demo.climberEmail), demo.jobRoleId('tower-technician-i')],
    );
    expect(left).toHaveLength(0);
    const [event] = await app.db.query(`select changes from audit_events where action = 'delete'`);
    expect(event).toMatchObject({ changes: { isPrimary: [false, null] } });
  });

  test('403 for a plain member, for themselves too', async () => {
    expectError(await climber.delete(assignment('rigger')), 403, 'forbidden');
  });
});
