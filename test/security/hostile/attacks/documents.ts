/** GraphQL requests that ask for more than anyone needs, or for what there is not. */
import { type Attack, ask, postJson, request, times } from '../attack.js';

const loop = (count: number, step: number) =>
  times(
    count,
    (index) =>
      `fragment f${index} on Query { ...f${(index + 1) % count} ...f${(index * step) % count} }`,
  );

// biome-ignore format: a table
const documents: readonly (readonly [name: string, status: number, query: string])[] = [
  ['1,200 aliases', 400, `{ ${times(1200, (index) => `a${index}: __typename`)} }`],
  ['2,400 levels', 400, `{ me ${'{ user '.repeat(2400)} ${'}'.repeat(2400)} }`],
  ['a list literal 2,400 deep', 400, `{ __type(name: ${'['.repeat(2400)}${']'.repeat(2400)}) { name } }`],
  ['a list literal 100,000 deep', 400, `{ __type(name: ${'['.repeat(100_000)}${']'.repeat(100_000)}) { name } }`],
  ['an object literal 1,200 deep', 400, `{ __type(name: ${'{a:'.repeat(1200)}1${'}'.repeat(1200)}) { name } }`],
  ['a type 2,400 deep', 400, `query ($a: ${'['.repeat(2400)}Int${']'.repeat(2400)}) { __typename }`],
  ['a default 2,300 deep', 400, `query ($a: Int = ${'['.repeat(2300)}1${']'.repeat(2300)}) { __typename }`],
  ['1,600 inline fragments in each other', 400, `{ ${'...{'.repeat(1600)}__typename${'}'.repeat(1600)} }`],
  ['a fragment in itself', 400, '{ ...a } fragment a on Query { ...a me { user { id } } }'],
  ['fragments in circles', 400, `{ ...f0 } ${loop(400, 7)}`],
  ['fragments that double', 400, `{ ...f0 } ${times(400, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`)} fragment f400 on Query { __typename }`],
  ['700 fragments for nothing', 400, `{ __typename } ${times(700, (index) => `fragment f${index} on Query { __typename }`)}`],
  ['one field 400 times', 400, `{ ${times(400, () => 'me { user { id } }')} }`],
  ['1,000 unknown arguments', 400, `{ __type(${times(1000, (index) => `a${index}: 1`)}) { name } }`],
  ['one argument 1,500 times', 400, `{ __type(${times(1500, () => 'name: "a"')}) { name } }`],
  ['1,000 variables', 400, `query (${times(1000, (index) => `$v${index}: Int`)}) { __typename }`],
  ['700 operations', 400, times(700, (index) => `query q${index} { __typename }`)],
  ['1,500 operations without a name', 400, times(1500, () => '{ __typename }')],
  ['700 directives', 400, `{ __typename ${'@include(if: true) '.repeat(700)} }`],
  ['2,400 unknown directives', 400, `{ __typename ${'@a '.repeat(2400)} }`],
  ['2,400 unknown fields', 400, `{ ${times(2400, (index) => `x${index}`)} }`],
  ['a name of 900 KB', 400, `{ ${'a'.repeat(900_000)} }`],
  ['a number of 900 KB', 400, `{ organizations(first: ${'9'.repeat(900_000)}) { nodes { id } } }`],
  ['the number 1e400', 422, '{ organizations(first: 1e400) { nodes { id } } }'],
  ['introspection 50 times over', 400, `{ ${times(50, (index) => `t${index}: __schema { types { fields { name description args { name description } type { kind name } } } }`)} }`],
  ['every type 8 times over', 400, `{ __schema { ${times(8, (index) => `t${index}: types { fields { name description args { name description } } }`)} } }`],
  ['one type 50 times over', 400, `{ ${times(50, (index) => `t${index}: __type(name: "Query") { fields { name args { name description } } }`)} }`],
  ['introspection in circles', 400, `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} } '.repeat(4)} } } }`],
  ['half a surrogate', 400, '{ __type(name: "\ud800") { name } }'],
  ['NUL', 400, '{ \0 }'],
  ['a definition of a type', 400, 'type A { a: Int }'],
  ['a subscription', 400, 'subscription { changes(organizationId: "0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11") { __typename } }'],
  ['blanks', 400, '   '],
  ['a page of 1e400', 422, '{ organizations(first: 1e400) { nodes { id } } }'],
  ['500 pages of 200', 400, `{ ${times(30, (index) => `o${index}: organizationMembers(organizationId: "0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11", first: 200) { nodes { ${times(9, (inner) => `m${inner}: id`)} certifications(first: 200) { nodes { id } } } }`)} }`],
];

// biome-ignore format: a table
const variables: readonly (readonly [name: string, status: number, body: string])[] = [
  ['a number over 64 bits', 422, '{"query":"query ($n: Int) { organizations(first: $n) { nodes { id } } }","variables":{"n":18446744073709551616}}'],
  ['1e400', 422, '{"query":"query ($n: Int) { organizations(first: $n) { nodes { id } } }","variables":{"n":1e400}}'],
  ['a list 30 deep', 422, `{"query":"query ($n: Int) { organizations(first: $n) { nodes { id } } }","variables":{"n":${'['.repeat(29)}${']'.repeat(29)}}}`],
  ['100,000 deep', 400, `{"query":"{ __typename }","variables":{"n":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
  ['a cursor with NUL', 422, '{"query":"query ($c: String) { organizations(after: $c) { nodes { id } } }","variables":{"c":"\\u0000"}}'],
  ['a variable called toString, left out', 422, '{"query":"query ($toString: Int!) { organizations(first: $toString) { nodes { id } } }","variables":{}}'],
  ['a variable called __proto__', 422, '{"query":"query ($__proto__: Int!) { organizations(first: $__proto__) { nodes { id } } }","variables":{"__proto__":{"first":1}}}'],
  ['an operation called NUL', 400, '{"query":"query a { __typename } query b { __typename }","operationName":"\\u0000"}'],
  ['variables in a list', 400, '{"query":"{ __typename }","variables":[1]}'],
  ['a query that is a number', 400, '{"query":1}'],
  ['a query that is an object', 400, '{"query":{"kind":"Document","definitions":[]}}'],
];

// biome-ignore format: a table
const byGet: readonly (readonly [name: string, status: number, search: string])[] = [
  ['a mutation', 405, `query=${encodeURIComponent('mutation { __typename }')}`],
  ['a query of 12 KB', 400, `query=${'{'.repeat(12_000)}`],
  ['a query of 20 KB', 431, `query=${'a'.repeat(20_000)}`],
  ['variables 5,000 deep', 400, `query={__typename}&variables=${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['two queries', 400, 'query={__typename}&query={__typename}'],
  ['bytes that are not UTF-8', 400, 'query=%FF%FE'],
];

export const documentAttacks: readonly Attack[] = [
  ...documents.map(
    ([name, status, query]): Attack => ({
      name: `document: ${name}`,
      status,
      isHeavy: true,
      bytes: (attacker) => ask(attacker, query),
    }),
  ),
  ...variables.map(
    ([name, status, body]): Attack => ({
      name: `variables: ${name}`,
      status,
      bytes: (attacker) => postJson('/graphql', attacker, body),
    }),
  ),
  ...byGet.map(
    ([name, status, search]): Attack => ({
      name: `by GET: ${name}`,
      status,
      bytes: (attacker) => request('GET', `/graphql?${search}`, attacker),
    }),
  ),
];
