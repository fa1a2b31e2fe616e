/** The interfaces of Apollo Server that src/graph/execution/apollo-internals.ts uses are there. */
import { ApolloServer, HeaderMap } from '@apollo/server';
import { GraphQLError, parse } from 'graphql';
import {
  isWrongMethod,
  useDocument,
  verifiedVersions,
} from '../../../src/graph/execution/apollo-internals.js';
import { expectInstalled } from '../../support/verified.js';

const typeDefs = 'type Query { one: Int } type Mutation { two: Int }';
const resolvers = { Query: { one: () => 1 }, Mutation: { two: () => 2 } };

test('the installed version is the one that was verified', () => expectInstalled(verifiedVersions));

test('a given document is run instead of the source', async () => {
  const server = new ApolloServer({
    typeDefs,
    resolvers,
    documentStore: null,
    plugins: [
      {
        requestDidStart: async () => ({
          didResolveSource: async (request) => useDocument(request, parse('{ one }')),
        }),
      },
    ],
  });
  const { body } = await server.executeOperation({ query: 'this is no document' });
  expect(body).toMatchObject({ singleResult: { data: { one: 1 } } });
  await server.stop();
});

test('the error for a mutation by GET has its status', async () => {
  const errors: boolean[] = [];
  const server = new ApolloServer({
    typeDefs,
    resolvers,
    csrfPrevention: false,
    formatError(formatted, error) {
      if (error instanceof GraphQLError) errors.push(isWrongMethod(error));
      return formatted;
    },
  });
  await server.start();
  const get = (query: string) =>
    server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'GET',
        headers: new HeaderMap(),
        search: `?query=${encodeURIComponent(query)}`,
        body: undefined,
      },
      context: async () => ({}),
    });
  await get('mutation { two }');
  await get('{ three }');
  expect(errors).toEqual([true, false]);
  await server.stop();
});
