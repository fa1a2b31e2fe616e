/**
 * A cursor belongs to one list with one set of filters, and says the same in REST, in GraphQL and
 * below a record.
 */
import fc from 'fast-check';
import { encodeCursor } from '../../src/graph/reads/cursor.js';
import { startApp } from '../support/app.js';
import { expectError } from '../support/client.js';
import { ensure, fail } from '../support/expect.js';
import { type Listed, lists } from '../support/listed.js';
import {
  bothEmail,
  climberEmail,
  harborId,
  managerEmail,
  memberId,
  qualificationId,
  skyline,
  skylineId,
  userId,
} from '../support/names.js';
import { pathWith, readerOf, walk } from '../support/walk.js';

const app = await startApp();

const results = `${skyline}/organization-members/${memberId(climberEmail)}/qualifications`;
/** Everything that pages, the results included. */
const all: Pick<Listed, 'path' | 'email'>[] = [
  ...lists,
  { path: `${skyline}/certifications`, email: managerEmail },
  { path: `${skyline}/certifications?external_source=lms`, email: managerEmail },
  { path: `${skyline}/qualifications`, email: managerEmail },
  { path: '/v1/qualifications?q=climb', email: bothEmail },
  { path: `/v1/organizations/${harborId}/certification-types`, email: bothEmail },
  { path: results, email: managerEmail },
];
const nameOf = (path: string) => path.replace(/[0-9a-f-]{36}/g, '{id}');
const get = async (path: string, email: string, query: object) =>
  app.rest('GET', pathWith(path, query), { token: await app.token(email) });
const cursorOf = async ({ path, email }: Pick<Listed, 'path' | 'email'>): Promise<string> => {
  const { body } = await get(path, email, { limit: 1 });
  return body.page.next_cursor ?? fail(`${path} has one page only`);
};
const refusal = [
  'is not a cursor of this list with these filters: send the cursor as returned, with the same filters',
];

describe('a cursor of another list, or of the same with other filters: 422 naming cursor', () => {
  for (const taker of all) {
    test(`GET ${nameOf(taker.path)}`, async () => {
      for (const giver of all) {
        const response = await get(taker.path, taker.email, {
          limit: 2,
          cursor: await cursorOf(giver),
        });
        if (giver === taker) expect(response.status).toBe(200);
        else expectError(response, 422, 'validation_error', { cursor: refusal });
      }
    });
  }

  const instant = '2020-02-29T12:00:00Z';
  for (const { path, email } of all.filter(({ path }) => path !== results)) {
    test(`GET ${nameOf(path)} with another updated_after than the page before`, async () => {
      const plain = await cursorOf({ path, email });
      const within = await cursorOf({ path: pathWith(path, { updated_after: instant }), email });
      const ask = (cursor: string, query: object) =>
        get(path, email, { limit: 2, cursor, ...query });
      for (const [cursor, query] of [
        [plain, { updated_after: instant }],
        [within, {}],
        [within, { updated_after: '2020-02-29T12:00:00.000001Z' }],
      ] as const) {
        expectError(await ask(cursor, query), 422, 'validation_error', { cursor: refusal });
      }
      // The same instant, however it is spelt: what a client does that keeps its query while it
      // pages.
      for (const updated_after of [
        instant,
        '2020-02-29T14:00:00.0000009+02:00',
        '2020-02-29t12:00:00z',
      ]) {
        expect([updated_after, (await ask(within, { updated_after })).status]).toStrictEqual([
          updated_after,
          200,
        ]);
      }
    });
  }

  for (const path of ['/v1/certifications', '/v1/organizations', '/v1/qualifications']) {
    test(`GET ${path} with a cursor of another caller`, async () => {
      const cursor = await cursorOf({ path, email: bothEmail });
      expectError(await get(path, managerEmail, { cursor }), 422, 'validation_error', {
        cursor: refusal,
      });
    });
  }
});

