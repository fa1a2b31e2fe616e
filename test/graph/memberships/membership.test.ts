/** Members updated, suspended and reinstated. */
import { startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { testOnOne } from '../../support/database.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const admin = graphOf(app, demo.adminEmail);
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
const organizationId = demo.skylineId;
const fields =
  '{ id email displayName firstName lastName role status isPrimary externalId updatedAt }';
const update = `mutation ($organizationId: ID!, $id: ID!, $input: OrganizationMemberUpdate!) { result: updateOrganizationMember(organizationId: $organizationId, id: $id, input: $input) ${fields} }`;
const suspend = `mutation ($organizationId: ID!, $id: ID!, $reason: Text) { result: suspendOrganizationMember(organizationId: $organizationId, id: $id, reason: $reason) ${fields} }`;
const reinstate = suspend.replace('suspend', 'reinstate');
const member = demo.memberId('sam.tran@skyline.example');
const idOf = (email: string) => ({ organizationId, id: demo.memberId(email) });
const edit = async (input: object, id = member, by = manager) =>
  (await by.data(update, { organizationId, id, input })).result;
const refused = (input: object, id = member, by = manager) =>
  by.refusal(update, { organizationId, id, input });
const audit = (id: string) =>
  app.db.query<{ changes: object }>(
    'select changes from audit_events where subject_id = $1 order by occurred_at desc',
    [id],
  );
const me = `{ organizationMembers(organizationId: "${organizationId}") { nodes { id } } }`;

beforeAll(() => makeAppsWithoutOneScope(app.db));
/** The roles and states that the demo set has. */
beforeEach(async () => {
  await app.db.query(
    `update organization_members set role = 'admin', status = 'active' where organization_id = $1 and id = $2`,
    [organizationId, demo.memberId(demo.adminEmail)],
  );
  await app.db.query(
    `update organization_members set role = 'manager', status = 'active' where organization_id = $1 and id = $2`,
    [organizationId, demo.memberId(demo.managerEmail)],
  );
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
    expect({ ...result, ...input }).toStrictEqual(result);
    expect(await edit(input)).toStrictEqual(result);
    const [event] = await audit(member);
    expect(Object.keys(event?.changes ?? {}).sort()).toStrictEqual(Object.keys(input).sort());
    const cleared = await edit({ lastName: null, externalId: null });
    expect([cleared.lastName, cleared.externalId]).toEqual(['', '']);
    const [user] = await app.db.query('select email from users where id = $1', [
      demo.userId('sam.tran@skyline.example'),
    ]);
    expect(user).toStrictEqual({ email: 'sam.tran@skyline.example' });
  });

  test('refuses an e-mail address or external id that another has, in any case, and null', async () => {
    expect((await refused({ email: 'Climber@Skyline.example' })).details).toStrictEqual({
      field: 'email',
    });
    const [other] = await app.db.query<{ externalId: string }>(
      `select external_id as "externalId" from organization_members where id = $1`,
      [demo.memberId(demo.climberEmail)],
    );
    expect((await refused({ externalId: other?.externalId })).details).toStrictEqual({
      field: 'externalId',
    });
    expect((await refused({ role: null, email: null })).details).toStrictEqual({
      role: ['must not be null'],
      email: ['must not be null'],
    });
  });

  test('only an admin makes or unmakes an admin, and the last one stays', async () => {
    expect((await refused({ role: 'admin' })).code).toBe('FORBIDDEN');
    expect((await refused({ role: 'member' }, demo.memberId(demo.adminEmail))).code).toBe(
      'FORBIDDEN',
    );
    const last = await refused({ role: 'member' }, demo.memberId(demo.adminEmail), admin);
    expect(last.code).toBe('INVALID_TRANSITION');
    expect(last.message).toMatch(/last active admin/);
    expect((await edit({ role: 'admin' }, demo.memberId(demo.managerEmail), admin)).role).toBe(
      'admin',
    );
    expect((await edit({ role: 'member' }, demo.memberId(demo.adminEmail), admin)).role).toBe(
      'member',
    );
    expect(
      (await refused({ role: 'member' }, demo.memberId(demo.managerEmail), manager)).code,
    ).toBe('INVALID_TRANSITION');
  });

  testOnOne('two admins who unmake each other at once: one stays', async () => {
    await edit({ role: 'admin' }, demo.memberId(demo.managerEmail), admin);
    const tokens = [await app.token(demo.adminEmail), await app.token(demo.managerEmail)];
    const targets = [idOf(demo.managerEmail), idOf(demo.adminEmail)];
    let answers: Promise<unknown> = Promise.resolve();
    // With the clock held, each goes as far as it can before the other has written.
    await app.db.transaction(async (tx) => {
      await tx.query('select from organization_clocks where organization_id = $1 for update', [
        organizationId,
      ]);
      answers = Promise.all(
        tokens.map((token, index) =>
          app.graphql(update, { ...targets[index], input: { role: 'member' } }, { token }),
        ),
      );
      // Not in the transaction, which would see one snapshot of the activity for ever.
      const waiting = () =>
        app.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
      while ((await waiting()).length < 2);
    });
    await answers;
    const [row] = await app.db.query<{ count: number }>(
      `select count(*)::int as count from organization_members where organization_id = $1 and role = 'admin' and status = 'active'`,
      [organizationId],
    );
    expect(row?.count).toBe(1);
  });
});

