/** Qualifications: of an organization, and in global discovery. */
import { startApp } from '../support/app.js';
import {
  clientOf,
  dataOf,
  expectError,
  expectInvalid,
  expectStamps,
  uuidv7,
} from '../support/client.js';
import { ensure } from '../support/expect.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const path = `${demo.skyline}/qualifications`;
const slugs = (records: { slug: string }[]) => records.map(({ slug }) => slug).sort();

describe('POST /v1/organizations/{organization_id}/qualifications', () => {
  test('201 with a slug made from the name, an empty description, and where to read it', async () => {
    const response = await manager.post(path, { name: 'Crew Chief (Day)' });
    const { id, created_at, updated_at, ...rest } = dataOf(response, 201);
    expect(id).toMatch(uuidv7);
    expectStamps(created_at);
    expect(updated_at).toBe(created_at);
    expect(rest).toStrictEqual({
      organization_id: demo.skylineId,
      slug: 'crew-chief-day',
      name: 'Crew Chief (Day)',
      description: '',
      scope: 'organization',
      status: 'active',
    });
    expect(response.headers.get('location')).toBe(`${path}/${id}`);
    expect((await manager.get(`${path}/${id}`)).body).toStrictEqual(response.body);
    expect((await manager.get(`${path}/${id}/requirements`)).body).toStrictEqual({ data: [] });
  });

  test('201 with all that can be sent', async () => {
    const sent = { slug: 'lead-climber', name: 'Our Lead Climber', description: 'Stricter.' };
    expect(dataOf(await manager.post(path, sent), 201)).toMatchObject(sent);
  });

  test('403 for a plain member', async () => {
    expectError(await climber.post(path, { name: 'x' }), 403, 'forbidden');
  });

  test('409 for a slug that is taken, sent or made', async () => {
    for (const body of [{ name: 'x', slug: 'night-crew' }, { name: 'Night Crew' }]) {
      expectError(await manager.post(path, body), 409, 'conflict', { field: 'slug' });
    }
  });

  test('422 for a name that is missing, and for the title of a type', async () => {
    expectInvalid(await manager.post(path, { title: 'x', description: 7 }), {
      name: 'is required',
      title: 'is not a known property; known are slug, description, name',
      description: 'must be a string',
    });
    expectInvalid(await manager.post(path, { name: '!?' }), {
      slug: 'is required, because none can be derived from the title or name',
    });
  });
});

describe('GET /v1/organizations/{organization_id}/qualifications', () => {
  test('200 with its own and the standard ones, for a plain member too', async () => {
    const { data, page } = (await both.get(`${demo.harbor}/qualifications`)).body;
    expect(page).toStrictEqual({ next_cursor: null, has_more: false });
    const of = (scope: string) =>
      data.filter((record: { scope: string }) => record.scope === scope);
    expect(slugs(of('organization'))).toEqual(['aerial-fiber-crew', 'splice-lead']);
    expect(of('standard')).toHaveLength(10);
    expect(data).toHaveLength(12);
    expect(
      dataOf(await both.get(`${demo.harbor}/qualifications?updated_after=${data[2].updated_at}`)),
    ).toStrictEqual(data.slice(3));
  });

  test('403 approval_required where the app is not approved', async () => {
    const reader = clientOf(app, demo.bothEmail, 'demo-reader');
    expectError(await reader.get(`${demo.harbor}/qualifications`), 403, 'approval_required', {
      required_scope: 'qualifications:read',
    });
  });

  test('422 for the search of global discovery', async () => {
    expectInvalid(await climber.get(`${path}?q=climb`), {
      q: 'is not a known parameter; known are limit, cursor, updated_after',
    });
  });
});

