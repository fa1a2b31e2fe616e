/** When the transaction of a mutation ends: with its write, where nothing can come after that. */
import { startApp } from '../support/app.js';
import { makeApp } from '../support/apps.js';
import { clientOf, dataOf, expectInvalid } from '../support/client.js';
import * as demo from '../support/names.js';
import { sentDuring } from '../support/sent.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const path = `${demo.skyline}/certifications`;
const input = {
  organizationMemberId: demo.memberId(demo.climberEmail),
  certificationTypeId: demo.typeId('osha-30'),
};
const body = {
  organization_member_id: input.organizationMemberId,
  certification_type_id: input.certificationTypeId,
};

const inPieces = (work: () => Promise<unknown>) => sentDuring(app.url, work);
const countNow = async () => (await app.db.query('select from certifications')).length;
const create = async (fields: string, more = '') => {
  const query = `mutation ($o: ID!, $input: CertificationCreate!) { created: createCertification(organizationId: $o, input: $input) { ${fields} } ${more} }`;
  return app.graphql(
    query,
    { o: demo.skylineId, input },
    { token: await app.token(demo.managerEmail) },
  );
};

let before = 0;
beforeEach(async () => {
  dataOf(await manager.get('/v1/me'));
  before = await countNow();
});

test('a create by REST takes two round trips: the caller, then the record', async () => {
  expect(await inPieces(async () => dataOf(await manager.post(path, body), 201))).toBe(2);
  expect(await countNow()).toBe(before + 1);
});

test('with Idempotency-Key it takes three: the caller and what is stored, the key and the record, then the answer and the commit', async () => {
  const headers = { 'idempotency-key': 'three' };
  expect(await inPieces(async () => dataOf(await manager.post(path, body, headers), 201))).toBe(3);
  expect(await countNow()).toBe(before + 1);
});

describe('a create by GraphQL', () => {
  test('commits with the write when that gives all that is asked for', async () => {
    const all = 'id __typename validityStatus certificationType { title __typename }';
    expect(
      await inPieces(async () => expect((await create(all)).body.errors).toBeUndefined()),
    ).toBe(2);
    expect(await countNow()).toBe(before + 1);
  });

  for (const fields of ['id organizationMember { displayName }', 'id history { recordedAt }'])
    test(`commits after what is read below the record: ${fields}`, async () => {
      expect(
        await inPieces(async () => expect((await create(fields)).body.errors).toBeUndefined()),
      ).toBeGreaterThan(2);
      expect(await countNow()).toBe(before + 1);
    });

  const failing = `second: createCertification(organizationId: $o, input: { certificationTypeId: "${demo.skylineId}" }) { id }`;
  for (const [what, second] of [
    ['field', failing],
    ['fragment', `... on Mutation { ${failing} }`],
  ] as const)
    test(`leaves nothing when a second ${what} fails`, async () => {
      expect((await create('id', second)).body.errors?.length).toBe(1);
      expect(await countNow()).toBe(before);
    });
});

