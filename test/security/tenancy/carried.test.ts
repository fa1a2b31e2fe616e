/**
 * What one caller leaves behind must not reach another: keys of idempotency, names that are taken,
 * streams.
 */
import { apiScopes } from '../../../src/auth/scopes.js';
import { makeApp } from '../../support/apps.js';
import { bothEmail, userId } from '../../support/names.js';
import { openStream, type StreamEvent } from '../../support/stream.js';
import { readVersionOf } from './foreign.js';
import { app, foreign, home, missing, people, startWorld, tokenOf, type Who } from './world.js';

await startWorld();

const path = (organization: string, rest: string) => `/v1/organizations/${organization}/${rest}`;
let made = 0;

describe('an Idempotency-Key of somebody else', () => {
  const headers = { 'idempotency-key': 'shared-by-chance' };
  const body = { title: 'Idempotent Everywhere', slug: 'idempotent-everywhere' };
  const post = (organization: string, token: string | undefined) =>
    app.rest('POST', path(organization, 'certification-types'), { token, body, headers });

  test('is as unused: another person, or the same through another app, gets an answer of their own', async () => {
    const first = await post(home.organization, tokenOf('manager'));
    expect(first.status).toBe(201);
    const elsewhere = await post(foreign.organization, await app.token('admin@harbor.example'));
    expect([elsewhere.status, elsewhere.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(elsewhere.body.data.id).not.toBe(first.body.data.id);
    await makeApp(app.db, 'second-dashboard', { scopes: apiScopes });
    for (const token of [
      tokenOf('admin'),
      await app.token(people.manager.email, 'second-dashboard'),
      await app.token(bothEmail),
    ]) {
      const again = await post(home.organization, token);
      expect([again.status, again.body.error.code, again.body.error.details]).toStrictEqual([
        409,
        'conflict',
        { field: 'slug' },
      ]);
    }
    for (const who of ['stranger', 'suspended member', 'member of another organization'] as const) {
      expect([who, (await post(home.organization, tokenOf(who))).status]).toStrictEqual([who, 403]);
    }
    const replayed = await post(home.organization, tokenOf('manager'));
    expect([replayed.text, replayed.headers.get('idempotency-replayed')]).toStrictEqual([
      first.text,
      'true',
    ]);
  });
});

describe('what another organization has taken is free here', () => {
  let untouched: string;
  beforeAll(async () => {
    untouched = await readVersionOf(app.db, foreign.organization);
  });

  const [types, members, records] = [
    'certification-types',
    'organization-members',
    'certifications',
  ] as const;
  const person = () => ({ email: `taken-${++made}@skyline.example` });
  const takes: [what: string, where: string, body: () => object][] = [
    ['a slug', types, () => ({ title: 'x', slug: foreign.certificationTypeSlug })],
    [
      'the external id of a member',
      members,
      () => ({ ...person(), external_id: foreign.memberExternalId }),
    ],
    ['the e-mail address of a member', members, () => ({ email: foreign.memberEmail })],
    [
      'the external id of a record',
      records,
      () => ({
        organization_member_id: home.member,
        certification_type_id: home.certificationType,
        external_id: foreign.certificationExternalId,
        external_source: 'bamboo-hr',
      }),
    ],
  ];
  for (const [what, where, body] of takes) {
    test(what, async () => {
      const { status, text } = await app.rest('POST', path(home.organization, where), {
        token: tokenOf('manager'),
        body: body(),
      });
      expect([text, status]).toStrictEqual([text, 201]);
      expect(await readVersionOf(app.db, foreign.organization)).toBe(untouched);
    });
  }

  test('a person’s main organization stays their own choice: nothing of it is written elsewhere', async () => {
    const email = 'leilani.akana@harbor.example';
    const body = { email, is_primary: true };
    const {
      status,
      body: answer,
      headers,
    } = await app.rest('POST', path(home.organization, members), {
      token: tokenOf('manager'),
      body,
    });
    // Until it is accepted the membership is of nobody: what it shows must not tell of memberships
    // elsewhere.
    expect([status, answer.data.status, answer.data.is_primary]).toEqual([201, 'invited', true]);
    const events = await app.db.query(
      'select from audit_events where organization_id = $1 and request_id = $2',
      [foreign.organization, headers.get('x-request-id')],
    );
    expect(events).toHaveLength(0);
    const rows = await app.db.query(
      `select is_primary as "isPrimary" from organization_members where user_id = $1`,
      [userId(email)],
    );
    expect(rows).toStrictEqual([{ isPrimary: true }]);
  });
});

describe('a stream of an organization that exists elsewhere', () => {
  const query =
    'subscription ($id: ID!) { changes(organizationId: $id) { nodes { resourceId } pageInfo { endCursor } } }';
  const followed = async (organization: string, token: string | undefined) => {
    const stream = await openStream(app.base, token ?? '', {
      query,
      variables: { id: organization },
    });
    const events: (StreamEvent | undefined)[] = [await stream.next(), await stream.next()];
    stream.stop();
    return JSON.stringify([stream.status, events]).replaceAll(
      stream.headers.get('x-request-id') ?? '',
      '',
    );
  };

  for (const who of Object.keys(people) as Who[]) {
    test(`is refused as one that does not exist: ${who}`, async () => {
      const answer = await followed(foreign.organization, tokenOf(who));
      expect(answer).toBe(await followed(missing.organization, tokenOf(who)));
      expect(answer).toMatch(who === 'anonymous' ? /^\[401/ : /FORBIDDEN/);
    });
  }
});