describe('what is no cursor: 422 naming cursor, whatever it is', () => {
  const refuses = async ({ path, email }: Pick<Listed, 'path' | 'email'>, cursor: string) => {
    const response = await get(path, email, { cursor });
    expect([`${JSON.stringify(cursor)}: ${response.text}`, response.status]).toStrictEqual([
      expect.any(String),
      422,
    ]);
    expect(Object.keys(response.body.error.details)).toEqual(['cursor']);
  };
  const lastOf = (paths: typeof all) => paths.at(-1) ?? fail();

  test('any text', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })),
        refuses,
      ),
    ));

  test('positions that PostgreSQL would not take', async () => {
    const list = ['organizations', userId(bothEmail)];
    const id = harborId;
    for (const updatedAt of [
      '',
      '2026-02-30T00:00:00.000000Z',
      '2026-01-01T29:00:00.000000Z',
      '0000-01-01T00:00:00.000000Z',
    ]) {
      await refuses(
        { path: '/v1/organizations', email: bothEmail },
        encodeCursor(list, { updatedAt, id }),
      );
    }
    const ofResults = ['qualificationResults', skylineId, memberId(climberEmail)];
    await refuses(
      lastOf(all),
      encodeCursor(ofResults, { updatedAt: '2026-01-01T00:00:00.000000Z', id }),
    );
    await refuses(lastOf(all), encodeCursor(ofResults, { updatedAt: '', id: 'f'.repeat(36) }));
  });

  test('a cursor with something added, cut off or changed: refused, or another position of the same list, and never a 500', async () => {
    const cursor = await cursorOf({ path: '/v1/organizations', email: bothEmail });
    const change = fc.tuple(fc.nat(cursor.length - 1), fc.constantFrom(...'AZaz09-_'));
    await fc.assert(
      fc.asyncProperty(change, async ([at, letter]) => {
        const response = await get('/v1/organizations', bothEmail, {
          cursor: `${cursor.slice(0, at)}${letter}${cursor.slice(at + 1)}`,
        });
        ensure([200, 422].includes(response.status), response.text);
      }),
    );
    for (const changed of [
      `${cursor}!`,
      `${cursor}=`,
      `!${cursor}`,
      cursor.slice(0, -1),
      `${cursor}A`,
    ]) {
      await refuses({ path: '/v1/organizations', email: bothEmail }, changed);
    }
  });
});

interface Connection {
  readonly nodes: { readonly id: string; readonly updatedAt: string }[];
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
    readonly nextCursor: string | null;
  };
}
const connection = `{ nodes { id updatedAt } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor nextCursor } }`;

const query = async (text: string, email: string, variables: object = {}) => {
  const { body } = await app.graphql(text, variables, { token: await app.token(email) });
  expect(body.errors).toBeUndefined();
  return body.data;
};

for (const { field, path, email } of lists) {
  test(`{ ${field.split('(')[0]} }: the same pages as GET ${nameOf(path)}, and each edge a position in them`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 200 })),
        async (first) => {
          let after: string | null = null;
          let previous: Connection['edges'] = [];
          for await (const { data, page } of walk(readerOf(app, path, email), { limit: first })) {
            const text = `query ($first: Int!, $after: String) { list: ${field} first: $first, after: $after) ${connection} }`;
            const { list }: { list: Connection } = await query(text, email, { first, after });
            const { nodes, edges, pageInfo } = list;
            expect(nodes).toStrictEqual(
              data.map(({ id, updated_at: updatedAt }) => ({ id, updatedAt })),
            );
            expect(edges.map(({ node }) => node)).toStrictEqual(nodes.map(({ id }) => ({ id })));
            const { hasNextPage, hasPreviousPage, startCursor, endCursor, nextCursor } = pageInfo;
            expect([hasNextPage, nextCursor]).toStrictEqual([page.has_more, page.next_cursor]);
            expect([hasPreviousPage, startCursor, endCursor]).toStrictEqual([
              after !== null,
              edges[0]?.cursor ?? null,
              edges.at(-1)?.cursor ?? null,
            ]);
            const middle = previous.at(0);
            if (middle) {
              const { list: rest }: { list: Connection } = await query(text, email, {
                first: 200,
                after: middle.cursor,
              });
              expect(rest.nodes.slice(0, previous.length - 1).map(({ id }) => id)).toStrictEqual(
                previous.slice(1).map(({ node }) => node.id),
              );
            }
            previous = edges;
            after = nextCursor;
          }
        },
      ),
      { numRuns: 6 },
    ));
}

