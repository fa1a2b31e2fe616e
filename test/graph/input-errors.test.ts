/**
 * The same wrong value is the same error, whether it stands in the document or comes as a variable.
 */
import { startApp } from '../support/app.js';
import { fail } from '../support/expect.js';
import { managerEmail, skylineId, typeId } from '../support/names.js';

const app = await startApp();

/**
 * Field, argument, its type, the wrong value as JSON, and as a literal where that is written
 * otherwise.
 */
type Case = readonly [
  what: string,
  field: (argument: string) => string,
  type: string,
  value: unknown,
  literal?: string,
];

const one = (argument: string) => `organization(id: ${argument}) { id }`;
const list = (name: string) => (argument: string) =>
  `certifications(organizationId: "${skylineId}", ${name}: ${argument}) { nodes { id } }`;
const create = (argument: string) =>
  `createCertification(organizationId: "${skylineId}", input: ${argument}) { id }`;
const input = { certificationTypeId: typeId('rf-awareness') };

const cases: readonly Case[] = [
  ['a scalar', one, 'ID!', 'x'],
  ['a scalar of another kind', one, 'ID!', 7],
  ['null', one, 'ID!', null],
  ['an object for a scalar', one, 'ID!', { id: 1 }, '{ id: 1 }'],
  ['a page that is too large', list('first'), 'Int!', 1000],
  ['a day that is none', list('asOf'), 'Date', '2026-02-30'],
  ['a text that is too long', list('q'), 'Text', 'x'.repeat(300)],
  ['an enum value that is none', list('lifecycleStatus'), 'LifecycleStatus', 'GONE', 'GONE'],
  ['a number for an enum', list('lifecycleStatus'), 'LifecycleStatus', 7],
  ['a text for an object', list('orderBy'), 'CertificationOrder', 'x'],
  ['a list for an object', list('orderBy'), 'CertificationOrder', []],
  ['an object without a property', list('orderBy'), 'CertificationOrder', {}, '{}'],
  ['a wrong property', create, 'CertificationCreate!', { ...input, issuedOn: '2026-02-30' }],
  [
    'null for a property that may only be left out',
    create,
    'CertificationCreate!',
    { ...input, organizationMemberId: null },
  ],
  [
    'blank text for a name',
    (argument) =>
      `createCertificationType(organizationId: "${skylineId}", input: ${argument}) { id }`,
    'CertificationTypeCreate!',
    { title: ' ' },
  ],
  [
    'several wrong properties',
    create,
    'CertificationCreate!',
    { certificationTypeId: 'x', issuedOn: 1, shoeSize: 43, source: 'MAIL' },
    '{ certificationTypeId: "x", issuedOn: 1, shoeSize: 43, source: MAIL }',
  ],
  [
    'a list that has one wrong value',
    (argument) =>
      `readiness(organizationId: "${skylineId}", qualificationIds: ${argument}) { memberCount }`,
    '[ID!]',
    ['x', skylineId],
  ],
  [
    'a wrong value for a list of one',
    (argument) =>
      `readiness(organizationId: "${skylineId}", qualificationIds: ${argument}) { memberCount }`,
    '[ID!]',
    'x',
  ],
  [
    'objects in a list',
    (argument) =>
      `upsertMembers(organizationId: "${skylineId}", rows: ${argument}) { rows { outcome } }`,
    '[OrganizationMemberUpsert!]!',
    [{ email: 7 }, null],
    '[{ email: 7 }, null]',
  ],
];

const literalOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `{ ${Object.entries(value)
        .map(([name, each]) => `${name}: ${literalOf(each)}`)
        .join(', ')} }`
    : JSON.stringify(value);

