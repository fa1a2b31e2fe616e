/** urql with Graphcache, which knows the schema, against the running application. */
import { type AnyVariables, Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { persistedExchange } from '@urql/exchange-persisted';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import type { Body } from '../support/app.js';
import {
  allMembers,
  collect,
  documents,
  namesOf,
  organizationId,
  record,
  recordOfClimber,
  serveTools,
  unreachable,
} from './served.js';
import { describeTool } from './works.js';

const served = await serveTools();
const introspected: IntrospectionQuery = (await served.app.graphql(getIntrospectionQuery())).body
  .data;

function open(): Client {
  return new Client({
    url: served.url,
    preferGetMethod: false,
    fetch: served.fetch,
    fetchOptions: { headers: served.headers },
    exchanges: [
      cacheExchange({
        schema: introspected,
        resolvers: { Query: { organizationMembers: relayPagination() } },
      }),
      persistedExchange({ preferGetForPersistedQueries: true, enableForMutation: true }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: served.sse.subscribe(
              { query, variables: variables as Record<string, unknown> },
              sink as Body,
            ),
          }),
        }),
      }),
    ],
  });
}
const ask = async (client: Client, text: string, variables: AnyVariables): Promise<Body> => {
  const { data, error } = await client.query<Body>(gql(text), variables).toPromise();
  expect(error).toBeUndefined();
  return data;
};

describeTool('urql', (works) => {
  works('schema', async () => {
    // Graphcache warns of names that the schema lacks, and of its own that it does not know.
    const warned: unknown[] = [];
    const { warn } = console;
    console.warn = (...said) => void warned.push(said);
    try {
      await ask(open(), documents.record, record);
    } finally {
      console.warn = warn;
    }
    expect(warned).toEqual([]);
  });

  works('query', async () => {
    const data = await ask(open(), documents.members, { organizationId, first: 3 });
    expect(namesOf(data)).toEqual((await allMembers(served)).slice(0, 3));
  });

  works('paging', async () => {
    const client = open();
    const expected = await allMembers(served);
    let after: string | null = null;
    for (let pages = 0; ; pages++) {
      expect(pages).toBeLessThan(100);
      const variables = { organizationId, first: 3, after };
      const data: Body = await ask(client, documents.members, variables);
      const { hasNextPage, endCursor } = data.organizationMembers.pageInfo;
      // relayPagination returns all pages so far.
      if (!hasNextPage) {
        expect(namesOf(data)).toEqual(expected);
        break;
      }
      after = endCursor;
    }
    expect(expected.length).toBeGreaterThan(6);
  });

  works('mutation', async () => {
    const client = open();
    await ask(client, documents.record, record);
    const variables = { ...record, issuerName: 'urql wrote it' };
    const { error } = await client.mutation(gql(documents.change), variables).toPromise();
    expect(error).toBeUndefined();
    const cached = client.readQuery<Body>(gql(documents.record), record);
    expect(cached?.data?.certification).toMatchObject({
      id: recordOfClimber,
      issuerName: 'urql wrote it',
    });
  });

  works('error', async () => {
    const codesOf = async (variables: AnyVariables) => {
      const { error } = await open().query(gql(documents.record), variables).toPromise();
      return error?.graphQLErrors.map(({ extensions }) => extensions.code);
    };
    expect(await codesOf(unreachable)).toEqual(['FORBIDDEN']);
    expect(await codesOf({ ...record, id: 'x' })).toEqual(['VALIDATION_ERROR']);
  });

  works('persisted', async () => {
    const text = 'query ByUrql($id: ID!) { organization(id: $id) { id slug } }';
    served.sent.length = 0;
    for (let time = 0; time < 2; time++) {
      const data = await ask(open(), text, { id: organizationId });
      expect(data.organization.slug).toBe('skyline-towers');
    }
    expect(served.sent).toEqual([
      { method: 'GET', hasQuery: false, status: 200 },
      { method: expect.stringMatching(/^(GET|POST)$/), hasQuery: true, status: 200 },
      { method: 'GET', hasQuery: false, status: 200 },
    ]);
  });

  works('subscription', async () => {
    const { add, fail, first, all } = collect<Body>(2);
    const { unsubscribe } = open()
      .subscription<Body>(gql(documents.changes), { organizationId })
      .subscribe(({ data, error }) => (error ? fail(error) : add(data)));
    await first;
    await served.change('urql hears of it');
    const [, event] = await all;
    expect(event.changes.nodes).toMatchObject([
      { kind: 'UPDATED', resourceType: 'CERTIFICATION', resourceId: recordOfClimber },
    ]);
    unsubscribe();
  });
});
