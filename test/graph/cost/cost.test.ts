/** What an operation costs, and what is refused for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type DocumentNode, getOperationAST, Kind, parse } from 'graphql';
import { readConfig } from '../../../src/config.js';
import { costOf, tooCostly } from '../../../src/graph/cost/check.js';
import { planOf, type Variables } from '../../../src/graph/cost/plan.js';
import { schema } from '../../../src/graph/schema.js';
import { readEndpoints } from '../../../src/rest/operations.js';
import { startApp } from '../../support/app.js';
import { countStatements } from '../../support/graph.js';
import { managerEmail, skylineId } from '../../support/names.js';
import { queries, valuesIn } from './documents.js';

const app = await startApp({ GRAPHQL_COST_LIMIT: '100000000' });
const limit = readConfig({}).GRAPHQL_COST_LIMIT;

function planFor(text: string) {
  const document: DocumentNode = parse(text);
  const fragments = document.definitions.flatMap((each) =>
    each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
  );
  return planOf(schema, getOperationAST(document) ?? assert.fail(), new Map(fragments));
}
const cost = (text: string, variables: Variables = {}) => costOf(planFor(text), variables);

const sizes = fc.oneof(fc.integer({ min: 1, max: 4 }).map(String), fc.integer({ min: 1, max: 200 }).map(String), fc.constant(null));
const variable = fc.constantFrom('$a', '$b', null);
const withVariables = queries(variable).map((text) => `query ($a: PageSize = 7, $b: PageSize!) ${text}`);
const two = fc.record({ a: fc.integer({ min: 1, max: 200 }), b: fc.integer({ min: 1, max: 200 }) });

describe('the cost of any query', () => {
  test('is never below the number of values of its answer', async () => {
    const token = await app.token(managerEmail);
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(queries(sizes, 5), async (text) => {
        const { body } = await app.graphql(text, {}, { token });
        assert.ok(body.extensions?.cost, JSON.stringify(body));
        const values = valuesIn(body.data);
        assert.ok(values <= body.extensions.cost.requested, `${values} values, cost ${body.extensions.cost.requested}: ${text}`);
        if (values > 20) answered++;
      }),
      { numRuns: 150 },
    );
    assert.ok(answered > 20, `only ${answered} answers had anything in them`);
  });

  test('rises with every page size, and a variable left out counts as its default', () =>
    fc.assert(
      fc.property(withVariables, two, fc.constantFrom('a', 'b'), (text, variables, more) => {
        const plan = planFor(text);
        assert.ok(costOf(plan, variables) <= costOf(plan, { ...variables, [more]: variables[more as 'a'] + 1 }));
        assert.equal(costOf(plan, { b: variables.b }), costOf(plan, { a: 7, b: variables.b }));
      }),
    ));

  test('is the same with everything in fragments, or asked for twice', () =>
    fc.assert(
      fc.property(queries(sizes), (text) => {
        const expected = cost(text);
        assert.equal(cost(`{ ...f ...f ... on Query ${text} } fragment f on Query ${text}`), expected);
      }),
    ));

  test('over the limit: the first that it names fits, and one more does not', () =>
    fc.assert(
      fc.property(withVariables, two, fc.double({ min: 0.05, max: 0.999, noNaN: true }), (text, variables, share) => {
        const requested = cost(text, variables);
        const most = Math.floor(requested * share);
        const { details = {}, message } = tooCostly(planFor(text), variables, { requested, limit: most });
        assert.deepEqual([details.requested, details.limit], [requested, most]);
        if (details.page === undefined) return;
        const pages: string[] = [];
        const costWith = (first: number) => {
          const plan = JSON.stringify(planFor(text), (key, value) => {
            if (key !== 'page' || typeof value === 'number') return value;
            pages.push(value.path);
            return value.path === details.page ? first : value.first(variables);
          });
          return costOf(JSON.parse(plan), variables);
        };
        const first = Number(details.first);
        assert.ok(costWith(first) <= most, message);
        assert.ok(costWith(first + 1) > most, message);
        assert.ok(pages.includes(String(details.page)) && message.includes(`"first: ${first}" at ${details.page}`));
      }),
    ));
});

describe('the limit', () => {
  const dashboard = (
    members: number,
    certifications: number,
    more = '',
  ) => `{ organization(id: "${skylineId}") { name members(first: ${members}) { nodes {
    id displayName status role certifications(first: ${certifications}) { nodes {
      id issuedOn expiresOn validityStatus verificationStatus lifecycleStatus certificationType { id slug title } ${more} } } } } } }`;

  test('50 members × 10 certifications × type take less than a fifth of it', () => {
    assert.equal(cost(dashboard(50, 10)), 4 + 50 * (5 + 1 + 10 * 10));
    assert.ok(cost(dashboard(50, 10)) < limit / 5);
  });

  test('every REST row takes less than a fifth of it with the greatest page', () => {
    for (const { operation, route } of readEndpoints()) {
      const requested = costOf(operation.plan, { limit: 200 });
      assert.ok(requested < limit / 5, `${route.operation} costs ${requested}`);
      if (route.reply === 'page') assert.ok(requested > 400, `${route.operation} costs only ${requested}`);
    }
  });

  const nested = dashboard(200, 200, 'organizationMember { certifications(first: 200) { nodes { id } } }');

  test('200 × 200 × 200 is refused before it runs: 400, naming where most is and what would fit', async () => {
    const closed = await startApp();
    const token = await closed.token(managerEmail);
    const ask = () => closed.graphql(nested, {}, { token });
    const { status, body } = await ask();
    const [{ message, extensions }] = body.errors;
    assert.deepEqual([status, extensions.code], [400, 'INVALID_REQUEST']);
    assert.equal(extensions.details.path, 'organization.members.nodes.certifications.nodes.organizationMember.certifications.nodes');
    assert.match(message, /asks for up to 8,[\d,]+ values at once, and the limit is 50,000\. Most are in organization\.members/);
    assert.deepEqual(body.extensions.cost, { requested: extensions.details.requested, limit });
    assert.equal(await countStatements(closed, ask), 1, 'the caller is looked up, and nothing read');
  });

  test('variables count before they are used', async () => {
    const closed = await startApp({ GRAPHQL_COST_LIMIT: '1000' });
    const text = `query ($first: PageSize!) { organizationMembers(organizationId: "${skylineId}", first: $first) { nodes { id displayName email role status } } }`;
    const token = await closed.token(managerEmail);
    const allowed = await closed.graphql(text, { first: 100 }, { token });
    assert.deepEqual(allowed.body.extensions, { cost: { requested: 502, limit: 1000 } });
    const { body } = await closed.graphql(text, { first: 200 }, { token });
    assert.match(
      body.errors[0].message,
      /up to 1,002 values at once, and the limit is 1,000\. Most are in organizationMembers\.nodes: ask for "first: 199"/,
    );
  });
});
