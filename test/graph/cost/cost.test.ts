/** What an operation costs, and what is refused for it. */
import fc from 'fast-check';
import { type DocumentNode, type GraphQLObjectType, getOperationAST, Kind, parse } from 'graphql';
import { readConfig } from '../../../src/config.js';
import { costOf, tooCostly } from '../../../src/graph/cost/check.js';
import { planOf, type Variables } from '../../../src/graph/cost/plan.js';
import { prices } from '../../../src/graph/cost/prices.js';
import { schema } from '../../../src/graph/schema.js';
import { readEndpoints } from '../../../src/rest/operations.js';
import { openApp, startApp } from '../../support/app.js';
import { ensure, fail } from '../../support/expect.js';
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
  return planOf(schema, getOperationAST(document) ?? fail(), new Map(fragments));
}
/** Of a caller with so many memberships that each page is full. */
const asking = (variables: Variables) => ({ variables, memberships: 200, today: '2026-06-15' });
const cost = (text: string, variables: Variables = {}) => costOf(planFor(text), asking(variables));

const sizes = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map(String),
  fc.integer({ min: 1, max: 200 }).map(String),
  fc.constant(null),
);
const variable = fc.constantFrom('$a', '$b', null);
const withVariables = queries(variable).map((text) => `query ($a: Int = 7, $b: Int!) ${text}`);
const two = fc.record({ a: fc.integer({ min: 1, max: 200 }), b: fc.integer({ min: 1, max: 200 }) });

