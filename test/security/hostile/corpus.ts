/**
 * GraphQL requests that are made to cost a server time: each must be refused at once, whoever sends
 * it.
 */
import { times } from './attack.js';

export interface Hostile {
  readonly query: string;
  readonly variables?: string;
}

const id = '0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11';
const doubling = (count: number, type: string, leaf: string, more = '') =>
  `${times(count, (index) => `fragment f${index} on ${type} { ...f${index + 1} ${more} ...f${index + 1} ${more} }`)} fragment f${count} on ${type} { ${leaf} }`;
const nested = (count: number, open: string, inner: string, close = '}') =>
  `${open.repeat(count)}${inner}${close.repeat(count)}`;
const conflict = `{ me { user { ${times(300, (index) => `a${index}: id`)} } } me { user { ${times(300, (index) => `a${index}: email`)} } } }`;
const forMembers =
  'mutation ($rows: [OrganizationMemberUpsert!]!) { upsertMembers(organizationId: "0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11", rows: $rows) { rows { outcome } } }';
const deepQuery = (open: string) => `{ organizations { nodes { members { nodes { ${open} } } } } }`;

// biome-ignore format: a table
export const corpus: Readonly<Record<string, Hostile>> = {
  // Graphs of fragments.
  '22 fragments that double': { query: `{ ...f0 } ${doubling(22, 'Query', '__typename')}` },
  '40 fragments that double': { query: `{ ...f0 } ${doubling(40, 'Query', '__typename')}` },
  '150 fragments that double': { query: `{ ...f0 } ${doubling(150, 'Query', 'me { user { id } }')}` },
  'fragments that double below __schema': { query: `{ __schema { ...f0 } } ${doubling(60, '__Schema', 'description')}` },
  'fragments that double, with lists of types': { query: `{ __schema { types { ...f0 } } } ${doubling(40, '__Type', 'name', 'fields { name }')}` },
  'fragments that double, with directives': { query: `{ ...f0 } ${doubling(40, 'Query', '__typename', '... @include(if: true) { __typename }')}` },
  'fragments that double and nobody spreads': { query: `{ __typename } ${doubling(60, 'Query', '__typename')}` },
  'fragments that double under two names': { query: `{ ...f0 } ${times(40, (index) => `fragment f${index} on Query { a: me { user { id } ...g${index} } b: me { ...g${index} } ...f${index + 1} } fragment g${index} on Identity { user { id } }`)} fragment f40 on Query { __typename }` },
  'fields that grow six-fold': { query: `{ organization(id: "${id}") { ...f0 } } ${times(4, (index) => `fragment f${index} on Organization { ${times(6, (each) => `a${each}: members { nodes { organization { ...f${index + 1} } } }`)} }`)} fragment f4 on Organization { id }` },
  'each fragment spreads all that follow': { query: `{ ...f0 } ${times(40, (index) => `fragment f${index} on Query { __typename ${times(39 - index, (after) => `...f${index + after + 1}`)} }`)}` },
  'a fragment in itself': { query: '{ ...a } fragment a on Query { ...a __typename }' },
  '190 fragments in a circle': { query: `{ ...f0 } ${times(190, (index) => `fragment f${index} on Query { ...f${(index + 1) % 190} }`)}` },
  '190 fragments in two circles': { query: `{ ...f0 } ${times(190, (index) => `fragment f${index} on Query { ...f${(index + 1) % 190} ...f${(index * 7) % 190} }`)}` },
  'a chain of 190 fragments, spread 400 times': { query: `{ ${'...f0 '.repeat(400)} } ${times(190, (index) => `fragment f${index} on Query { ${index < 189 ? `...f${index + 1}` : '__typename'} }`)}` },
  '200 fragments with one field': { query: `{ ${times(200, (index) => `...f${index}`)} } ${times(200, (index) => `fragment f${index} on Query { __typename }`)}` },
  '200 fragments with a field each': { query: `{ ${times(200, (index) => `...f${index}`)} } ${times(200, (index) => `fragment f${index} on Query { a${index}: __typename }`)}` },
  '700 fragments for nothing': { query: `{ __typename } ${times(700, (index) => `fragment f${index} on Query { __typename }`)}` },
  '300 fragments of one name': { query: `{ ...f } ${'fragment f on Query { __typename } '.repeat(300)}` },
  '2,000 spreads of nothing': { query: `{ ${times(2000, (index) => `...f${index}`)} }` },
  '150 fragments in 49 operations': { query: `${times(49, (index) => `query q${index} { ${times(10, (each) => `...f${each}`)} }`)} ${times(100, (index) => `fragment f${index} on Query { ...f${index + 1} __typename }`)} fragment f100 on Query { __typename }` },
  '700 operations': { query: times(700, (index) => `query q${index} { __typename }`) },

  // Fields under one name.
  'one field 600 times': { query: `{ ${'me { user { id } } '.repeat(600)} }` },
  'one field 200 times': { query: `{ ${'me { user { id } } '.repeat(200)} }` },
  'one field 2,400 times': { query: `{ ${'__typename '.repeat(2400)} }` },
  'one field 10 × 10 × 10 times': { query: `{ ${`me { ${`user { ${'id '.repeat(10)} } `.repeat(10)} } `.repeat(10)} }` },
  'two of each field, 10 levels deep': { query: (() => { let text = 'name'; for (let level = 0; level < 9; level++) text = `ofType { ${text} } ofType { ${text} }`; return `{ __type(name: "Query") { ${text} } }`; })() },
  'one field in 400 inline fragments': { query: `{ ${'... { me { user { id } } } '.repeat(400)} }` },
  '300 conflicts': { query: conflict },
  '300 conflicts after 4,900 lines': { query: `${'\n'.repeat(4900)}${conflict}` },
  '200 arguments that conflict': { query: `{ ${times(200, (index) => `organization(id: "${index}") { id }`)} }` },
  'one field with long arguments 40 times': { query: `{ ${`readiness(organizationId: "${id}", qualificationIds: [${`"${id}" `.repeat(100)}]) { memberCount } `.repeat(40)} }` },
  'two fragments with 400 names each': { query: `{ me { user { ...a ...b } } } fragment a on Me { ${times(400, (index) => `a${index}: id`)} } fragment b on Me { ${times(400, (index) => `a${index}: email`)} }` },

  // Aliases.
  '1,200 aliases': { query: `{ ${times(1200, (index) => `a${index}: __typename`)} }` },
  '61 aliases of 61 aliases': { query: `{ ${times(61, (index) => `a${index}: me { ${times(10, (each) => `b${each}: user { id }`)} }`)} }` },
  '1,000 aliases of unknown fields': { query: `{ ${times(1000, (index) => `a${index}: organisations`)} }` },
  'an alias of 60,000 characters': { query: `{ ${'a'.repeat(60_000)}: organisations }` },
  'an alias that is a prototype': { query: '{ __proto__: me { user { id } } }' },
  '5 schemas': { query: `{ ${times(5, (index) => `a${index}: __schema { types { fields { name args { name type { name } } type { name } } } }`)} }` },
  '60 types': { query: `{ ${times(60, (index) => `a${index}: __type(name: "Query") { fields { name args { name type { name } } } }`)} }` },
  'introspection in circles': { query: `{ __schema { types { ${nested(4, 'fields { type { ', 'name', ' } } ')} } } }` },

  // Directives.
  '700 directives on one field': { query: `{ __typename ${'@include(if: true) '.repeat(700)} }` },
  '2,400 unknown directives': { query: `{ __typename ${'@a '.repeat(2400)} }` },
  '101 directives on fragments': { query: `{ ${'... @include(if: true) { __typename } '.repeat(101)} }` },
  '90 variables in directives, nested': { query: `query (${times(90, (index) => `$v${index}: Boolean!`)}) { ${times(3, (part) => nested(30, '... @include(if: $v) { ', 'me { user { id } }').replaceAll('$v', () => `$v${part}`))} }` },
  'a directive with 1,000 arguments': { query: `{ __typename @include(${times(1000, (index) => `a${index}: true`)}) }` },
  '200 directives on the query': { query: `query ${'@a '.repeat(200)} { __typename }` },

  // Variables.
  '1,000 variables': { query: `query (${times(1000, (index) => `$v${index}: Int`)}) { __typename }` },
  '100 variables that nothing uses': { query: `query (${times(100, (index) => `$v${index}: Int`)}) { __typename }` },
  '1,000 uses of no variable': { query: `{ ${times(60, (index) => `a${index}: organization(id: $v${index}) { ${times(15, (each) => `m${each}: members(after: $w${index}) { nodes { id } }`)} }`)} }` },
  'a type 190 brackets deep': { query: `query ($a: ${nested(190, '[', 'Int', ']')}) { __typename @include(if: $a) }` },
  'a default of 2,000 entries': { query: `query ($a: [ID!] = [${'"x" '.repeat(2000)}]) { readiness(organizationId: "${id}", qualificationIds: $a) { memberCount } }` },
  'variables 10,000 deep': { query: '{ me { user { id } } }', variables: nested(10_000, '[', '', ']') },
  'variables with 80,000 names': { query: '{ me { user { id } } }', variables: `{${times(80_000, (index) => `"k${index}":0`, ',')}}` },
  'variables with 60,000 shapes': { query: '{ me { user { id } } }', variables: `{"a":[${times(60_000, (index) => `{"a${index}":0}`, ',')}]}` },
  '100,000 rows': { query: forMembers, variables: `{"rows":[${'{},'.repeat(99_999)}{}]}` },
  '1,000 rows with 19 wrong names each': { query: forMembers, variables: `{"rows":[${times(1000, () => `{${times(19, (index) => `"a${index}":0`, ',')}}`, ',')}]}` },
  'a text of 900 KB': { query: 'query ($q: Text) { qualifications(q: $q) { nodes { id } } }', variables: `{"q":"${'a'.repeat(900_000)}"}` },
  'a text of escapes': { query: 'query ($q: Text) { qualifications(q: $q) { nodes { id } } }', variables: `{"q":"${'\\u0000'.repeat(150_000)}"}` },
  'a number of 900 KB': { query: 'query ($n: Int) { organizations(first: $n) { nodes { id } } }', variables: `{"n":${'9'.repeat(900_000)}}` },

  // Depth.
  'a list 2,400 deep': { query: `{ __type(name: ${nested(2400, '[', '', ']')}) { name } }` },
  'a list 45,000 deep': { query: `{ __type(name: ${nested(45_000, '[', '', ']')}) { name } }` },
  'a list 190 deep': { query: `{ readiness(organizationId: "${id}", qualificationIds: ${nested(190, '[', '"x"', ']')}) { memberCount } }` },
  'an object 190 deep': { query: `mutation { createMyCertification(input: ${nested(190, '{ a: ', '1')}) { id } }` },
  '2,400 levels': { query: `{ me ${nested(2400, '{ user ', '')} }` },
  '190 levels': { query: `{ __type(name: "Query") { ${nested(180, 'ofType { ', 'name')} } }` },
  '190 inline fragments in each other': { query: `{ ${nested(190, '... { ', 'x y z')} }` },
  '20 levels of lists': { query: deepQuery(nested(6, 'organization { members { nodes { ', 'id', ' } } } ')) },

  // Literals.
  'a number of 90,000 digits': { query: `{ organizations(first: ${'9'.repeat(90_000)}) { nodes { id } } }` },
  'a text of 90,000 characters': { query: `{ qualifications(q: "${'a'.repeat(90_000)}") { nodes { id } } }` },
  'a text of 15,000 escapes': { query: `{ qualifications(q: "${'\\u0061'.repeat(15_000)}") { nodes { id } } }` },
  'a block of 4,900 lines': { query: `{ qualifications(q: """${'a\n'.repeat(4900)}""") { nodes { id } } }` },
  '2,000 wrong ids': { query: `{ readiness(organizationId: "${id}", qualificationIds: [${'"x" '.repeat(2000)}]) { memberCount } }` },
  '900 wrong ids': { query: `{ readiness(organizationId: "${id}", qualificationIds: [${'"x" '.repeat(900)}]) { memberCount } }` },
  '1,200 unknown properties': { query: `mutation { createMyCertification(input: { ${times(1200, (index) => `a${index}: 1`)} }) { id } }` },
  'a name of 90,000 characters': { query: `{ ${'a'.repeat(90_000)} }` },
  '95,000 lines': { query: `${'\n'.repeat(95_000)}{ ${times(30, (index) => `x${index}`)} }` },
  '95,000 commas': { query: `${','.repeat(95_000)}{ ${times(30, (index) => `x${index}`)} }` },
  '4,900 comments': { query: `${'# a comment\n'.repeat(4900)}{ ${times(30, (index) => `x${index}`)} }` },
  '2,400 unknown fields': { query: `{ ${times(2400, (index) => `organisation${index}`)} }` },
  '1,500 unknown arguments': { query: `{ organization(${times(1500, (index) => `a${index}: 1`)}) { id } }` },
  'a document of 900 KB': { query: `{ ${'me { user { id } } '.repeat(47_000)} }` },
  '1,000 definitions of types': { query: times(1000, (index) => `type T${index} { a: Int }`) },

  // Cost.
  '60 × 200 × 200': { query: `{ ${times(30, (index) => `o${index}: organizationMembers(organizationId: "${id}", first: 200) { nodes { ${times(9, (each) => `m${each}: id`)} certifications(first: 200) { nodes { id serialNumber issuerName } } } }`)} }` },
  'pages of no number': { query: `query ($toString: Int) { organizationMembers(organizationId: "${id}", first: $toString) { nodes { certifications(first: 200) { nodes { organizationMember { certifications(first: 200) { nodes { id } } } } } } } }`, variables: '{}' },
};
