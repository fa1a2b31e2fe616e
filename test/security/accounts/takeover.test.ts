/**
 * What the admins of one organization must not get: an account, a membership, or somebody's results
 * in another.
 */
import { clientOf, dataOf } from '../../support/client.js';
import * as demo from '../../support/names.js';
import {
  add,
  app,
  choosePassword,
  clients,
  db,
  linkOnScreen,
  memberOf,
  newEmail,
  password,
  signIn,
  startWithPeople,
} from './people.js';

await startWithPeople();

describe('an admin who takes the invitation link from the screen', () => {
  test('gets no membership of another organization that adds the address later', async () => {
    const email = newEmail();
    const own = await add('skyline', email);
    await choosePassword(await linkOnScreen('skyline', own.id));
    const other = await add('harbor', email, { role: 'manager' });
    expect(other.status).toBe('invited');
    const { page } = await signIn(email, password);
    // The address alone does not sign in to an account that nobody proved.
    expect(page.url.pathname).not.toBe('/portal');
    expect((await memberOf('harbor', email)).status).toBe('invited');
    const rows = await db.query(
      'select from organization_members where organization_id = $1 and user_id in (select id from users)  and email = $2',
      [demo.harborId, email],
    );
    expect(rows).toHaveLength(0);
  });

  test('and keeps it unused, neither stops the link of another organization nor activates its membership', async () => {
    const email = newEmail();
    const kept = await linkOnScreen('skyline', (await add('skyline', email)).id);
    const others = await linkOnScreen('harbor', (await add('harbor', email)).id);
    await choosePassword(kept);
    expect([
      (await memberOf('skyline', email)).status,
      (await memberOf('harbor', email)).status,
    ]).toEqual(['active', 'invited']);
    expect((await choosePassword(others)).page.status).toBe(200);
    expect((await memberOf('harbor', email)).status).toBe('active');
  });
});

describe('a manager of the organization', () => {
  const redirect = `mutation ($organizationId: ID!, $id: ID!, $input: OrganizationMemberUpdate!) {
    updateOrganizationMember(organizationId: $organizationId, id: $id, input: $input) { email status } }`;
  const change = async (actor: string, id: string, email: string) =>
    (
      await app.graphql(
        redirect,
        { organizationId: demo.skylineId, id, input: { email } },
        { token: await app.token(actor) },
      )
    ).body;

  test('can not give the invitation of an admin to another address, an admin can', async () => {
    const { id } = await add('skyline', newEmail(), { role: 'admin' });
    const refused = await change(demo.managerEmail, id, newEmail());
    expect(refused.errors?.[0].extensions.code).toBe('FORBIDDEN');
    expect((await change(demo.adminEmail, id, newEmail())).errors).toBeUndefined();
  });

  test('ends a link for good by changing the address, and by suspending the member', async () => {
    const email = newEmail();
    const { id } = await add('skyline', email);
    const link = await linkOnScreen('skyline', id);
    expect((await change(demo.managerEmail, id, newEmail())).errors).toBeUndefined();
    expect((await change(demo.managerEmail, id, email)).errors).toBeUndefined();
    expect((await choosePassword(link)).page.status).toBe(404);
    const second = await linkOnScreen('skyline', id);
    for (const move of ['suspendOrganizationMember', 'reinstateOrganizationMember']) {
      const { body } = await app.graphql(
        `mutation ($organizationId: ID!, $id: ID!) { ${move}(organizationId: $organizationId, id: $id) { status } }`,
        { organizationId: demo.skylineId, id },
        { token: await app.token(demo.managerEmail) },
      );
      expect(body.errors).toBeUndefined();
    }
    expect((await choosePassword(second)).page.status).toBe(404);
  });
});

describe('a manager of one organization', () => {
  test('makes nobody qualified in another by taking the primary membership', async () => {
    const email = demo.climberEmail;
    const climber = clientOf(app, email);
    const before = dataOf(
      await climber.get(`/v1/qualification-results/${demo.qualificationId('lead-climber')}`),
    );
    const mine = await memberOf('skyline', email);
    const taken = await add('harbor', email, { is_primary: true });
    expect(taken.status).toBe('invited');
    const types = [
      'nwsa-ttt2',
      'competent-climber',
      'competent-rescuer',
      'rf-awareness',
      'first-aid-cpr-aed',
    ];
    for (const type of types) {
      const record = {
        organization_member_id: taken.id,
        certification_type_id: demo.typeId(type),
        issued_on: '2026-01-01',
      };
      dataOf(await clients.harbor.post(`${demo.harbor}/certifications`, record), 201);
    }
    const after = dataOf(
      await climber.get(`/v1/qualification-results/${demo.qualificationId('lead-climber')}`),
    );
    expect({ ...after, evaluated_at: '' }).toStrictEqual({ ...before, evaluated_at: '' });
    // The row of the other organization did not change.
    expect(await memberOf('skyline', email)).toStrictEqual(mine);
    const recorded = dataOf(
      await climber.post('/v1/certifications', { certification_type_id: demo.typeId('flagger') }),
      201,
    );
    expect(recorded.organization_id).toBe(demo.skylineId);
    expect(
      (
        dataOf(await climber.get('/v1/certifications?limit=200')) as { organization_id: string }[]
      ).every((each) => each.organization_id === demo.skylineId),
    ).toBe(true);
    expect(
      dataOf(await clients.skyline.get(`${demo.skyline}/organization-members?email=${email}`))[0]
        .is_primary,
    ).toBe(true);
  });
});
