/** Whoever wrote a client for the last release can go on using it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { accepted } from '../../tools/contract/accepted.js';
import { findBreaks } from '../../tools/contract/check.js';
import { compareGraphql } from '../../tools/contract/graphql.js';
import { compareOpenApi } from '../../tools/contract/openapi.js';
import type { Json } from '../../tools/contract/schema.js';

it('the contract breaks no client of the last release', () => expect(findBreaks()).toEqual([]));

it('accepts the types that stock clients declare, and no other change of a type', () => {
  const isAccepted = (line: string) => accepted.some(([what]) => what.test(`GraphQL: ${line}`));
  for (const line of [
    'Query.organization arg id has changed type from UUID! to ID!.',
    'Query.readiness arg qualificationIds has changed type from [UUID!] to [ID!].',
    'Certification.userId changed type from UUID to ID.',
    'Query.organizations arg first has changed type from PageSize! to Int!.',
    'Query.organizations arg after has changed type from Cursor to String.',
    'UUID was removed.',
  ])
    expect([line, isAccepted(line)]).toEqual([line, true]);
  for (const line of [
    'Query.organization arg id has changed type from UUID! to String!.',
    'Query.qualification arg organizationId has changed type from UUID to ID!.',
    'Query.readiness arg qualificationIds has changed type from [UUID!] to [ID]!.',
    'Certification.id changed type from UUID! to ID.',
    'Query.organizations arg first has changed type from PageSize! to Float!.',
    'Query.planCrew arg day has changed type from PageSize! to Int!.',
    'Query.organizations arg after has changed type from Cursor to String!.',
    'Date was removed.',
  ])
    expect([line, isAccepted(line)]).toEqual([line, false]);
});

const text = readFileSync(join(packageRoot, 'schema/openapi.json'), 'utf8');
const schemas = (document: Json) => document.components.schemas;
const members = '/v1/organizations/{organization_id}/organization-members';
const operation = (document: Json, method = 'get', path = '/v1/organizations/{organization_id}') =>
  document.paths[path][method];
const create = (document: Json) => schemas(document).CertificationCreate;
const listParameter = (document: Json, name: string) =>
  operation(document, 'get', members).parameters.find((each: Json) => each.name === name);

type Change = (document: Json) => unknown;

/** A change, and what must be said of it. */
const breaking: Record<string, [Change, RegExp]> = {
  'a path that goes': [(d) => delete d.paths[members], /^GET .*members: was removed/m],
  'an operation that goes': [(d) => delete d.paths[members].post, /^POST .*: was removed$/m],
  'a status that goes': [(d) => delete operation(d).responses[304], /response 304 was removed/],
  'another success': [
    (d) => Object.assign(operation(d).responses, { 202: { description: 'later' } }),
    /may answer 202 now/,
  ],
  'a header field that goes': [
    (d) => delete operation(d).responses[200].headers.ETag,
    /response 200 has no ETag any more/,
  ],
  'another media type': [
    (d) => (operation(d).responses[200].content = { 'text/csv': {} }),
    /is no application\/json any more/,
  ],
  'a property of a response that goes': [
    (d) => delete schemas(d).Organization.properties.slug,
    /response 200, data\.slug: was removed/,
  ],
  'a property of a response that may be missing': [
    (d) => schemas(d).Page.required.pop(),
    /has_more: may be missing now/,
  ],
  'a property of a response that may be null': [
    (d) => (schemas(d).Organization.properties.name.type = ['string', 'null']),
    /data\.name: may be null now/,
  ],
  'a property of a response of another type': [
    (d) => (schemas(d).Organization.properties.name.type = 'integer'),
    /data\.name: may be integer now/,
  ],
  'an enum of a response that grows': [
    (d) => schemas(d).OrganizationStatus.enum.push('closed'),
    /data\.status: may be closed now/,
  ],
  'an enum of a response that ends': [
    (d) => delete schemas(d).OrganizationStatus.enum,
    /data\.status: may be any other value now/,
  ],
  'a format of a response that changes': [
    (d) => delete schemas(d).Organization.properties.id.format,
    /data\.id: format changed/,
  ],
  'a required property of a request that comes': [
    (d) => create(d).required.push('issued_on'),
    /body, issued_on: is required now/,
  ],
  'a property of a request that goes': [
    (d) => delete create(d).properties.issued_on,
    /body, issued_on: was removed/,
  ],
  'null that a request may not have any more': [
    (d) => (create(d).properties.external_id.type = 'string'),
    /body, external_id: takes no null any more/,
  ],
  'an enum of a request that shrinks': [
    (d) => schemas(d).CertificationSource.enum.pop(),
    /body, source: takes no \S+ any more/,
  ],
  'an enum of a request that comes': [
    (d) => (create(d).properties.issuer_name.enum = ['A']),
    /issuer_name: takes no any other value any more/,
  ],
  'a limit of a request that shrinks': [
    (d) => (create(d).properties.external_id.maxLength = 10),
    /external_id: maxLength was lowered/,
  ],
  'a limit of a request that comes': [
    (d) => (create(d).properties.issuer_name.minLength = 1),
    /issuer_name: minLength was raised/,
  ],
  'a pattern of a request that comes': [
    (d) => (create(d).properties.issuer_name.pattern = '^A'),
    /issuer_name: pattern changed/,
  ],
  'a body that is required now': [
    (d) => (operation(d, 'get').requestBody = { required: true, content: {} }),
    /a body is required now/,
  ],
  'a query parameter that goes': [
    (d) => operation(d, 'get', members).parameters.splice(1),
    /query parameter \S+ was removed/,
  ],
  'a parameter that comes and is required': [
    (d) => operation(d).parameters.push({ name: 'day', in: 'query', required: true, schema: {} }),
    /query parameter day is required now/,
  ],
  'a parameter that is required now': [
    (d) => (listParameter(d, 'limit').required = true),
    /query parameter limit is required now/,
  ],
  'a limit of a parameter that shrinks': [
    (d) => (listParameter(d, 'limit').schema.maximum = 5),
    /query parameter limit, the whole: maximum was lowered/,
  ],
  'another scope': [
    (d) => (operation(d)['x-required-scopes'] = ['organization_members:read']),
    /needs the scope organization_members:read now/,
  ],
  'a choice of schemas': [
    (d) => (schemas(d).Organization.properties.name = { oneOf: [{ type: 'string' }] }),
    /which this tool cannot judge/,
  ],
};