describe('the cost of any query', () => {
  test('is never below the number of values of its answer', async () => {
    const token = await app.token(managerEmail);
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(queries(sizes, 5), async (text) => {
        const { body } = await app.graphql(text, {}, { token });
        ensure(body.extensions?.cost, JSON.stringify(body));
        const values = valuesIn(body.data);
        ensure(
          values <= body.extensions.cost.requested,
          `${values} values, cost ${body.extensions.cost.requested}: ${text}`,
        );
        if (values > 20) answered++;
      }),
      { numRuns: 150 },
    );
    ensure(answered > 20, `only ${answered} answers had anything in them`);
  });

  test('rises with every page size, and a variable left out counts as its default', () =>
    fc.assert(
      fc.property(withVariables, two, fc.constantFrom('a', 'b'), (text, variables, more) => {
        const plan = planFor(text);
        expect(costOf(plan, asking(variables))).toBeLessThanOrEqual(
          costOf(plan, asking({ ...variables, [more]: variables[more as 'a'] + 1 })),
        );
        expect(costOf(plan, asking({ b: variables.b }))).toBe(
          costOf(plan, asking({ a: 7, b: variables.b })),
        );
      }),
    ));

  test('is the same with everything in fragments, or asked for twice', () =>
    fc.assert(
      fc.property(queries(sizes), (text) => {
        const expected = cost(text);
        expect(cost(`{ ...f ...f ... on Query ${text} } fragment f on Query ${text}`)).toBe(
          expected,
        );
      }),
    ));

  test('over the limit: the first that it names fits, and one more does not', () =>
    fc.assert(
      fc.property(
        withVariables,
        two,
        fc.double({ min: 0.05, max: 0.999, noNaN: true }),
        (text, variables, share) => {
          const requested = cost(text, variables);
          const most = Math.floor(requested * share);
          const { details = {}, message } = tooCostly(planFor(text), asking(variables), {
            requested,
            limit: most,
          });
          expect([details.requested, details.limit]).toStrictEqual([requested, most]);
          if (details.page === undefined) return;
          const pages: string[] = [];
          const costWith = (first: number) => {
            const plan = JSON.stringify(planFor(text), (key, value) => {
              if (key !== 'page' || typeof value !== 'object') return value;
              pages.push(value.path);
              return value.path === details.page ? first : value.size(variables);
            });
            return costOf(JSON.parse(plan), asking(variables));
          };
          const first = Number(details.first);
          ensure(costWith(first) <= most, message);
          ensure(costWith(first + 1) > most, message);
          expect(pages).toContain(String(details.page));
          expect(message).toContain(`"first: ${first}" at ${details.page}`);
        },
      ),
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
    expect(cost(dashboard(50, 10))).toBe(4 + 50 * (5 + 1 + 10 * 10));
    expect(cost(dashboard(50, 10))).toBeLessThan(limit / 5);
  });

  test('every REST row takes less than a fifth of it with the greatest page', () => {
    for (const { operation, route } of readEndpoints()) {
      const requested = costOf(operation.plan, asking({ limit: 200 }));
      ensure(requested < limit / 5, `${route.operation} costs ${requested}`);
      if (route.reply === 'page')
        ensure(requested > 400, `${route.operation} costs only ${requested}`);
    }
  });

  const nested = dashboard(
    200,
    200,
    'organizationMember { certifications(first: 200) { nodes { id } } }',
  );

  test('200 × 200 × 200 is refused before it runs: 400, naming where most is and what would fit', async () => {
    await using closed = await openApp();
    const token = await closed.token(managerEmail);
    const ask = () => closed.graphql(nested, {}, { token });
    const { status, body } = await ask();
    const [{ message, extensions }] = body.errors;
    expect([status, extensions.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(extensions.details.path).toBe(
      'organization.members.nodes.certifications.nodes.organizationMember.certifications.nodes',
    );
    expect(message).toMatch(
      /requests up to 8,[\d,]+ values at once, and the limit is 50,000\. Most are in organization\.members/,
    );
    expect(body.extensions.cost).toStrictEqual({ requested: extensions.details.requested, limit });
    expect(await countStatements(closed, ask)).toBe(1); // the caller is looked up, and nothing read
  });

  test('variables count before they are used', async () => {
    await using closed = await openApp({ GRAPHQL_COST_LIMIT: '1000' });
    const text = `query ($first: Int!) { organizationMembers(organizationId: "${skylineId}", first: $first) { nodes { id displayName email role status } } }`;
    const token = await closed.token(managerEmail);
    const allowed = await closed.graphql(text, { first: 100 }, { token });
    expect(allowed.body.extensions).toStrictEqual({ cost: { requested: 502, limit: 1000 } });
    const { body } = await closed.graphql(text, { first: 200 }, { token });
    expect(body.errors[0].message).toMatch(
      /up to 1,002 values at once, and the limit is 1,000\. Most are in organizationMembers\.nodes: use "first: 199"/,
    );
  });
});

describe('the organizations of a caller', () => {
  const natural =
    '{ organizations { nodes { name members { nodes { id displayName certifications(first: 10) { nodes { id expiresOn } } } } } } }';
  const costWith = (memberships: number, text = natural) =>
    costOf(planFor(text), { ...asking({}), memberships });

  test('count as they are: with 50 members and 10 certifications each, 20 of them are under the limit, and 50 over it', () => {
    expect(costWith(20)).toBeLessThan(limit);
    expect(costWith(50)).toBeGreaterThan(limit);
    expect(costWith(50)).toBe(costWith(200)); // a page has no more than it asks for
    expect(costWith(4)).toBeGreaterThan(costWith(3));
  });

  test('of me, too, however many they are', () => {
    const mine = '{ me { organizations { id approvedScopes } } }';
    expect(costWith(500, mine) - costWith(499, mine)).toBe(2);
  });

  test('in an answer: the natural first query runs, with the cost of the organizations that the caller has', async () => {
    await using own = await openApp();
    const { status, body } = await own.graphql(
      natural,
      {},
      { token: await own.token(managerEmail) },
    );
    expect(status).toBe(200);
    const memberships = await own.db.query(
      `select 1 from organization_members m join users u on u.id = m.user_id where u.email = $1 and m.status = 'active'`,
      [managerEmail],
    );
    expect(body.extensions.cost.requested).toBe(costWith(memberships.length));
    expect(valuesIn(body.data) <= body.extensions.cost.requested).toBe(true);
  });
});

describe('what takes time that no row shows has a price', () => {
  const of = (rest: string) => cost(`query ($q: Text, $asOf: Date, $knownAt: DateTime) ${rest}`);
  const withArgument = (field: string, argument: string) =>
    field.replace('organizationId', `${argument}, organizationId`);
  const search = `{ certifications(organizationId: "${skylineId}", first: 1) { nodes { id } } }`;
  const readiness = `{ readiness(organizationId: "${skylineId}") { memberCount } }`;

  test('each is of a field and argument that there is', () => {
    for (const [name, { arguments: of = {} }] of Object.entries(prices)) {
      const [type = '', field = ''] = name.split('.');
      const args =
        (schema.getType(type) as GraphQLObjectType)
          .getFields()
          [field]?.args.map((each) => each.name) ?? fail(name);
      for (const argument of Object.keys(of))
        ensure(args.includes(argument), `${name}(${argument})`);
    }
  });

  test('a search, where it has a text', () => {
    expect(of(withArgument(search, 'q: "x"')) - of(search)).toBe(2500);
    expect(of(withArgument(search, 'q: null'))).toBe(of(search));
    const byVariable = planFor(`query ($q: Text) ${withArgument(search, 'q: $q')}`);
    expect(costOf(byVariable, asking({ q: 'x' })) - costOf(byVariable, asking({ q: null }))).toBe(
      2500,
    );
    expect(costOf(byVariable, asking({}))).toBe(of(search));
  });

  test('the past, and not the future', () => {
    expect(of(withArgument(readiness, 'asOf: "2026-06-14"')) - of(readiness)).toBe(3800);
    expect(of(withArgument(readiness, 'asOf: "2026-06-15"'))).toBe(of(readiness));
    expect(of(withArgument(readiness, 'knownAt: "2026-06-15T00:00:00Z"')) - of(readiness)).toBe(
      3800,
    );
  });

  test('in each row: the past of 200 members, with some fields, is near the limit', () => {
    const past = `{ organizationMembers(organizationId: "${skylineId}", first: 200) { nodes { qualificationResults(asOf: "2026-01-01", first: 5) { nodes { status } } } } }`;
    expect(cost(past)).toBeGreaterThan(limit * 0.8);
    expect(cost(past)).toBeLessThan(limit);
  });

  test('a year by month for an organization and by week for a member fit into one operation, a year by week for an organization does not', () => {
    const times = (count: number, field: string) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;
    const whole = `readiness(organizationId: "${skylineId}", asOf: "2026-01-01") { memberCount }`;
    const single = `myQualificationResult(qualificationId: "${skylineId}", asOf: "2026-01-01") { status since }`;
    expect(cost(times(12, whole))).toBeLessThan(limit);
    expect(cost(times(52, whole))).toBeGreaterThan(limit);
    expect(cost(times(52, single))).toBeLessThan(limit);
  });
});
