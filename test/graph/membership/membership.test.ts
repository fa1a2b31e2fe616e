/** Members updated, suspended and reinstated. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const admin = graphOf(app, demo.adminEmail);
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
const organizationId = demo.skylineId;
const fields = '{ id email displayName firstName lastName role status isPrimary externalId updatedAt }';
const update = `mutation ($organizationId: UUID!, $id: UUID!, $input: OrganizationMemberUpdate!) { result: updateOrganizationMember(organizationId: $organizationId, id: $id, input: $input) ${fields} }`;
const suspend = `mutation ($organizationId: UUID!, $id: UUID!, $reason: Text) { result: suspendOrganizationMember(organizationId: $organizationId, id: $id, reason: $reason) ${fields} }`;
const reinstate = suspend.replace('suspend', 'reinstate');
const member = demo.memberId('sam.tran@skyline.example');
const idOf = (email: string) => ({ organizationId, id: demo.memberId(email) });
const edit = async (input: object, id = member, by = manager) => (await by.data(update, { organizationId, id, input })).result;
const refused = (input: object, id = member, by = manager) => by.refusal(update, { organizationId, id, input });
const audit = (id: string) =>
  app.db.query<{ changes: object }>('select changes from audit_events where subject_id = $1 order by occurred_at desc', [id]);
const me = `{ organizationMembers(organizationId: "${organizationId}") { nodes { id } } }`;

before(() => makeAppsWithoutOneScope(app.db));
/** The roles and states that the demo set has. */
beforeEach(async () => {
  await app.db.query(`update organization_members set role = 'admin', status = 'active' where organization_id = $1 and id = $2`, [
    organizationId,
    demo.memberId(demo.adminEmail),
  ]);
  await app.db.query(`update organization_members set role = 'manager', status = 'active' where organization_id = $1 and id = $2`, [
    organizationId,
    demo.memberId(demo.managerEmail),
  ]);
});

describe('updateOrganizationMember', () => {
  test('changes what was sent, audited; nothing when nothing differs', async () => {
    const input = {
      email: 'sam@new.example',
      displayName: 'Sam T.',
      firstName: 'Samuel',
      lastName: 'Trân',
      role: 'pilot',
      externalId: 'X-1',
    };
    const result = await edit(input);
    assert.deepEqual({ ...result, ...input }, result);
    assert.deepEqual(await edit(input), result);
    const [event] = await audit(member);
    assert.deepEqual(Object.keys(event?.changes ?? {}).sort(), Object.keys(input).sort());
    const cleared = await edit({ lastName: null, externalId: null });
    assert.deepEqual([cleared.lastName, cleared.externalId], ['', '']);
    const [user] = await app.db.query('select email from users where id = $1', [demo.userId('sam.tran@skyline.example')]);
    assert.deepEqual(user, { email: 'sam.tran@skyline.example' });
  });

  test('refuses an e-mail address or external id that another has, in any case, and null', async () => {
    assert.deepEqual((await refused({ email: 'Climber@Skyline.example' })).details, { field: 'email' });
    const [other] = await app.db.query<{ externalId: string }>(
      `select external_id as "externalId" from organization_members where id = $1`,
      [demo.memberId(demo.climberEmail)],
    );
    assert.deepEqual((await refused({ externalId: other?.externalId })).details, { field: 'externalId' });
    assert.deepEqual((await refused({ role: null, email: null })).details, { role: ['must not be null'], email: ['must not be null'] });
  });

  test('moves the mark of the main organization, also from another one', async () => {
    const harborMember = demo.memberId(demo.bothEmail, 'harbor-fiber');
    const by = graphOf(app, 'admin@harbor.example');
    const { result } = await by.data(update, { organizationId: demo.harborId, id: harborMember, input: { isPrimary: true } });
    assert.equal(result.isPrimary, true);
    const marked = await app.db.query('select id from organization_members where user_id = $1 and is_primary', [
      demo.userId(demo.bothEmail),
    ]);
    assert.deepEqual(marked, [{ id: harborMember }]);
    const { code, details } = await by.refusal(update, { organizationId: demo.harborId, id: harborMember, input: { isPrimary: false } });
    assert.equal(code, 'VALIDATION_ERROR');
    assert.match(details.isPrimary[0], /make another membership/);
  });

  test('only an admin makes or unmakes an admin, and the last one stays', async () => {
    assert.equal((await refused({ role: 'admin' })).code, 'FORBIDDEN');
    assert.equal((await refused({ role: 'member' }, demo.memberId(demo.adminEmail))).code, 'FORBIDDEN');
    const last = await refused({ role: 'member' }, demo.memberId(demo.adminEmail), admin);
    assert.equal(last.code, 'INVALID_TRANSITION');
    assert.match(last.message, /last active admin/);
    assert.equal((await edit({ role: 'admin' }, demo.memberId(demo.managerEmail), admin)).role, 'admin');
    assert.equal((await edit({ role: 'member' }, demo.memberId(demo.adminEmail), admin)).role, 'member');
    assert.equal((await refused({ role: 'member' }, demo.memberId(demo.managerEmail), manager)).code, 'INVALID_TRANSITION');
  });

  test('two admins who unmake each other at once: one stays', async () => {
    await edit({ role: 'admin' }, demo.memberId(demo.managerEmail), admin);
    const tokens = [await app.token(demo.adminEmail), await app.token(demo.managerEmail)];
    const targets = [idOf(demo.managerEmail), idOf(demo.adminEmail)];
    let answers: Promise<unknown> = Promise.resolve();
    // With the clock held, each goes as far as it can before the other has written.
    await app.db.transaction(async (tx) => {
      await tx.query('select from organization_clocks where organization_id = $1 for update', [organizationId]);
      answers = Promise.all(tokens.map((token, index) => app.graphql(update, { ...targets[index], input: { role: 'member' } }, { token })));
      // Not in the transaction, which would see one snapshot of the activity for ever.
      const waiting = () => app.db.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      while ((await waiting()).length < 2);
    });
    await answers;
    const [row] = await app.db.query<{ count: number }>(
      `select count(*)::int as count from organization_members where organization_id = $1 and role = 'admin' and status = 'active'`,
      [organizationId],
    );
    assert.equal(row?.count, 1);
  });
});

