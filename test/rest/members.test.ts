/** /v1/organizations/{organization_id}/organization-members */
import { startApp } from '../support/app.js';
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
const admin = clientOf(app, demo.adminEmail);
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const path = `${demo.skyline}/organization-members`;
const one = async (email: string, at = path, client = admin) =>
  dataOf(await client.get(`${at}?email=${email}`))[0];

describe('POST /v1/organizations/{organization_id}/organization-members', () => {
  test('201 with an invited member of the least that can be sent: an e-mail address', async () => {
    const response = await manager.post(path, { email: ' Ana.Silva@skyline.example ' });
    const { id, user_id, created_at, updated_at, ...rest } = dataOf(response, 201);
    expect(id).toMatch(uuidv7);
    expect(user_id).toBe(id); // a placeholder until the person accepts
    expectStamps(created_at);
    expect(updated_at).toBe(created_at);
    expect(rest).toStrictEqual({
      organization_id: demo.skylineId,
      email: 'Ana.Silva@skyline.example',
      display_name: 'Ana.Silva',
      first_name: '',
      last_name: '',
      role: 'member',
      status: 'invited',
      is_primary: false,
      external_id: '',
    });
    expect(response.headers.get('location')).toBeNull();
    expect(await one('ana.silva@skyline.example')).toStrictEqual(response.body.data);
  });

  test('201 with all that can be sent', async () => {
    const sent = {
      email: 'liam@skyline.example',
      display_name: 'Liam W.',
      first_name: 'Liam',
      last_name: 'Ward',
      role: 'rigger',
      is_primary: false,
      external_id: 'HR-1',
    };
    expect(dataOf(await manager.post(path, sent), 201)).toMatchObject({
      ...sent,
      status: 'invited',
    });
  });

  test('201 with a display name made of first and last name', async () => {
    const sent = {
      email: 'joy@skyline.example',
      first_name: 'Joy',
      last_name: 'Adeyemi',
      display_name: null,
    };
    expect(dataOf(await manager.post(path, sent), 201).display_name).toBe('Joy Adeyemi');
  });

  test('201 invited for someone who has an account, with nothing changed where they are a member', async () => {
    const email = 'climber@skyline.example';
    const before = await one(email);
    const harborAdmin = clientOf(app, 'admin@harbor.example');
    const sent = { email: email.toUpperCase(), is_primary: true };
    const data = dataOf(await harborAdmin.post(`${demo.harbor}/organization-members`, sent), 201);
    expect([data.user_id, data.status, data.is_primary]).toStrictEqual([data.id, 'invited', true]);
    expect(await one(email)).toStrictEqual(before);
  });

  test('201 with an admin from an admin; 403 from a manager', async () => {
    expectError(
      await manager.post(path, { email: 'boss@skyline.example', role: 'admin' }),
      403,
      'forbidden',
    );
    expect(
      dataOf(await admin.post(path, { email: 'boss@skyline.example', role: 'admin' }), 201).role,
    ).toBe('admin');
    expect(
      dataOf(await manager.post(path, { email: 'lead@skyline.example', role: 'manager' }), 201)
        .role,
    ).toBe('manager');
  });

  test('403 for a plain member', async () => {
    expectError(await climber.post(path, { email: 'x@skyline.example' }), 403, 'forbidden');
    expectError(
      await clientOf(app, demo.bothEmail).post(`${demo.harbor}/organization-members`, {
        email: 'x@x.example',
      }),
      403,
      'forbidden',
    );
  });

  test('409 for an e-mail address or an external id that is taken, and no user is made', async () => {
    expectError(await manager.post(path, { email: 'CLIMBER@skyline.example' }), 409, 'conflict', {
      field: 'email',
    });
    expectError(
      await manager.post(path, { email: 'left@skyline.example', external_id: 'SKY-1003' }),
      409,
      'conflict',
      {
        field: 'external_id',
      },
    );
    expect(await app.db.query(`select from users where email = 'left@skyline.example'`)).toEqual(
      [],
    );
  });

  test('422 for what is missing or wrong', async () => {
    expectInvalid(await manager.post(path, {}), { email: 'is required' });
    for (const email of [
      'climber',
      'a@b c.example',
      '@x.example',
      'a@@x.example',
      'a@x..example',
    ]) {
      expectInvalid(await manager.post(path, { email }), { email: 'must be an e-mail address' });
    }
    expectInvalid(
      await manager.post(path, {
        email: 'y@skyline.example',
        is_primary: 'yes',
        role: 7,
        external_id: 'a\u202eb',
        first_name: 1,
      }),
      {
        is_primary: 'must be true or false',
        role: 'must be a string',
        external_id: 'must not contain bidirectional controls',
        first_name: 'must be a string',
      },
    );
    expectInvalid(await manager.post(path, { email: 'y@skyline.example', is_primary: null }), {
      is_primary: 'must not be null',
    });
    expectInvalid(await manager.post(path, { email: 'y@skyline.example', status: 'active' }), {
      status:
        'is not a known property; known are email, display_name, first_name, last_name, role, is_primary, external_id',
    });
  });
});

