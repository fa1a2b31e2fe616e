/**
 * Variables have the types that stock clients declare: `ID`, `Int` and `String`. The limits of the
 * arguments hold in every form.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { operationOf } from '../../src/graph/execution/compile.js';
import { readDocument } from '../../src/graph/execution/document.js';
import { formerNames } from '../../src/graph/input/former-types.js';
import { ruleOf } from '../../src/graph/input/shown-types.js';
import { schema } from '../../src/graph/schema.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { graphOf } from '../support/graph.js';
import { managerEmail, skylineId } from '../support/names.js';

/** An argument with a document that sends it as a variable of the type that its schema declares. */
interface Sent {
  readonly place: string;
  readonly argument: GraphQLArgument;
  readonly document: string;
}

/** Every argument in a schema. A fragment has its field, so that any depth can be reached. */
function argumentsIn(given: GraphQLSchema): Sent[] {
  const types = Object.values(given.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'));
  return types.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      field.args.map((argument) => ({
        place: `${type.name}.${field.name}(${argument.name})`,
        argument,
        document: documentFor(given, type, field.name, argument),
      })),
    ),
  );
}

function documentFor(
  given: GraphQLSchema,
  type: GraphQLObjectType,
  fieldName: string,
  argument: GraphQLArgument,
): string {
  const field = type.getFields()[fieldName];
  ensure(field);
  const others = field.args.filter((each) => isRequiredArgument(each) && each !== argument);
  const variables = [argument, ...others];
  const declared = variables.map(({ name, type: each }) => `$${name}: ${each}`).join(', ');
  const passed = variables.map(({ name }) => `${name}: $${name}`).join(', ');
  const result = getNamedType(field.type);
  const below = isObjectType(result) || isAbstractType(result) ? ' { __typename }' : '';
  const text = `${fieldName}(${passed})${below}`;
  const kind = (['query', 'mutation', 'subscription'] as const).find(
    (each) => given.getRootType(each as never) === type,
  );
  return kind
    ? `${kind} (${declared}) { ${text} }`
    : `query (${declared}) ${pathTo(given, type, `... on ${type.name} { ${text} }`)}`;
}

/** A selection from the query down to a type, with literals for required arguments. */
function pathTo(inSchema: GraphQLSchema, target: GraphQLObjectType, inner: string): string {
  const root = inSchema.getQueryType();
  ensure(root);
  const paths = new Map<string, (below: string) => string>([[root.name, (below) => below]]);
  for (const [name, wrap] of paths) {
    if (name === target.name) return `{ ${wrap(inner)} }`;
    const type = inSchema.getType(name);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type);
      const required = field.args.filter(isRequiredArgument);
      if (!isObjectType(next) || paths.has(next.name)) continue;
      const given = required.map((each) => `${each.name}: ${literalOf(each)}`).join(', ');
      paths.set(next.name, (below) => wrap(`${field.name}${given && `(${given})`} { ${below} }`));
    }
  }
  throw new Error(`No path leads to ${target.name}.`);
}

const literals: Readonly<Record<string, string>> = { Date: '"2026-01-01"', DayCount: '1' };

/** A valid value of a required argument; empty for a list. */
const literalOf = ({ type }: { type: GraphQLInputType }): string =>
  isListType(getNullableType(type))
    ? '[]'
    : (literals[getNamedType(type).name] ?? `"${skylineId}"`);

const app = await startApp();
const graph = graphOf(app, managerEmail);
const sender = { isAnonymous: false, introspection: 'true' } as const;
const current = argumentsIn(schema);

test('ids are ID, sizes of pages Int and cursors String, in arguments and results', () => {
  expect(current.length).toBeGreaterThan(200);
  const named = (name: string) =>
    current.filter(({ argument }) => argument.name === name).map(({ argument }) => argument);
  for (const { type } of named('id')) expect(String(type)).toMatch(/^ID!?$/);
  for (const { type } of named('first')) expect(String(type)).toBe('Int!');
  for (const { type } of named('after')) expect(String(type)).toBe('String');
  expect([named('id').length > 20, named('first').length > 20, named('after').length > 20]).toEqual(
    [true, true, true],
  );
  for (const name of formerNames.keys()) expect(schema.getType(name)).toBeUndefined();
});

describe('a variable of the type in the schema is valid for every argument', () => {
  for (const { place, document } of current)
    test(place, () => {
      const read = readDocument(document, sender);
      const [variable] = operationOf(schema, read, undefined, { specifiedEnums: false }).variables;
      ensure(variable);
    });
});

describe('a document of 0.1.0 is valid, with the names that types of variables had', () => {
  const released = readFileSync(join(packageRoot, 'schema/released/schema.graphql'), 'utf8');
  const former = argumentsIn(buildSchema(released)).filter(({ argument }) =>
    formerNames.has(getNamedType(argument.type).name),
  );
  test('there are many', () => expect(former.length).toBeGreaterThan(100));
  for (const { place, document } of former)
    test(place, () => {
      const read = readDocument(document, sender);
      operationOf(schema, read, undefined, { specifiedEnums: false });
    });

  test('only where they name types of variables', () => {
    expect(() => readDocument('{ me { user { ... on UUID { id } } } }', sender)).toThrow(
      /Unknown type "UUID"/,
    );
  });
});