describe('one shape for', () => {
  for (const [what, field, type, value, literal = literalOf(value)] of cases) {
    test(what, async () => {
      const token = await app.token(managerEmail);
      const asked = field('LITERAL');
      const name = /(\w+): LITERAL/.exec(asked)?.[1] ?? fail();
      const kind = /^(create|upsert)/.test(asked) ? 'mutation' : 'query';
      const inDocument = await app.graphql(`${kind} {\n  ${field(literal)}\n}`, {}, { token });
      const inVariable = await app.graphql(
        `${kind} (\n  $${name}: ${type}\n) { ${field(`$${name}`)} }`,
        { [name]: value },
        { token },
      );
      expect([inDocument.text, inDocument.status]).toStrictEqual([inDocument.text, 422]);
      expect([inVariable.text, inVariable.status]).toStrictEqual([inVariable.text, 422]);
      const [[first, ...more], [second]] = [inDocument.body.errors, inVariable.body.errors];
      expect(more).toHaveLength(0);
      expect(first.extensions.code).toBe('VALIDATION_ERROR');
      expect(first.extensions.details).toStrictEqual(second.extensions.details);
      expect([first.message, Object.keys(first)]).toStrictEqual([
        second.message,
        Object.keys(second),
      ]);
      // The value itself, and the definition of the variable.
      expect(first.locations[0].line).toBe(2);
      expect(second.locations).toStrictEqual([{ line: 2, column: 3 }]);
    });
  }
});

test('all wrong literals of a document are one error, with the position of each', async () => {
  const query = `{ a: organization(id: "x") { id }\n b: certification(organizationId: "y", id: "z") { id } }`;
  const { body } = await app.graphql(query, {}, { token: await app.token(managerEmail) });
  expect(
    body.errors.map(
      ({ locations, extensions }: { locations: unknown; extensions: { details: unknown } }) => [
        locations,
        extensions.details,
      ],
    ),
  ).toStrictEqual([
    [
      [
        { line: 1, column: 23 },
        { line: 2, column: 35 },
        { line: 2, column: 44 },
      ],
      { id: ['must be a UUID'], organizationId: ['must be a UUID'] },
    ],
  ]);
});

test('other errors of the document come first, and are the status', async () => {
  const { status, body } = await app.graphql(
    '{ organization(id: "x") { nothing } }',
    {},
    { token: await app.token(managerEmail) },
  );
  const codes = body.errors.map(
    ({ extensions }: { extensions: { code: string } }) => extensions.code,
  );
  expect([status, codes]).toEqual([400, ['INVALID_REQUEST', 'VALIDATION_ERROR']]);
  expect(body.errors[0].locations).toStrictEqual([{ line: 1, column: 27 }]);
});

test('a wrong default of a variable is an error of its literal', async () => {
  const query = 'query ($id: ID! = "x") { organization(id: $id) { id } }';
  const { status, body } = await app.graphql(
    query,
    { id: skylineId },
    { token: await app.token(managerEmail) },
  );
  expect([status, body.errors[0].extensions.details]).toStrictEqual([
    422,
    { id: ['must be a UUID'] },
  ]);
});

test('a position is right after any kind of line end', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { body } = await app.graphql(
      `{${end}${end} nothing${end}}`,
      {},
      { token: await app.token(managerEmail) },
    );
    expect(body.errors[0].locations).toStrictEqual([{ line: 3, column: 2 }]);
  }
});

test('not all problems of many values are told: an answer has its bounds', async () => {
  const token = await app.token(managerEmail);
  const wrong = `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: 1`).join(' ')} }`;
  const values = (each: (index: number) => string) =>
    Array.from(
      { length: 15 },
      (_, index) => `m${index}: createMyCertification(input: ${each(index)}) { id }`,
    ).join(' ');
  const definitions = Array.from(
    { length: 15 },
    (_, index) => `$v${index}: CertificationCreate!`,
  ).join(' ');
  const value = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a${index}`, 1]));
  const variables = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      `v${index}`,
      Object.fromEntries(Object.keys(value).map((name) => [`${name}_${index}`, 1])),
    ]),
  );
  const answers = [
    await app.graphql(`mutation { ${values(() => wrong)} }`, {}, { token }),
    await app.graphql(
      `mutation { ${values((index) => wrong.replaceAll(':', `_${index}:`))} }`,
      {},
      { token },
    ),
    await app.graphql(
      `mutation (${definitions}) { ${values((index) => `$v${index}`)} }`,
      variables,
      { token },
    ),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(422);
    expect(Object.keys(body.errors[0].extensions.details).length).toBeLessThanOrEqual(200);
  }
});
