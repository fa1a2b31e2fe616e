/** /v1/organizations */
import { startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectStamps } from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const both = clientOf(app, demo.bothEmail);
const names = (records: { slug: string }[]) => records.map(({ slug }) => slug).sort();

describe('GET /v1/organizations', () => {
  test('200 with the organizations of the person', async () => {
    const { data, page } = (await manager.get('/v1/organizations')).body;
    expect(page).toStrictEqual({ next_cursor: null, has_more: false });
    const [{ created_at, updated_at, ...rest }] = data;
    expectStamps(created_at, updated_at);
    expect(rest).toStrictEqual({
      id: demo.skylineId,
      name: 'Skyline Towers',
      slug: 'skyline-towers',
      status: 'active',
    });
    expect(names(dataOf(await both.get('/v1/organizations')))).toEqual([
      'harbor-fiber',
      'skyline-towers',
    ]);
  });

  test('200 page by page, oldest change first, and with what changed later than updated_after', async () => {
    const [first, second] = dataOf(await both.get('/v1/organizations'));
    expect(first.updated_at < second.updated_at).toBe(true);
    const page = (await both.get('/v1/organizations?limit=1')).body;
    expect([page.data, page.page.has_more]).toStrictEqual([[first], true]);
    expect(
      (await both.get(`/v1/organizations?limit=1&cursor=${page.page.next_cursor}`)).body,
    ).toStrictEqual({
      data: [second],
      page: { next_cursor: null, has_more: false },
    });
    expect(
      dataOf(await both.get(`/v1/organizations?updated_after=${first.updated_at}`)),
    ).toStrictEqual([second]);
    expect(dataOf(await both.get(`/v1/organizations?updated_after=${second.updated_at}`))).toEqual(
      [],
    );
  });

  test('200 with those alone that approved the app', async () => {
    expect(
      names(dataOf(await clientOf(app, demo.bothEmail, 'demo-reader').get('/v1/organizations'))),
    ).toEqual(['skyline-towers']);
    expect(
      names(dataOf(await clientOf(app, demo.bothEmail, 'demo-pending').get('/v1/organizations'))),
    ).toEqual(['skyline-towers']);
  });

  test('200 with nothing for a suspended member', async () => {
    expect(dataOf(await clientOf(app, demo.suspendedEmail).get('/v1/organizations'))).toEqual([]);
  });

  test('403 approval_required where no organization approved the app', async () => {
    const reader = clientOf(app, 'admin@harbor.example', 'demo-reader');
    expectError(await reader.get('/v1/organizations'), 403, 'approval_required', {
      required_scope: 'organizations:read',
    });
  });
});

describe('GET /v1/organizations/{organization_id}', () => {
  test('200 with the organization, for a plain member too', async () => {
    const [listed] = dataOf(await manager.get('/v1/organizations'));
    for (const email of [demo.adminEmail, demo.managerEmail, demo.climberEmail]) {
      expect((await clientOf(app, email).get(demo.skyline)).body).toStrictEqual({ data: listed });
    }
  });

  test('200 for an app with just this scope approved', async () => {
    expect(
      dataOf(await clientOf(app, demo.managerEmail, 'demo-pending').get(demo.skyline)).slug,
    ).toBe('skyline-towers');
  });

  test('403 for the publisher of the catalogue, of whom nobody is a member', async () => {
    expectError(await manager.get(`/v1/organizations/${demo.catalogueId}`), 403, 'forbidden');
  });

  test('403 for a suspended member, and for everyone in a suspended organization', async () => {
    expectError(await clientOf(app, demo.suspendedEmail).get(demo.skyline), 403, 'forbidden');
    await app.db.query(`update organizations set status = 'suspended' where id = $1`, [
      demo.harborId,
    ]);
    expectError(await clientOf(app, 'admin@harbor.example').get(demo.harbor), 403, 'forbidden');
    await app.db.query(`update organizations set status = 'active' where id = $1`, [demo.harborId]);
    dataOf(await clientOf(app, 'admin@harbor.example').get(demo.harbor));
  });

  test('403 approval_required where the app is not approved', async () => {
    const required = { required_scope: 'organizations:read' };
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(demo.harbor),
      403,
      'approval_required',
      required,
    );
  });
});