const harmless: Record<string, Change> = {
  nothing: () => {},
  'other words': (d) => (operation(d).description = 'Other words.'),
  'a new path': (d) => (d.paths['/v1/crews'] = { get: { responses: {} } }),
  'a new property of a response': (d) => {
    schemas(d).Organization.properties.city = { type: 'string' };
    schemas(d).Organization.required.push('city');
  },
  'a property of a response that is never null any more': (d) =>
    (schemas(d).Page.properties.next_cursor.type = 'string'),
  'an enum of a response that shrinks': (d) => schemas(d).OrganizationStatus.enum.pop(),
  'a longer text in a response': (d) => (schemas(d).Organization.properties.name.maxLength = 999),
  'a new property of a request': (d) => (create(d).properties.note = { type: 'string' }),
  'a property of a request that may be left out': (d) => create(d).required.pop(),
  'a limit of a request that grows': (d) => (create(d).properties.external_id.maxLength = 999),
  'null that a request may have': (d) =>
    (create(d).properties.certification_type_id.type = ['string', 'null']),
  'a new query parameter': (d) =>
    operation(d).parameters.push({ name: 'day', in: 'query', schema: {} }),
  'a new error': (d) => (operation(d).responses[418] = { description: 'no coffee' }),
  'a scope less': (d) => (operation(d)['x-required-scopes'] = []),
  'a schema under another name': (d) => {
    schemas(d).Organisation = schemas(d).Organization;
    schemas(d).Organization = { $ref: '#/components/schemas/Organisation' };
  },
};

describe('a change of the OpenAPI document', () => {
  const compareWith = (change: Change, announce: Change = () => {}): string[] => {
    const [old, now] = [JSON.parse(text), JSON.parse(text)];
    announce(old);
    change(now);
    return compareOpenApi(old, now);
  };
  for (const [what, [change, said]] of Object.entries(breaking))
    it(`breaks: ${what}`, () => expect(compareWith(change).join('\n')).toMatch(said));
  for (const [what, change] of Object.entries(harmless))
    it(`is harmless: ${what}`, () => expect(compareWith(change)).toEqual([]));

  it('takes away without harm what was announced as deprecated', () => {
    expect(
      compareWith(
        (d) => delete d.paths[members].get,
        (d) => (d.paths[members].get.deprecated = true),
      ),
    ).toEqual([]);
    const slug = (d: Json) => schemas(d).Organization.properties;
    expect(
      compareWith(
        (d) => delete slug(d).slug,
        (d) => (slug(d).slug.deprecated = true),
      ),
    ).toEqual([]);
  });
});

describe('a change of the GraphQL schema', () => {
  const old = `enum Kind { A B } input In { kind: Kind } type Query { one(id: ID): String!, two(in: In): Kind, three: Boolean @deprecated(reason: "unused") }`;
  const compareWith = (from: string, to: string) => compareGraphql(old, old.replace(from, to));

  for (const [what, from, to, said] of [
    ['a field that goes', 'one(id: ID): String!, ', '', /Query\.one was removed/],
    ['a field that may be null', 'String!', 'String', /changed type from String! to String/],
    ['a required argument', 'id: ID', 'id: ID, day: Int!', /required arg day/i],
    [
      'an input field that is required',
      'kind: Kind',
      'kind: Kind, day: Int!',
      /required field day/i,
    ],
    ['an enum value that goes', 'A B', 'A', /B was removed from enum type Kind/],
    ['an enum value that clients may meet', 'A B', 'A B C', /C was added to enum type Kind/],
  ] as const)
    it(`breaks: ${what}`, () => expect(compareWith(from, to).join()).toMatch(said));

  for (const [what, from, to] of [
    ['a new field', 'three:', 'four: Int, three:'],
    ['a field that is never null any more', 'two(in: In): Kind', 'two(in: In): Kind!'],
    ['a deprecated field that goes', ', three: Boolean @deprecated(reason: "unused")', ''],
  ] as const)
    it(`is harmless: ${what}`, () => expect(compareWith(from, to)).toEqual([]));

  it('is harmless: a value of an enum that is only sent', () => {
    const sent = old.replace('two(in: In): Kind', 'two(in: In): Int');
    expect(compareGraphql(sent, sent.replace('A B', 'A B C'))).toEqual([]);
  });
});