describe('suspendOrganizationMember', () => {
  test('shuts the person out at the next request, with the token that worked before, and lets them in again', async () => {
    const who = idOf(demo.climberEmail);
    await climber.data(me);
    const { result } = await manager.data(suspend, { ...who, reason: 'Under review' });
    assert.equal(result.status, 'SUSPENDED');
    assert.deepEqual((await audit(who.id))[0]?.changes, { status: ['active', 'suspended'], reason: [null, 'Under review'] });
    assert.equal((await climber.refusal(me)).code, 'FORBIDDEN');
    assert.deepEqual((await climber.data('{ organizations { nodes { id } } }')).organizations.nodes, []);
    assert.deepEqual((await manager.refusal(suspend, who)).details, { from: 'suspended', to: 'suspended' });

    assert.equal((await manager.data(reinstate, who)).result.status, 'ACTIVE');
    await climber.data(me);
    assert.equal((await manager.refusal(reinstate, who)).code, 'INVALID_TRANSITION');
  });

  test('a member who never signed in is invited again', async () => {
    const who = idOf('isaiah.pruitt@skyline.example');
    await manager.data(suspend, who);
    assert.equal((await manager.data(reinstate, who)).result.status, 'INVITED');
    assert.deepEqual((await manager.refusal(reinstate, who)).details, { from: 'invited', to: 'invited' });
  });

  test('of an admin is for admins, and not for the last', async () => {
    const who = idOf(demo.adminEmail);
    assert.equal((await manager.refusal(suspend, who)).code, 'FORBIDDEN');
    assert.equal((await admin.refusal(suspend, who)).code, 'INVALID_TRANSITION');
    await edit({ role: 'admin' }, demo.memberId(demo.managerEmail), admin);
    assert.equal((await manager.data(suspend, who)).result.status, 'SUSPENDED');
    assert.equal((await admin.refusal(me)).code, 'FORBIDDEN');
    assert.equal((await manager.data(reinstate, who)).result.status, 'ACTIVE');
  });
});

for (const [name, text, input] of [
  ['updateOrganizationMember', update, { firstName: 'X' }],
  ['suspendOrganizationMember', suspend, undefined],
  ['reinstateOrganizationMember', reinstate, undefined],
] as const) {
  test(`${name} is for managers with the scope, of members of the organization`, async () => {
    const asked = { organizationId, id: member, ...(input && { input }) };
    assert.equal((await climber.refusal(text, asked)).code, 'FORBIDDEN');
    assert.equal((await climber.refusal(text, { ...asked, id: demo.memberId(demo.climberEmail) })).code, 'FORBIDDEN');
    assert.equal((await graphOf(app, 'admin@harbor.example').refusal(text, asked)).code, 'FORBIDDEN');
    assert.equal(
      (await graphOf(app, demo.managerEmail, appWithout('organization_members:write')).refusal(text, asked)).code,
      'INSUFFICIENT_SCOPE',
    );
    assert.equal((await manager.refusal(text, { ...asked, id: demo.memberId(demo.bothEmail, 'harbor-fiber') })).code, 'NOT_FOUND');
  });
}
