/** Certification types: of an organization, and in global discovery. */
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
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const path = `${demo.skyline}/certification-types`;
const slugs = (types: { slug: string }[]) => types.map(({ slug }) => slug).sort();

describe('POST /v1/organizations/{organization_id}/certification-types', () => {
  test('201 with a slug made from the title, an empty description, and where to read it', async () => {
    const response = await manager.post(path, { title: 'Gîte d’Étape — Level II!' });
    const { id, created_at, updated_at, ...rest } = dataOf(response, 201);
    expect(id).toMatch(uuidv7);
    expectStamps(created_at);
    expect(updated_at).toBe(created_at);
    expect(rest).toStrictEqual({
      slug: 'gite-d-etape-level-ii',
      title: 'Gîte d’Étape — Level II!',
      description: '',
      scope: 'organization',
      status: 'active',
      organization_id: demo.skylineId,
    });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`${path}/${id}`);
    expect((await manager.get(location)).body).toStrictEqual(response.body);
  });

  test('201 with all that can be sent; a slug that only the catalogue has is free here', async () => {
    const sent = { slug: 'rf-awareness', title: 'RF Awareness', description: 'Our own.' };
    expect(dataOf(await manager.post(path, sent), 201)).toMatchObject({
      ...sent,
      scope: 'organization',
    });
  });

  test('403 for a plain member', async () => {
    expectError(await climber.post(path, { title: 'x' }), 403, 'forbidden');
    expectError(
      await both.post(`${demo.harbor}/certification-types`, { title: 'x' }),
      403,
      'forbidden',
    );
  });

  test('409 for a slug that is taken, sent or made', async () => {
    for (const body of [{ title: 'x', slug: 'night-work' }, { title: 'Night Work' }]) {
      expectError(await manager.post(path, body), 409, 'conflict', { field: 'slug' });
    }
  });

  test('422 for a title that no slug can be made from', async () => {
    expectInvalid(await manager.post(path, { title: '安全' }), {
      slug: 'is required, because none can be derived from the title or name',
    });
    expect(dataOf(await manager.post(path, { title: '安全', slug: 'safety' }), 201).title).toBe(
      '安全',
    );
  });

  test('422 for a title that is missing or null, and for what clients do not set', async () => {
    expectInvalid(await manager.post(path, {}), { title: 'is required' });
    expectInvalid(await manager.post(path, { title: null, scope: 'standard' }), {
      title: 'must not be null',
      scope: 'is not a known property; known are slug, description, title',
    });
  });
});

describe('GET /v1/organizations/{organization_id}/certification-types', () => {
  test('200 with its own and the standard ones, for a plain member too', async () => {
    const types = dataOf(await both.get(`${demo.harbor}/certification-types`));
    const of = (scope: string) => types.filter((type: { scope: string }) => type.scope === scope);
    expect(slugs(of('organization'))).toEqual([
      'bucket-truck-operator',
      'harbor-induction',
      'splice-assessment',
    ]);
    expect(of('standard')).toHaveLength(25);
    expect(types).toHaveLength(28);
    const stamps = types.map(({ updated_at }: { updated_at: string }) => updated_at);
    expect(stamps).toStrictEqual(stamps.toSorted());
    expect(
      dataOf(await both.get(`${demo.harbor}/certification-types?updated_after=${stamps[20]}`)),
    ).toStrictEqual(types.slice(21));
  });

  test('403 approval_required where the app is not approved', async () => {
    const required = { required_scope: 'certification_types:read' };
    const reader = clientOf(app, demo.bothEmail, 'demo-reader');
    expectError(
      await reader.get(`${demo.harbor}/certification-types`),
      403,
      'approval_required',
      required,
    );
    dataOf(await reader.get(path));
  });
});

describe('GET /v1/organizations/{organization_id}/certification-types/{certification_type_id}', () => {
  const get = (slug: string) => climber.get(`${path}/${demo.typeId(slug)}`);

  test('200 with its own, and with a standard one', async () => {
    const { created_at, updated_at, ...rest } = dataOf(await get('night-work'));
    expectStamps(created_at, updated_at);
    expect(rest).toStrictEqual({
      id: demo.typeId('night-work'),
      slug: 'night-work',
      title: 'Night Work Briefing',
      description: 'Issuer: employer. Typically valid for 12 months.',
      scope: 'organization',
      status: 'active',
      organization_id: demo.skylineId,
    });
    expect(dataOf(await get('rf-awareness'))).toMatchObject({
      scope: 'standard',
      organization_id: demo.catalogueId,
    });
  });

  test('404 for one of another organization that the caller reaches, and for none', async () => {
    for (const slug of ['harbor-induction', 'none'])
      expectError(await both.get(`${path}/${demo.typeId(slug)}`), 404, 'not_found');
  });

  test('403 approval_required where the app is not approved', async () => {
    const reader = clientOf(app, demo.bothEmail, 'demo-reader');
    const path = `${demo.harbor}/certification-types/${demo.typeId('rf-awareness')}`;
    expectError(await reader.get(path), 403, 'approval_required', {
      required_scope: 'certification_types:read',
    });
  });
});

describe('GET /v1/certification-types/{certification_type_id}', () => {
  const get = (client: typeof both, slug: string) =>
    client.get(`/v1/certification-types/${demo.typeId(slug)}`);

  test('200 with a standard one, for everyone with a token', async () => {
    const type = dataOf(await get(climber, 'rf-awareness'));
    expect(type.slug).toBe('rf-awareness');
    expect(dataOf(await get(clientOf(app, demo.suspendedEmail), 'rf-awareness'))).toStrictEqual(
      type,
    );
    expect(
      dataOf(await get(clientOf(app, 'admin@harbor.example', 'demo-reader'), 'rf-awareness')),
    ).toStrictEqual(type);
  });

  test('200 with those of each organization that the caller reaches', async () => {
    for (const slug of ['night-work', 'harbor-induction'])
      expect(dataOf(await get(both, slug)).slug).toBe(slug);
  });

  test('404 for one of an organization that the caller, or the app, does not reach, the same as for none', async () => {
    const ask = (slug: string) =>
      climber.get(`/v1/certification-types/${demo.typeId(slug)}`, { 'x-request-id': 'same' });
    const foreign = await ask('harbor-induction');
    expectError(foreign, 404, 'not_found');
    expect((await ask('none')).text).toBe(foreign.text);
    expectError(
      await get(clientOf(app, demo.bothEmail, 'demo-reader'), 'harbor-induction'),
      404,
      'not_found',
    );
    expectError(await get(clientOf(app, demo.suspendedEmail), 'night-work'), 404, 'not_found');
  });
});