describe('suspendOrganizationMember', () => {
  test('shuts the person out at the next request, with the token that worked before, and lets them in again', async () => {
    const who = idOf(demo.climberEmail);
    await climber.data(me);
    const { result } = await manager.data(suspend, { ...who, reason: 'Under review' });
    expect(result.status).toBe('SUSPENDED');
    expect((await audit(who.id))[0]?.changes).toStrictEqual({
      status: ['active', 'suspended'],
      reason: [null, 'Under review'],
    });
    expect((await climber.refusal(me)).code).toBe('FORBIDDEN');
    expect((await climber.data('{ organizations { nodes { id } } }')).organizations.nodes).toEqual(
      [],
    );
    expect((await manager.refusal(suspend, who)).details).toStrictEqual({
      from: 'suspended',
      to: 'suspended',
    });

    expect((await manager.data(reinstate, who)).result.status).toBe('ACTIVE');
    await climber.data(me);
    expect((await manager.refusal(reinstate, who)).code).toBe('INVALID_TRANSITION');
  });

  test('a member who never signed in is invited again', async () => {
    const who = idOf('isaiah.pruitt@skyline.example');
    await manager.data(suspend, who);
    expect((await manager.data(reinstate, who)).result.status).toBe('INVITED');
    expect((await manager.refusal(reinstate, who)).details).toStrictEqual({
      from: 'invited',
      to: 'invited',
    });
  });

  test('of an admin is for admins, and not for the last', async () => {
    const who = idOf(demo.adminEmail);
    expect((await manager.refusal(suspend, who)).code).toBe('FORBIDDEN');
    expect((await admin.refusal(suspend, who)).code).toBe('INVALID_TRANSITION');
    await edit({ role: 'admin' }, demo.memberId(demo.managerEmail), admin);
    expect((await manager.data(suspend, who)).result.status).toBe('SUSPENDED');
    expect((await admin.refusal(me)).code).toBe('FORBIDDEN');
    expect((await manager.data(reinstate, who)).result.status).toBe('ACTIVE');
  });
});

for (const [name, text, input] of [
  ['updateOrganizationMember', update, { firstName: 'X' }],
  ['suspendOrganizationMember', suspend, undefined],
  ['reinstateOrganizationMember', reinstate, undefined],
] as const) {
  test(`${name} is for managers with the scope, of members of the organization`, async () => {
    const asked = { organizationId, id: member, ...(input && { input }) };
    expect((await climber.refusal(text, asked)).code).toBe('FORBIDDEN');
    expect(
      (await climber.refusal(text, { ...asked, id: demo.memberId(demo.climberEmail) })).code,
    ).toBe('FORBIDDEN');
    expect((await graphOf(app, 'admin@harbor.example').refusal(text, asked)).code).toBe(
      'FORBIDDEN',
    );
    expect(
      (
        await graphOf(app, demo.managerEmail, appWithout('organization_members:write')).refusal(
          text,
          asked,
        )
      ).code,
    ).toBe('INSUFFICIENT_SCOPE');
    expect(
      (await manager.refusal(text, { ...asked, id: demo.memberId(demo.bothEmail, 'harbor-fiber') }))
        .code,
    ).toBe('NOT_FOUND');
  });
}