describe('GET /v1/organizations/{organization_id}/organization-members', () => {
  test('200 with the members in every state, oldest change first', async () => {
    const members = dataOf(await admin.get(`${path}?limit=200`));
    expect(members.length >= 40).toBe(true);
    expect(new Set(members.map(({ status }: { status: string }) => status))).toStrictEqual(
      new Set(['active', 'invited', 'suspended']),
    );
    const stamps = members.map(({ updated_at }: { updated_at: string }) => updated_at);
    expect(stamps).toStrictEqual(stamps.toSorted());
    expect(dataOf(await admin.get(`${path}?updated_after=${stamps[9]}&limit=200`))).toStrictEqual(
      members.slice(10),
    );
  });

  test('200 with every field of a member', async () => {
    const { created_at, updated_at, ...rest } = await one('renata.kaczmarek@skyline.example');
    expectStamps(created_at, updated_at);
    expect(rest).toStrictEqual({
      id: demo.memberId(demo.suspendedEmail),
      organization_id: demo.skylineId,
      user_id: demo.userId(demo.suspendedEmail),
      email: demo.suspendedEmail,
      display_name: 'Renata Kaczmarek',
      first_name: 'Renata',
      last_name: 'Kaczmarek',
      role: 'member',
      status: 'suspended',
      is_primary: true,
      external_id: 'SKY-1037',
    });
  });

  test('200 with the member of an e-mail address, in any case, or of an external id', async () => {
    const found = await one('Manager@Skyline.Example');
    expect(found.id).toBe(demo.memberId(demo.managerEmail));
    expect(dataOf(await admin.get(`${path}?external_id=${found.external_id}`))).toStrictEqual([
      found,
    ]);
    expect(
      dataOf(
        await admin.get(`${path}?external_id=${found.external_id}&email=climber@skyline.example`),
      ),
    ).toEqual([]);
    expect(dataOf(await admin.get(`${path}?external_id=sky-1002`))).toEqual([]);
  });

  test('200 with themselves alone for a plain member', async () => {
    expect(dataOf(await climber.get(path)).map(({ id }: { id: string }) => id)).toStrictEqual([
      demo.memberId(demo.climberEmail),
    ]);
    expect(dataOf(await climber.get(`${path}?email=manager@skyline.example`))).toEqual([]);
  });

  test('403 for a suspended member, and approval_required where the app is not approved', async () => {
    expectError(await clientOf(app, demo.suspendedEmail).get(path), 403, 'forbidden');
    const required = { required_scope: 'organization_members:read' };
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(`${demo.harbor}/organization-members`),
      403,
      'approval_required',
      required,
    );
  });

  test('422 for an e-mail filter that is none', async () => {
    expectInvalid(await admin.get(`${path}?email=me`), { email: 'must be an e-mail address' });
  });
});
