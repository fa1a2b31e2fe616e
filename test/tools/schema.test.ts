/** Tools that read the schema alone: GraphQL Inspector, and the introspection of explorers. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { coverage, diff, validate } from '@graphql-inspector/core';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isInputObjectType,
  print,
  Source,
  validateSchema,
} from 'graphql';
import { readOperations } from '../../src/rest/operations.js';
import { packageRoot } from '../../src/root.js';
import { documents, serveTools } from './served.js';
import { describeTool } from './works.js';

const served = await serveTools();
const introspect = async (options: Parameters<typeof getIntrospectionQuery>[0] = {}) => {
  const { status, body } = await served.app.graphql(getIntrospectionQuery(options));
  expect([status, body.errors]).toStrictEqual([200, undefined]);
  return buildClientSchema(body.data);
};

describeTool('GraphQL Inspector', (works) => {
  works('schema', async () => {
    const schema = await introspect({ inputValueDeprecation: true });
    const file = readFileSync(join(packageRoot, 'schema', 'schema.graphql'), 'utf8');
    const changes = await diff(buildSchema(file), schema);
    // The descriptions of the file also name scopes.
    expect(changes.filter(({ type }) => !type.endsWith('DESCRIPTION_CHANGED'))).toEqual([]);
    const renamed = buildSchema(file.replace('  displayName: String!', '  otherName: String!'));
    const [breaking] = (await diff(buildSchema(file), renamed)).map(
      ({ criticality }) => criticality,
    );
    expect(breaking?.level).toBe('BREAKING');

    const sources = [
      new Source(print(readOperations()), 'operations.graphql'),
      ...Object.entries(documents).map(([name, text]) => new Source(text, `${name}.graphql`)),
    ];
    expect(validate(schema, sources)).toEqual([]);
    expect(validate(schema, [new Source('{ nothing }')])).toHaveLength(1);

    const { types } = coverage(schema, sources);
    expect(types.Query?.children.certification?.hits).toBeGreaterThan(0);
    expect(types.Certification?.children.issuerName?.hits).toBeGreaterThan(0);
  });
});

describeTool('GraphiQL, Apollo Sandbox', (works) => {
  works('schema', async () => {
    const all = {
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    };
    // Sandbox and GraphiQL leave out what a server does not know, one option after the other.
    for (const options of [{}, all, ...Object.keys(all).map((name) => ({ ...all, [name]: false }))])
      expect(validateSchema(await introspect(options))).toEqual([]);
  });
});

describe('what docs/graphql.md says is not included', () => {
  test('no @defer, no @stream, and no input object of alternatives', async () => {
    const schema = await introspect({ oneOf: true });
    const names = schema.getDirectives().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['include', 'skip', 'deprecated']));
    expect(names).toEqual(expect.not.arrayContaining(['defer']));
    expect(names).toEqual(expect.not.arrayContaining(['stream']));
    const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
    expect(inputs.filter(({ isOneOf }) => isOneOf)).toEqual([]);
  });

  test.each([
    ['/graphql', 400],
    ['/graphql/stream', 405],
  ])('no WebSocket at %s', async (path, status) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'graphql-transport-ws',
    };
    const sent = request(served.app.base + path, { headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });
});
