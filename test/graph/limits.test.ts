/** Documents that are refused for their shape, whatever they would cost. */
import { getIntrospectionQuery } from 'graphql';
import { startApp } from '../support/app.js';
import { managerEmail } from '../support/names.js';

const app = await startApp();
const ask = async (query: string) =>
  app.graphql(query, {}, { token: await app.token(managerEmail) });

const times = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ');
const users = (count: number) => times(count, (index) => `a${index}: user { id }`);

describe('at the limit it runs, one over it is refused', () => {
  const cases: [what: string, of: (count: number) => string, most: number, message: RegExp][] = [
    [
      'levels',
      (count) =>
        `{ __type(name: "Query") { ${'ofType { '.repeat(count - 2)} name ${'} '.repeat(count - 1)} }`,
      15,
      /nested more than 15 levels deep/,
    ],
    [
      'names of one field',
      (count) => `{ me { ${users(count)} } }`,
      60,
      /has user under more than 60 aliases/,
    ],
    [
      'names of one field, in fragments',
      (count) =>
        `{ me { ...a ... { b: user { id } } } } fragment a on Identity { ${users(count - 1)} }`,
      60,
      /has user under more than 60 aliases/,
    ],
    [
      'directives',
      (count) => `{ me { ${times(count, () => 'user @include(if: true) { id }')} } }`,
      100,
      /more than 100 directives/,
    ],
    [
      'fields of the query',
      (count) =>
        `{ ${times(count, (index) => (index % 2 ? `a${index}: me { user { id } }` : `a${index}: __typename`))} }`,
      60,
      /more than 60 root fields in a query/,
    ],
  ];
  for (const [what, of, most, message] of cases) {
    test(`${most} ${what}`, async () => {
      const allowed = await ask(of(most));
      expect([allowed.text, [allowed.status, allowed.body.errors]]).toStrictEqual([
        allowed.text,
        [200, undefined],
      ]);
      const { status, body } = await ask(of(most + 1));
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(message);
      expect(body.errors[0].extensions.code).toBe('INVALID_REQUEST');
    });
  }
});

describe('bombs are answered soon', () => {
  const fragments = times(
    20,
    (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`,
  );
  const bombs: [what: string, query: string, message: RegExp][] = [
    [
      'fragments that double',
      `{ ...f0 } ${fragments} fragment f20 on Query { __typename }`,
      /2000 fields/,
    ],
    ['tokens', `{ ${'__typename '.repeat(5000)} }`, /tokens/],
    [
      'the same field over and over',
      `{ ${'me { user { id } } '.repeat(600)} }`,
      /too many fields and fragments under the same names/,
    ],
    [
      'introspection in circles',
      `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} } '.repeat(4)} } } }`,
      /Maximum introspection depth exceeded/,
    ],
  ];
  for (const [what, query, message] of bombs) {
    test(what, async () => {
      const started = performance.now();
      const { status, body } = await ask(query);
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(message);
      expect(performance.now() - started).toBeLessThan(1000);
    });
  }
});

test('the introspection of every tool runs, and costs next to nothing', async () => {
  const { status, body } = await ask(
    getIntrospectionQuery({
      inputValueDeprecation: true,
      directiveIsRepeatable: true,
      specifiedByUrl: true,
    }),
  );
  expect([status, body.errors]).toStrictEqual([200, undefined]);
  expect(body.extensions.cost.requested).toBe(0);
});