test('every limit of a shown type is in the description of the argument', () => {
  const shown = current.filter(({ argument }) => ruleOf(argument) !== argument.type);
  expect(shown.length).toBeGreaterThan(40);
  for (const { argument } of shown)
    if (argument.name === 'first') expect(argument.description).toMatch(/From 1 to 200\.$/);
});

describe('the limits hold', () => {
  const refused = async (query: string, variables: object) =>
    graph.refusal(query, { o: skylineId, ...variables });
  const list = (argument: string) =>
    `organizationMembers(organizationId: $o, ${argument}) { nodes { id } }`;
  const size = 'must be a whole number from 1 to 200';
  const cursor = 'must be at most 500 characters long';

  const forms: [string, string, (value: unknown) => [string, object]][] = [
    ['a literal', 'first', (n) => [`query ($o: ID!) { ${list(`first: ${n}`)} }`, {}]],
    ['a variable', 'n', (n) => [`query ($o: ID!, $n: Int!) { ${list('first: $n')} }`, { n }]],
    [
      'a nullable variable',
      'n',
      (n) => [`query ($o: ID!, $n: Int) { ${list('first: $n')} }`, { n }],
    ],
    [
      'the default of a variable',
      'n',
      (n) => [`query ($o: ID!, $n: Int = ${n}) { ${list('first: $n')} }`, {}],
    ],
    [
      'a variable in a fragment in a fragment',
      'n',
      (n) => [
        `query ($o: ID!, $n: Int!) { ...a } fragment a on Query { ...b } fragment b on Query { ${list('first: $n')} }`,
        { n },
      ],
    ],
    [
      'a variable below a record',
      'n',
      (n) => [
        `query ($o: ID!, $n: Int!) { organization(id: $o) { ... on Organization { members(first: $n) { nodes { id } } } } }`,
        { n },
      ],
    ],
    [
      'a variable with the former type',
      'n',
      (n) => [`query ($o: UUID!, $n: PageSize!) { ${list('first: $n')} }`, { n }],
    ],
  ];
  for (const [form, name, make] of forms)
    test(`of the size of a page, in ${form}`, async () => {
      for (const value of [0, -1, 201, 2 ** 31 - 1]) {
        const { code, details } = await refused(...make(value));
        expect([value, code, details]).toEqual([value, 'VALIDATION_ERROR', { [name]: [size] }]);
      }
      for (const value of [1, 200])
        await graph.data(make(value)[0], { o: skylineId, ...make(value)[1] });
    });

  test('of a variable that a second field has, which is skipped', async () => {
    const below = '{ nodes { id } }';
    const { details } = await refused(
      `query ($o: ID!, $n: Int!) { a: ${list('first: 1')}
        b: organizationMembers(organizationId: $o, first: $n) @skip(if: true) ${below} }`,
      { n: 201 },
    );
    expect(details).toEqual({ n: [size] });
  });

  test('of a value of another kind', async () => {
    for (const n of ['5', 2.5, true, [], {}]) {
      const { code, details } = await refused(
        `query ($o: ID!, $n: Int!) { ${list('first: $n')} }`,
        { n },
      );
      expect([n, code, details]).toEqual([n, 'VALIDATION_ERROR', { n: [size] }]);
    }
  });

  test('of a cursor, in a literal, a variable and a default', async () => {
    const long = 'x'.repeat(501);
    const asked: [string, string, object][] = [
      ['after', `query ($o: ID!) { ${list(`after: "${long}"`)} }`, {}],
      ['c', `query ($o: ID!, $c: String) { ${list('after: $c')} }`, { c: long }],
      ['c', `query ($o: ID!, $c: String = "${long}") { ${list('after: $c')} }`, {}],
    ];
    for (const [name, query, variables] of asked)
      expect((await refused(query, variables)).details).toEqual({ [name]: [cursor] });
  });

  test('of an id, which is a UUID in any case of letters', async () => {
    const asked: [string, string, object][] = [
      ['id', '{ organization(id: "x") { id } }', {}],
      ['id', '{ organization(id: 7) { id } }', {}],
      ['i', 'query ($i: ID!) { organization(id: $i) { id } }', { i: 'x' }],
      ['i', 'query ($i: ID!) { organization(id: $i) { id } }', { i: 7 }],
      ['i', 'query ($i: ID! = "x") { organization(id: $i) { id } }', {}],
    ];
    for (const [name, query, variables] of asked) {
      const { errors } = (
        await (await app).graphql(query, variables, { token: await app.token(managerEmail) })
      ).body;
      expect([query, errors[0].extensions.details]).toEqual([
        query,
        { [name]: ['must be a UUID'] },
      ]);
    }
    const upper = skylineId.toUpperCase();
    const { a, b, c } = await graph.data(
      `query ($i: ID!, $d: ID = "${upper}") { a: organization(id: $i) { id } b: organization(id: "${upper}") { id } c: organization(id: $d) { id } }`,
      { i: upper },
    );
    expect([a.id, b.id, c.id]).toEqual([skylineId, skylineId, skylineId]);
  });
});
