/** The behavior of graphql-jit that src/graph/execution/graphql-jit-internals.ts describes is there. */
import { buildSchema, type GraphQLResolveInfo, parse } from 'graphql';
import {
  compileOperation,
  verifiedVersions,
} from '../../../src/graph/execution/graphql-jit-internals.js';
import { expectInstalled } from '../../support/verified.js';

const schema = buildSchema('type Query { things: [Thing!]! } type Thing { name: String! }');
const infos: GraphQLResolveInfo[] = [];
const { things } = schema.getQueryType()?.getFields() ?? {};
if (things)
  things.resolve = (_, __, ___, info) => {
    infos.push(info);
    return [{ name: 'a' }];
  };

test('the installed version is the one that was verified', () => expectInstalled(verifiedVersions));

test('each run of a document has the same field nodes, and another document others', async () => {
  const compile = () => compileOperation(schema, parse('{ things { name } }'), undefined, true);
  const [first, second] = [compile(), compile()];
  for (const { query } of [first, first, second]) await query(undefined, {}, {});
  const [one, again, other] = infos.map(({ fieldNodes }) => fieldNodes);
  expect(one).toBe(again);
  expect(one).not.toBe(other);
  expect(one?.[0]?.name.value).toBe('things');
});

test('the info of a resolver has what reads use', () => {
  const [{ parentType, schema: own, fragments } = {} as GraphQLResolveInfo] = infos;
  expect([parentType, own, fragments]).toEqual([schema.getQueryType(), schema, {}]);
});
