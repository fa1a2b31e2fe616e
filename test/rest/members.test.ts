/** /v1/organizations/{organization_id}/organization-members */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectInvalid, expectStamps, uuidv7 } from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const admin = clientOf(app, demo.adminEmail);
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const path = `${demo.skyline}/organization-members`;
const one = async (email: string, at = path, client = admin) => dataOf(await client.get(`${at}?email=${email}`))[0];

describe('POST /v1/organizations/{organization_id}/organization-members', () => {
  test('201 with an invited member of the least that can be sent: an e-mail address', async () => {
    const response = await manager.post(path, { email: ' Ana.Silva@skyline.example ' });
    const { id, user_id, created_at, updated_at, ...rest } = dataOf(response, 201);
    assert.match(id, uuidv7);
    assert.match(user_id, uuidv7);
    expectStamps(created_at);
    assert.equal(updated_at, created_at);
    assert.deepEqual(rest, {
      organization_id: demo.skylineId,
      email: 'Ana.Silva@skyline.example',
      display_name: 'Ana.Silva',
      first_name: '',
      last_name: '',
      role: 'member',
      status: 'invited',
      is_primary: true,
      external_id: '',
    });
    assert.equal(response.headers.get('location'), null);
    assert.deepEqual(await one('ana.silva@skyline.example'), response.body.data);
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
    assert.partialDeepStrictEqual(dataOf(await manager.post(path, sent), 201), { ...sent, is_primary: true, status: 'invited' });
  });

  test('201 with an active member where the person signs in with a passkey alone', async () => {
    const email = 'noor@skyline.example';
    const [person] = await app.db.query<{ id: string }>(
      `insert into users (id, email, display_name) values (gen_random_uuid(), $1, 'Noor') returning id`,
      [email],
    );
    await app.db.query(`insert into passkeys (credential_id, user_id, name, public_key, counter) values ('noor', $1, 'Key', 'key', 0)`, [
      person?.id,
    ]);
    assert.equal(dataOf(await manager.post(path, { email }), 201).status, 'active');
  });

  test('201 with a display name made of first and last name', async () => {
    const sent = { email: 'joy@skyline.example', first_name: 'Joy', last_name: 'Adeyemi', display_name: null };
    assert.equal(dataOf(await manager.post(path, sent), 201).display_name, 'Joy Adeyemi');
  });

  test('201 active for someone who has signed in before, with the primary membership where it was', async () => {
    const email = 'climber@skyline.example';
    const harborAdmin = clientOf(app, 'admin@harbor.example');
    const data = dataOf(await harborAdmin.post(`${demo.harbor}/organization-members`, { email: email.toUpperCase() }), 201);
    assert.deepEqual([data.user_id, data.status, data.is_primary], [demo.userId(email), 'active', false]);
    assert.equal((await one(email)).is_primary, true);
  });

  test('201 with is_primary moving the primary membership here, and the former one changed for those who follow it', async () => {
    const email = 'ruth.abernathy@skyline.example';
    const before = await one(email);
    const data = dataOf(
      await clientOf(app, 'admin@harbor.example').post(`${demo.harbor}/organization-members`, { email, is_primary: true }),
      201,
    );
    assert.equal(data.is_primary, true);
    const after = await one(email);
    assert.equal(after.is_primary, false);
    assert.ok(after.updated_at > before.updated_at);
  });

  test('201 with an admin from an admin; 403 from a manager', async () => {
    expectError(await manager.post(path, { email: 'boss@skyline.example', role: 'admin' }), 403, 'forbidden');
    assert.equal(dataOf(await admin.post(path, { email: 'boss@skyline.example', role: 'admin' }), 201).role, 'admin');
    assert.equal(dataOf(await manager.post(path, { email: 'lead@skyline.example', role: 'manager' }), 201).role, 'manager');
  });

  test('403 for a plain member', async () => {
    expectError(await climber.post(path, { email: 'x@skyline.example' }), 403, 'forbidden');
    expectError(
      await clientOf(app, demo.bothEmail).post(`${demo.harbor}/organization-members`, { email: 'x@x.example' }),
      403,
      'forbidden',
    );
  });

  test('409 for an e-mail address or an external id that is taken, and no user left behind', async () => {
    expectError(await manager.post(path, { email: 'CLIMBER@skyline.example' }), 409, 'conflict', { field: 'email' });
    expectError(await manager.post(path, { email: 'left@skyline.example', external_id: 'SKY-1003' }), 409, 'conflict', {
      field: 'external_id',
    });
    assert.deepEqual(await app.db.query(`select from users where email = 'left@skyline.example'`), []);
  });

  test('409 for the user of a member who has another address here', async () => {
    await app.db.query(`update organization_members set email = 'old@skyline.example' where id = $1`, [
      demo.memberId('wyatt.kowalczyk@skyline.example'),
    ]);
    expectError(await manager.post(path, { email: 'wyatt.kowalczyk@skyline.example' }), 409, 'conflict', { field: 'email' });
  });

  test('422 for what is missing or wrong', async () => {
    expectInvalid(await manager.post(path, {}), { email: 'is required' });
    for (const email of ['climber', 'a@b c.example', '@x.example', 'a@@x.example', 'a@x..example']) {
      expectInvalid(await manager.post(path, { email }), { email: 'must be an e-mail address' });
    }
    expectInvalid(await manager.post(path, { email: 'y@skyline.example', is_primary: 'yes', role: '', external_id: '', first_name: 1 }), {
      is_primary: 'must be true or false',
      role: 'must not be empty',
      external_id: 'must not be empty',
      first_name: 'must be a string',
    });
    expectInvalid(await manager.post(path, { email: 'y@skyline.example', is_primary: null }), { is_primary: 'must not be null' });
    expectInvalid(await manager.post(path, { email: 'y@skyline.example', status: 'active' }), {
      status: 'is not a known property; known are email, display_name, first_name, last_name, role, is_primary, external_id',
    });
  });
});

describe('GET /v1/organizations/{organization_id}/organization-members', () => {
  test('200 with the members in every state, oldest change first', async () => {
    const members = dataOf(await admin.get(`${path}?limit=200`));
    assert.ok(members.length >= 40);
    assert.deepEqual(new Set(members.map(({ status }: { status: string }) => status)), new Set(['active', 'invited', 'suspended']));
    const stamps = members.map(({ updated_at }: { updated_at: string }) => updated_at);
    assert.deepEqual(stamps, stamps.toSorted());
    assert.deepEqual(dataOf(await admin.get(`${path}?updated_after=${stamps[9]}&limit=200`)), members.slice(10));
  });

  test('200 with every field of a member', async () => {
    const { created_at, updated_at, ...rest } = await one('renata.kaczmarek@skyline.example');
    expectStamps(created_at, updated_at);
    assert.deepEqual(rest, {
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
    assert.equal(found.id, demo.memberId(demo.managerEmail));
    assert.deepEqual(dataOf(await admin.get(`${path}?external_id=${found.external_id}`)), [found]);
    assert.deepEqual(dataOf(await admin.get(`${path}?external_id=${found.external_id}&email=climber@skyline.example`)), []);
    assert.deepEqual(dataOf(await admin.get(`${path}?external_id=sky-1002`)), []);
  });

  test('200 with themselves alone for a plain member', async () => {
    assert.deepEqual(
      dataOf(await climber.get(path)).map(({ id }: { id: string }) => id),
      [demo.memberId(demo.climberEmail)],
    );
    assert.deepEqual(dataOf(await climber.get(`${path}?email=manager@skyline.example`)), []);
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
