/** Apollo Client 4 and 3 against the running application. */
import { createHash } from 'node:crypto';
import * as four from '@apollo/client';
import * as persistedFour from '@apollo/client/link/persisted-queries';
import * as utilitiesFour from '@apollo/client/utilities';
import type { FormattedExecutionResult } from 'graphql';
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
import { describeTool, type ToolName } from './works.js';

const served = await serveTools();

/** What the tests use of both versions; the types are those of version 4. */
interface Library {
  readonly core: typeof four;
  readonly createPersistedQueryLink: typeof persistedFour.createPersistedQueryLink;
  readonly relayStylePagination: typeof utilitiesFour.relayStylePagination;
  readonly codesOf: (error: Body) => unknown[];
}

const folder = 'apollo-client-3';
const load = async (path: string): Promise<Body> => import(`${folder}/${path}/index.js`);
const libraries: Readonly<Partial<Record<ToolName, Library>>> = {
  'Apollo Client 4': {
    core: four,
    createPersistedQueryLink: persistedFour.createPersistedQueryLink,
    relayStylePagination: utilitiesFour.relayStylePagination,
    codesOf: (error) => error.errors.map(({ extensions }: Body) => extensions.code),
  },
  'Apollo Client 3': {
    core: await load('core'),
    createPersistedQueryLink: (await load('link/persisted-queries')).createPersistedQueryLink,
    relayStylePagination: (await load('utilities')).relayStylePagination,
    codesOf: (error) =>
      [...error.graphQLErrors, ...(error.networkError?.result?.errors ?? [])].map(
        ({ extensions }: Body) => extensions.code,
      ),
  },
};

for (const [name, library] of Object.entries(libraries) as [ToolName, Library][]) {
  const { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable, gql } = library.core;

  /** Subscriptions go through graphql-sse, all else through HTTP. */
  const streamLink = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) =>
        served.sse.subscribe(
          { query: query.loc?.source.body ?? '', variables },
          {
            next: (result) => observer.next(result as FormattedExecutionResult),
            error: (error) => observer.error(error),
            complete: () => observer.complete(),
          },
        ),
      ),
  );
  const http = new HttpLink({ uri: served.url, headers: served.headers, fetch: served.fetch });
  const open = (link = http) =>
    new ApolloClient({
      link: ApolloLink.split(
        ({ query }) => query.definitions.some((each: Body) => each.operation === 'subscription'),
        streamLink,
        link,
      ),
      cache: new InMemoryCache({
        typePolicies: {
          Query: {
            fields: { organizationMembers: library.relayStylePagination(['organizationId']) },
          },
        },
      }),
    });
  const [members, one, change, changes] = [
    gql(documents.members),
    gql(documents.record),
    gql(documents.change),
    gql(documents.changes),
  ];

  describeTool(name, (works) => {
    works('query', async () => {
      const client = open();
      const variables = { organizationId, first: 3 };
      const { data } = await client.query<Body>({ query: members, variables });
      expect(namesOf(data)).toEqual((await allMembers(served)).slice(0, 3));
      client.stop();
    });

    works('paging', async () => {
      const client = open();
      const expected = await allMembers(served);
      const query = client.watchQuery<Body>({
        query: members,
        variables: { organizationId, first: 3 },
      });
      const subscription = query.subscribe({});
      let { data } = await client.query<Body>({
        query: members,
        variables: { organizationId, first: 3 },
      });
      for (let pages = 1; data.organizationMembers.pageInfo.hasNextPage; pages++) {
        expect(pages).toBeLessThan(100);
        const { endCursor: after } = data.organizationMembers.pageInfo;
        ({ data } = await query.fetchMore({ variables: { after } }));
      }
      const all = client.readQuery<Body>({ query: members, variables: { organizationId } });
      expect(namesOf(all)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(6);
      subscription.unsubscribe();
      client.stop();
    });

    works('mutation', async () => {
      const client = open();
      await client.query({ query: one, variables: record });
      const issuerName = `${name} wrote it`;
      await client.mutate({ mutation: change, variables: { ...record, issuerName } });
      const cached = client.readQuery<Body>({ query: one, variables: record });
      expect(cached.certification).toMatchObject({ id: recordOfClimber, issuerName });
      client.stop();
    });

    works('error', async () => {
      const client = open();
      const refused = async (variables: object) =>
        library.codesOf(
          await client
            .query({ query: one, variables: variables as Body })
            .catch((error: unknown) => error),
        );
      expect(await refused(unreachable)).toEqual(['FORBIDDEN']);
      expect(await refused({ ...record, id: 'x' })).toEqual(['VALIDATION_ERROR']);
      client.stop();
    });

    works('persisted', async () => {
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      const link = library.createPersistedQueryLink({ sha256, useGETForHashedQueries: true });
      const query = gql(`query By${name.replaceAll(' ', '')} { me { user { email } } }`);
      served.sent.length = 0;
      for (let time = 0; time < 2; time++) {
        const client = open(link.concat(http));
        const { data } = await client.query<Body>({ query });
        expect(data.me.user.email).toBe('manager@skyline.example');
        const variables = { ...record, issuerName: `${name} ${time}` };
        const { data: changed } = await client.mutate<Body>({ mutation: change, variables });
        expect(changed.updateCertification.issuerName).toBe(variables.issuerName);
        client.stop();
      }
      const [hash, text, ...more] = served.sent;
      expect([hash, text]).toEqual([
        { method: 'GET', hasQuery: false, status: 200 },
        { method: expect.stringMatching(/^(GET|POST)$/), hasQuery: true, status: 200 },
      ]);
      // The second client sends hashes alone.
      expect(more.slice(-2)).toEqual([
        { method: 'GET', hasQuery: false, status: 200 },
        { method: 'POST', hasQuery: false, status: 200 },
      ]);
    });

    works('subscription', async () => {
      const client = open();
      const { add, fail, first, all } = collect<Body>(2);
      const subscription = client
        .subscribe<Body>({ query: changes, variables: { organizationId } })
        .subscribe({ next: add, error: fail });
      await first;
      await served.change(`${name} hears of it`);
      const [, event] = await all;
      expect(event.data.changes.nodes).toMatchObject([
        { kind: 'UPDATED', resourceType: 'CERTIFICATION', resourceId: recordOfClimber },
      ]);
      subscription.unsubscribe();
      client.stop();
    });
  });
}
