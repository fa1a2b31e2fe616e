/** The primary membership is the person's choice. */
import { accept } from '../../../src/auth/accounts/memberships.js';
import { startApp } from '../../support/app.js';
import { clientOf, dataOf } from '../../support/client.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const { db } = app;
const both = graphOf(app, demo.bothEmail);
const harborAdmin = graphOf(app, 'admin@harbor.example');
const member = {
  skyline: demo.memberId(demo.bothEmail),
  harbor: demo.memberId(demo.bothEmail, 'harbor-fiber'),
};
const set = (organizationId: string) =>
  `mutation { setPrimaryMembership(organizationId: "${organizationId}") { id isPrimary } }`;
const update = (isPrimary: boolean) =>
  `mutation { updateOrganizationMember(organizationId: "${demo.harborId}", id: "${member.harbor}", input: { isPrimary: ${isPrimary} }) { isPrimary updatedAt } }`;
const marked = async () =>
  (
    await db.query<{ id: string }>(
      'select id from organization_members where user_id = $1 and is_primary',
      [demo.userId(demo.bothEmail)],
    )
  ).map(({ id }) => id);

beforeEach(async () => {
  await db.query('update organization_members set is_primary = false where id = $1', [
    member.harbor,
  ]);
  await db.query('update organization_members set is_primary = true where id = $1', [
    member.skyline,
  ]);
});

describe('setPrimaryMembership', () => {
  test('moves the mark, audited and stamped in both organizations', async () => {
    const since = new Date().toISOString();
    const { setPrimaryMembership } = await both.data(set(demo.harborId));
    expect(setPrimaryMembership).toStrictEqual({ id: member.harbor, isPrimary: true });
    expect(await marked()).toStrictEqual([member.harbor]);
    const events = await db.query<{ organizationId: string; changes: object }>(
      `select organization_id as "organizationId", changes from audit_events where user_id = $1 and subject_type = 'OrganizationMember' and occurred_at >= $2
       order by changes::text`,
      [demo.userId(demo.bothEmail), since],
    );
    expect(events).toStrictEqual([
      { organizationId: demo.harborId, changes: { isPrimary: [false, true] } },
      { organizationId: demo.skylineId, changes: { isPrimary: [true, false] } },
    ]);
    const me = dataOf(await clientOf(app, demo.bothEmail).get('/v1/me'));
    expect(
      me.organizations.map(({ slug, is_primary }: { slug: string; is_primary: boolean }) => [
        slug,
        is_primary,
      ]),
    ).toEqual([
      ['harbor-fiber', true],
      ['skyline-towers', false],
    ]);
  });

  test('is for the active members of the organization', async () => {
    expect((await graphOf(app, demo.climberEmail).refusal(set(demo.harborId))).code).toBe(
      'FORBIDDEN',
    );
    expect((await graphOf(app, demo.suspendedEmail).refusal(set(demo.skylineId))).code).toBe(
      'FORBIDDEN',
    );
  });

  test('is the only field of its operation: what follows would hold the rows of two organizations', async () => {
    const two = `mutation { setPrimaryMembership(organizationId: "${demo.harborId}") { id } other: setPrimaryMembership(organizationId: "${demo.skylineId}") { id } }`;
    const { body } = await app.graphql(two, {}, { token: await app.token(demo.bothEmail) });
    expect(JSON.stringify(body.errors)).toMatch(/must be the only field/);
    expect(await marked()).toStrictEqual([member.skyline]);
  });

  test('waits for neither organization, and holds neither: it answers 503 while one is busy', async () => {
    await db.transaction(async (tx) => {
      await tx.query('select from organization_clocks where organization_id = $1 for update', [
        demo.skylineId,
      ]);
      const { code } = await both.refusal(set(demo.harborId));
      expect(code).toBe('SERVICE_UNAVAILABLE');
      // Harbor writes meanwhile.
      const answer = await clientOf(app, 'admin@harbor.example').post(
        `${demo.harbor}/organization-members`,
        {
          email: 'meanwhile@x.example',
        },
      );
      expect(answer.status).toBe(201);
    });
    expect(await marked()).toStrictEqual([member.skyline]);
  });
});

describe('is_primary from an organization', () => {
  test('is ignored where the person has a primary membership elsewhere, and the answer shows it', async () => {
    const before = await db.query('select * from organization_members where id = $1', [
      member.skyline,
    ]);
    const { updateOrganizationMember } = await harborAdmin.data(update(true));
    expect(updateOrganizationMember.isPrimary).toBe(false);
    expect(
      await db.query('select * from organization_members where id = $1', [member.skyline]),
    ).toStrictEqual(before);
    expect(await marked()).toStrictEqual([member.skyline]);
  });

  test('holds where the person has none, and cannot be taken away', async () => {
    await db.query('update organization_members set is_primary = false where id = $1', [
      member.skyline,
    ]);
    expect((await harborAdmin.data(update(true))).updateOrganizationMember.isPrimary).toBe(true);
    const { code, details } = await harborAdmin.refusal(update(false));
    expect(code).toBe('VALIDATION_ERROR');
    expect(details.isPrimary[0]).toMatch(/only the person can change/);
  });

  test('gives way to what another organization marks for the same person at this moment', async () => {
    await db.query('update organization_members set is_primary = false where id = $1', [
      member.skyline,
    ]);
    const [done, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = db.transaction(async (tx) => {
      await tx.query('update organization_members set is_primary = true where id = $1', [
        member.skyline,
      ]);
      done.resolve();
      await held.promise;
    });
    await done.promise;
    const asked = harborAdmin.data(update(true));
    const waiting = () =>
      db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    while ((await waiting()).length === 0);
    held.resolve();
    await other;
    expect((await asked).updateOrganizationMember.isPrimary).toBe(false);
  });

  test('on a create shows what was asked for, and the first membership that a person accepts becomes primary', async () => {
    const post = async (body: object) =>
      dataOf(
        await clientOf(app, demo.adminEmail).post(`${demo.skyline}/organization-members`, body),
        201,
      );
    expect((await post({ email: 'asked@x.example', is_primary: true })).is_primary).toBe(true);
    const { id, is_primary } = await post({ email: 'first@x.example' });
    expect(is_primary).toBe(false);
    await db.query(`insert into users (id, email) values ($1, 'first@x.example')`, [
      demo.userId('first@x.example'),
    ]);
    const person = { userId: demo.userId('first@x.example'), appId: null, requestId: 'test' };
    await accept(db, person, { organizationId: demo.skylineId, memberId: id });
    const [now] = await db.query<{ isPrimary: boolean }>(
      'select is_primary as "isPrimary" from organization_members where id = $1',
      [id],
    );
    expect(now?.isPrimary).toBe(true);
  });
});