describe('GET /v1/organizations/{organization_id}/qualifications/{qualification_id}', () => {
  test('200 with its own, and with a standard one', async () => {
    const { created_at, updated_at, ...rest } = dataOf(
      await climber.get(`${path}/${demo.qualificationId('lead-climber')}`),
    );
    expectStamps(created_at, updated_at);
    expect(rest).toStrictEqual({
      id: demo.qualificationId('lead-climber'),
      organization_id: demo.catalogueId,
      slug: 'lead-climber',
      name: 'Lead Climber',
      description: 'Site clearance: Lead Climber.',
      scope: 'standard',
      status: 'active',
    });
    expect(dataOf(await climber.get(`${path}/${demo.qualificationId('night-crew')}`)).scope).toBe(
      'organization',
    );
  });

  test('404 for one of another organization that the caller reaches, and for none', async () => {
    for (const slug of ['splice-lead', 'none'])
      expectError(await both.get(`${path}/${demo.qualificationId(slug)}`), 404, 'not_found');
  });

  test('403 approval_required where the app is not approved', async () => {
    const reader = clientOf(app, demo.bothEmail, 'demo-reader');
    const path = `${demo.harbor}/qualifications/${demo.qualificationId('lead-climber')}`;
    expectError(await reader.get(path), 403, 'approval_required', {
      required_scope: 'qualifications:read',
    });
  });
});

describe('GET /v1/qualifications', () => {
  const find = async (client: typeof both, query: string) =>
    slugs(dataOf(await client.get(`/v1/qualifications?${query}`)));
  const ofSkyline = ['gin-pole-crew', 'night-crew'];
  const ofHarbor = ['aerial-fiber-crew', 'splice-lead'];

  test('200 with the standard ones and those of the organizations that the caller reaches', async () => {
    const all = await find(both, 'limit=200');
    for (const slug of [...ofSkyline, ...ofHarbor, 'pim-tester']) ensure(all.includes(slug), slug);
    const seen = await find(climber, 'limit=200');
    for (const slug of [...ofSkyline, 'pim-tester']) ensure(seen.includes(slug), slug);
    for (const slug of ofHarbor) expect([slug, seen.includes(slug)]).toStrictEqual([slug, false]);
  });

  test('200 with the standard ones alone, where the app or the person reaches no organization', async () => {
    for (const client of [
      clientOf(app, 'admin@harbor.example', 'demo-reader'),
      clientOf(app, demo.suspendedEmail),
    ]) {
      const found = dataOf(await client.get('/v1/qualifications'));
      expect(found).toHaveLength(10);
      expect(found.every(({ scope }: { scope: string }) => scope === 'standard')).toBeTruthy();
    }
  });

  const searches: [q: string, found: string[]][] = [
    ['FIBER', ['aerial-fiber-crew', 'underground-fiber-splicer']],
    ['pim-tester', ['pim-tester']],
    ['clearance: drone', ['drone-inspector']],
    [' rescue ', ['tower-rescue-standby']],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['nothing has this', []],
  ];
  for (const [q, found] of searches) {
    test(`200 for the search “${q}” with ${found.join(', ') || 'nothing'}`, async () => {
      expect(
        await find(clientOf(app, 'admin@harbor.example'), `q=${encodeURIComponent(q)}`),
      ).toStrictEqual(found);
    });
  }

  test('200 with everything for an empty search', async () => {
    expect(await find(climber, 'limit=200&q=')).toStrictEqual(await find(climber, 'limit=200'));
  });

  test('200 page by page, and with what changed later than updated_after, over several organizations', async () => {
    const all = dataOf(await both.get('/v1/qualifications?limit=200'));
    const first = (await both.get('/v1/qualifications?limit=5')).body;
    expect(first.data).toStrictEqual(all.slice(0, 5));
    const second = await both.get(`/v1/qualifications?limit=5&cursor=${first.page.next_cursor}`);
    expect(dataOf(second)).toStrictEqual(all.slice(5, 10));
    expect(
      dataOf(await both.get(`/v1/qualifications?limit=200&updated_after=${all[4].updated_at}`)),
    ).toStrictEqual(all.slice(5));
  });

  test('422 for a cursor with another search', async () => {
    const { next_cursor } = (await both.get('/v1/qualifications?limit=1&q=crew')).body.page;
    expect((await both.get(`/v1/qualifications?limit=1&q=crew&cursor=${next_cursor}`)).status).toBe(
      200,
    );
    expectInvalid(await both.get(`/v1/qualifications?limit=1&q=climber&cursor=${next_cursor}`), {
      cursor:
        'is not a cursor of this list with these filters: send the cursor as returned, with the same filters',
    });
  });
});
