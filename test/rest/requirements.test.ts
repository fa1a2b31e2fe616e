/** /v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements */
import { startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectInvalid, expectStamps } from '../support/client.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const of = (slug: string) =>
  `${demo.skyline}/qualifications/${demo.qualificationId(slug)}/requirements`;
const crew = of('night-crew');

interface Requirement {
  readonly certification_type_id: string;
  readonly is_required: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}
const types = (requirements: Requirement[]) =>
  requirements.map(({ certification_type_id }) => certification_type_id);
const set = (...slugs: string[]) => ({
  requirements: slugs.map((slug) => ({ certification_type_id: demo.typeId(slug) })),
});

describe('GET /v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements', () => {
  test('200 with the whole set in its order, without a page', async () => {
    const { body } = await climber.get(crew);
    expect(Object.keys(body)).toEqual(['data']);
    expect(types(body.data)).toStrictEqual(
      [
        'night-work',
        'skyline-induction',
        'osha-10',
        'first-aid-cpr-aed',
        'bloodborne-pathogens',
      ].map(demo.typeId),
    );
    expect(body.data.map(({ is_required }: Requirement) => is_required)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    const { created_at, updated_at, ...rest } = body.data[0];
    expectStamps(created_at, updated_at);
    expect(rest).toStrictEqual({
      qualification_id: demo.qualificationId('night-crew'),
      certification_type_id: demo.typeId('night-work'),
      is_required: true,
    });
  });

  test('200 with those of a standard one', async () => {
    expect(dataOf(await climber.get(of('lead-climber')))).toHaveLength(5);
  });

  test('404 for a qualification that the organization cannot use', async () => {
    for (const slug of ['splice-lead', 'none'])
      expectError(await both.get(of(slug)), 404, 'not_found');
  });

  test('403 approval_required where the app is not approved', async () => {
    const path = `${demo.harbor}/qualifications/${demo.qualificationId('splice-lead')}/requirements`;
    expectError(
      await clientOf(app, demo.bothEmail, 'demo-reader').get(path),
      403,
      'approval_required',
      {
        required_scope: 'qualifications:read',
      },
    );
  });
});

describe('PUT /v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements', () => {
  const qualification = async () => dataOf(await manager.get(crew.replace('/requirements', '')));

  test('200 with the set replaced, in the order given; what stays keeps created_at', async () => {
    const before: Requirement[] = dataOf(await manager.get(crew));
    const { updated_at } = await qualification();
    const response = await manager.put(crew, {
      requirements: [
        { certification_type_id: demo.typeId('osha-10') },
        { certification_type_id: demo.typeId('rf-awareness'), is_required: false },
        { certification_type_id: demo.typeId('night-work'), is_required: true },
      ],
    });
    const after: Requirement[] = dataOf(response);
    expect(Object.keys(response.body)).toEqual(['data']);
    expect(types(after)).toStrictEqual(['osha-10', 'rf-awareness', 'night-work'].map(demo.typeId));
    expect(after.map(({ is_required }) => is_required)).toEqual([true, false, true]);
    expect([after[0]?.created_at, after[2]?.created_at]).toStrictEqual([
      before[2]?.created_at,
      before[0]?.created_at,
    ]);
    expect(after[1]?.created_at).toBe(after[1]?.updated_at);
    expect(dataOf(await manager.get(crew))).toStrictEqual(after);
    // Who follows the qualifications must notice.
    expect((await qualification()).updated_at > updated_at).toBe(true);
  });

  test('200 with nothing changed for the same set, and only the order for another order', async () => {
    const stored: Requirement[] = dataOf(await manager.get(crew));
    const { updated_at } = await qualification();
    const same = {
      requirements: stored.map(({ certification_type_id, is_required }) => ({
        certification_type_id,
        is_required,
      })),
    };
    expect(dataOf(await manager.put(crew, same))).toStrictEqual(stored);
    expect((await qualification()).updated_at).toBe(updated_at);
    const turned = dataOf(
      await manager.put(crew, { requirements: same.requirements.toReversed() }),
    );
    expect(types(turned)).toStrictEqual(types(stored).toReversed());
  });

  test('200 with nothing left for an empty set', async () => {
    expect((await manager.put(crew, { requirements: [] })).body).toStrictEqual({ data: [] });
    expect((await manager.get(crew)).body).toStrictEqual({ data: [] });
  });

  test('403 for a plain member, and for a standard qualification', async () => {
    expectError(await climber.put(crew, set()), 403, 'forbidden');
    const refused = await manager.put(of('lead-climber'), set());
    expectError(refused, 403, 'forbidden');
    expect(refused.body.error.message).toMatch(/standard definition/);
    expect(dataOf(await manager.get(of('lead-climber')))).toHaveLength(5);
  });

  test('404 for a qualification that the organization cannot use', async () => {
    for (const slug of ['splice-lead', 'none'])
      expectError(await manager.put(of(slug), set()), 404, 'not_found');
  });

  test('422 for a type twice, a type of another organization, an archived one and none, each by its place; nothing is changed', async () => {
    await app.db.query(`update certification_types set status = 'archived' where id = $1`, [
      demo.typeId('hazwoper-refresher'),
    ]);
    dataOf(await manager.put(crew, set('osha-10')));
    const unusable = 'is not an active certification type that this organization can use';
    expectInvalid(
      await manager.put(
        crew,
        set('rf-awareness', 'harbor-induction', 'rf-awareness', 'hazwoper-refresher', 'none'),
      ),
      {
        'requirements.1.certification_type_id': unusable,
        'requirements.2.certification_type_id': 'is the same type as requirements.0',
        'requirements.3.certification_type_id': unusable,
        'requirements.4.certification_type_id': unusable,
      },
    );
    expect(types(dataOf(await manager.get(crew)))).toStrictEqual([demo.typeId('osha-10')]);
  });

  test('422 for the same type twice in other letters', async () => {
    const id = demo.typeId('osha-10');
    expectInvalid(
      await manager.put(crew, {
        requirements: [{ certification_type_id: id }, { certification_type_id: id.toUpperCase() }],
      }),
      {
        'requirements.1.certification_type_id': 'is the same type as requirements.0',
      },
    );
  });

  test('422 for entries of the wrong form, by their paths', async () => {
    const requirements = [
      {},
      null,
      'x',
      { certification_type_id: 'x', is_required: 'yes' },
      { certification_type_id: demo.nothing, position: 1, is_required: null },
    ];
    expectInvalid(await manager.put(crew, { requirements }), {
      'requirements.0.certification_type_id': 'is required',
      'requirements.1': 'must not be null',
      'requirements.2': 'must be an object',
      'requirements.3.certification_type_id': 'must be a UUID',
      'requirements.3.is_required': 'must be true or false',
      'requirements.4.position':
        'is not a known property; known are certification_type_id, is_required',
      'requirements.4.is_required': 'must not be null',
    });
    expectInvalid(await manager.put(crew, {}), { requirements: 'is required' });
    expectInvalid(await manager.put(crew, { requirements: {} }), {
      requirements: 'must be an array',
    });
  });

  test('422 for more than 200', async () => {
    expectInvalid(await manager.put(crew, set(...Array<string>(201).fill('osha-10'))), {
      requirements: 'must have at most 200 entries',
    });
  });
});

describe('Requirements of a type that was archived', () => {
  const refused = 'is not an active certification type that this organization can use';

  test('200 while they stay, 422 once they are gone', async () => {
    await manager.put(crew, set('night-work', 'osha-10'));
    const become = (status: string) =>
      app.db.query('update certification_types set status = $2 where id = $1', [
        demo.typeId('night-work'),
        status,
      ]);
    await become('archived');
    expect(types(dataOf(await manager.put(crew, set('osha-10', 'night-work'))))).toStrictEqual(
      ['osha-10', 'night-work'].map(demo.typeId),
    );
    expect(types(dataOf(await manager.put(crew, set('osha-10'))))).toStrictEqual([
      demo.typeId('osha-10'),
    ]);
    expectInvalid(await manager.put(crew, set('osha-10', 'night-work')), {
      'requirements.1.certification_type_id': refused,
    });
    await become('active');
  });
});