describe('an update takes four round trips: the caller, the lock, the write, and what is read of it with the commit', () => {
  let id = '';
  beforeEach(async () => {
    id = dataOf(await manager.post(path, body), 201).id;
  });
  const statusNow = async () =>
    (
      await app.db.query<{ status: string }>(
        'select lifecycle_status as status from certifications where id = $1',
        [id],
      )
    )[0]?.status;

  test('by REST', async () => {
    const edit = () => manager.patch(`${path}/${id}`, { issuer_name: 'Tower Academy' });
    expect(
      await inPieces(async () => expect(dataOf(await edit()).issuer_name).toBe('Tower Academy')),
    ).toBe(4);
  });

  const archive = async (fields: string, more = '', client?: string) => {
    const query = `mutation ($o: ID!, $id: ID!) { archiveCertification(organizationId: $o, id: $id) { ${fields} } ${more} }`;
    return app.graphql(
      query,
      { o: demo.skylineId, id },
      { token: await app.token(demo.managerEmail, client) },
    );
  };

  test('by GraphQL, and one more for fields that are read below it', async () => {
    expect(
      await inPieces(async () =>
        expect((await archive('lifecycleStatus')).body.errors).toBeUndefined(),
      ),
    ).toBe(4);
    expect(await statusNow()).toBe('archived');
  });

  test('and none of it remains when a field below it fails, or one beside it', async () => {
    const scopes = ['certification_records:read', 'certification_records:write'] as const;
    await makeApp(app.db, 'records-only', {
      scopes: [...scopes],
      approved: { [demo.skylineId]: [...scopes] },
    });
    const refused = [
      await archive(
        'id',
        `restoreCertification(organizationId: $o, id: "${demo.skylineId}") { id }`,
      ),
      await archive('id organizationMember { displayName }', '', 'records-only'),
    ];
    expect(
      refused.map(({ body }) =>
        body.errors?.map((error: { extensions: { code: string } }) => error.extensions.code),
      ),
    ).toEqual([['NOT_FOUND'], ['INSUFFICIENT_SCOPE']]);
    expect(await statusNow()).toBe('active');
  });
});

test('replacing requirements takes four round trips: the caller, the lock with the stored set, the stamps, and the writes with the new set and the commit', async () => {
  const requirements = `${demo.skyline}/qualifications/${demo.qualificationId('night-crew')}/requirements`;
  const replace = async (...slugs: string[]) =>
    dataOf(
      await manager.put(requirements, {
        requirements: slugs.map((slug) => ({ certification_type_id: demo.typeId(slug) })),
      }),
    ).map((each: { certification_type_id: string }) => each.certification_type_id);
  await replace('osha-10', 'rf-awareness', 'night-work');
  // Removes one, moves one and adds one.
  const wanted = ['rf-awareness', 'night-work', 'osha-30'];
  expect(
    await inPieces(async () =>
      expect(await replace(...wanted)).toStrictEqual(wanted.map(demo.typeId)),
    ),
  ).toBe(4);
});

describe('a create of what cannot be used', () => {
  const stateNow = () =>
    app.db.query(
      'select (select max(ticked_at) from organization_clocks) as at, (select count(*) from audit_events) as events',
    );
  const unusable = {
    organization_member_id: demo.typeId('osha-30'),
    certification_type_id: demo.memberId(demo.climberEmail),
  };
  const isNoMember = 'is not a member of this organization';
  const isNoType = 'is not an active certification type that this organization can use';
  const cases: [what: string, sent: object, problems: Record<string, string>][] = [
    [
      'member',
      { ...body, organization_member_id: unusable.organization_member_id },
      { organization_member_id: isNoMember },
    ],
    [
      'type',
      { ...body, certification_type_id: unusable.certification_type_id },
      { certification_type_id: isNoType },
    ],
    [
      'member and type',
      unusable,
      { organization_member_id: isNoMember, certification_type_id: isNoType },
    ],
  ];
  for (const [what, sent, problems] of cases)
    for (const headers of [{}, { 'idempotency-key': what.replaceAll(' ', '-') }])
      test(`${what}, ${'idempotency-key' in headers ? 'with' : 'without'} a key: 422, and nothing is written`, async () => {
        const state = await stateNow();
        expectInvalid(await manager.post(path, sent, headers), problems);
        expect(await stateNow()).toStrictEqual(state);
      });
});

test('the audit names whose record it is, which the write itself looks up', async () => {
  const { id } = dataOf(await manager.post(path, { ...body, issuer_name: 'Tower Academy' }), 201);
  const [event] = await app.db.query<{ changes: object }>(
    'select changes from audit_events where subject_id = $1',
    [id],
  );
  expect(event?.changes).toMatchObject({
    userId: [null, demo.userId(demo.climberEmail)],
    issuerName: [null, 'Tower Academy'],
  });
});