/**
 * Lists below a record, and the root field that goes on where they stop; none for what only the
 * nested field lists.
 */
const organizationArgument = `organizationId: "${skylineId}"`;
const inOrganization = (field: string) => `organization(id: "${skylineId}") { list: ${field} }`;
const ofMember = (field: string) =>
  `organizationMember(${organizationArgument}, id: "${memberId(climberEmail)}") { list: ${field} }`;
const nested: [name: string, below: (field: string) => string, root?: string][] = [
  ['members', inOrganization, `organizationMembers(${organizationArgument}`],
  ['certifications', inOrganization, `certifications(${organizationArgument}`],
  [
    'certifications',
    ofMember,
    `certifications(${organizationArgument}, organizationMemberId: "${memberId(climberEmail)}"`,
  ],
  [
    'qualificationResults',
    ofMember,
    `qualificationResults(${organizationArgument}, organizationMemberId: "${memberId(climberEmail)}"`,
  ],
  ['certificationTypes', inOrganization],
  ['qualifications', inOrganization],
  ['jobRoles', inOrganization],
];

describe('a nested page goes on', () => {
  for (const [name, below, root] of nested) {
    const fields =
      name === 'qualificationResults'
        ? '{ nodes { id: qualificationId } pageInfo { nextCursor } }'
        : '{ nodes { id } pageInfo { nextCursor } }';
    const read = async (list: (args: string) => string, first: number, after: string | null) => {
      const text = `query ($first: Int!, $after: String) { ${list('first: $first, after: $after')} }`;
      const data = await query(text, managerEmail, { first, after });
      return (data.list ?? data.organization?.list ?? data.organizationMember.list) as Connection;
    };
    const nestedField = (args: string) => below(`${name}(${args}) ${fields}`);
    const idsOf = (list: Connection) => list.nodes.map(({ id }) => id);
    const places = [
      ['on the nested field itself', nestedField] as const,
      ...(root
        ? [['on the root field', (args: string) => `list: ${root}, ${args}) ${fields}`] as const]
        : []),
    ];
    for (const [where, field] of places) {
      test(`${below('…').split('(')[0]}.${name} ${where}`, async () => {
        const whole = idsOf(await read(nestedField, 200, null));
        const start = await read(nestedField, 1, null);
        const rest = await read(field, whole.length - 1, start.pageInfo.nextCursor);
        expect(whole.length).toBeGreaterThan(1); // more than one page
        expect([...idsOf(start), ...idsOf(rest)]).toStrictEqual(whole);
      });
    }
  }

  test("with another parent's cursor: VALIDATION_ERROR", async () => {
    const certifications =
      'certifications(first: 1, after: $after) { nodes { id } pageInfo { nextCursor } }';
    const text = `query ($after: String) { organizationMembers(${organizationArgument}, first: 3) { nodes { ${certifications} } } }`;
    const token = await app.token(managerEmail);
    const { organizationMembers } = await query(text, managerEmail);
    const [after] = organizationMembers.nodes.flatMap(
      ({ certifications: { pageInfo } }: { certifications: Connection }) =>
        pageInfo.nextCursor ?? [],
    );
    const { body } = await app.graphql(text, { after }, { token });
    const { code, details } = body.errors[0].extensions;
    expect([body.errors[0].path.at(-1), code, details]).toStrictEqual([
      'certifications',
      'VALIDATION_ERROR',
      { after: refusal },
    ]);
  });
});

test('results: the cursor of a qualification id', async () => {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(results, managerEmail, { limit: 3, ...(cursor && { cursor }) });
    ids.push(...body.data.map((result: { qualification_id: string }) => result.qualification_id));
    cursor = body.page.next_cursor;
  }
  expect(ids).toStrictEqual([...new Set(ids)].sort());
  expect(ids).toContain(qualificationId('night-crew'));
});
