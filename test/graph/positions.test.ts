/** The selections and cursors of connections, as stock clients use them. */
import { type GraphQLObjectType, isObjectType } from 'graphql';
import { schema } from '../../src/graph/schema.js';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { graphOf } from '../support/graph.js';
import { managerEmail, skylineId } from '../support/names.js';

const app = await startApp();
const manager = graphOf(app, managerEmail);

test('lists asked for their positions alone, one after the other', async () => {
  const args = {
    organizations: 'first: 1',
    certifications: 'first: 1, organizationId: $id',
    jobRoles: 'first: 1, organizationId: $id',
  };
  for (const below of ['pageInfo { endCursor }', 'edges { cursor }', 'nodes { __typename }']) {
    for (const [list, given] of Object.entries(args)) {
      const id = given.includes('$id');
      const data = await manager.data(
        `query ${id ? '($id: ID!)' : ''} { ${list}(${given}) { ${below} } }`,
        id ? { id: skylineId } : {},
      );
      ensure(data[list], `${list} { ${below} }`);
    }
  }
});

test('nodes and edges may select other properties of the same record', async () => {
  const { organizations, certifications } = await manager.data(
    `query ($id: ID!) {
      organizations { nodes { name } edges { node { slug } } }
      certifications(organizationId: $id, first: 3) {
        nodes { certificationType { slug } }
        edges { cursor node { id certificationType { title } } } } }`,
    { id: skylineId },
  );
  for (const { nodes, edges } of [organizations, certifications]) {
    expect(edges).toHaveLength(nodes.length);
    for (const each of [...nodes, ...edges.map(({ node }: { node: object }) => node)])
      expect(JSON.stringify(each)).not.toContain('null');
  }
  expect(Object.keys(certifications.nodes[0].certificationType)).toEqual(['slug']);
  expect(Object.keys(certifications.edges[0].node.certificationType)).toEqual(['title']);
});

describe('every cursor of a page is valid in after, as a variable of the type String', () => {
  const list = (field: string) =>
    `query ($id: ID!, $n: Int!, $after: String) { list: ${field.replace(')', ', first: $n, after: $after)')}
      { edges { cursor node { ...f } } nodes { ...f } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`;
  const lists: Readonly<Record<string, string>> = {
    'certifications(organizationId: $id)': 'Certification { key: id }',
    'organizationMembers(organizationId: $id, orderBy: { field: DISPLAY_NAME })':
      'OrganizationMember { key: id }',
    'qualifications(organizationId: $id)': 'Qualification { key: id }',
    'jobRoles(organizationId: $id)': 'JobRole { key: id }',
    'qualificationForecast(organizationId: $id, days: 300)':
      'QualificationLoss { key: lostOn organizationMember { id } qualification { id } }',
  };
  for (const [field, fragment] of Object.entries(lists))
    test(field, async () => {
      const page = async (n: number, after?: string) =>
        (
          await manager.data(`${list(field)} fragment f on ${fragment}`, {
            id: skylineId,
            n,
            after,
          })
        ).list;
      const all = await page(4);
      expect(all.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      expect(all.edges.map(({ node }: { node: object }) => node)).toEqual(all.nodes);
      expect(all.pageInfo.startCursor).toBe(all.edges[0].cursor);
      expect(all.pageInfo.endCursor).toBe(all.edges[3].cursor);
      for (const [index, { cursor }] of all.edges.entries()) {
        const rest = await page(4, cursor);
        expect(rest.pageInfo.hasPreviousPage).toBe(true);
        expect(rest.nodes.slice(0, 3 - index)).toEqual(all.nodes.slice(index + 1));
      }
    });
});

test('every connection of the schema has edges, nodes and the page information of Relay', () => {
  const connections = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => name.endsWith('Connection'));
  expect(connections.length).toBeGreaterThan(10);
  for (const connection of connections) {
    const record = connection.name.replace(/Connection$/, '');
    const typesOf = (type: GraphQLObjectType) =>
      Object.fromEntries(
        Object.values(type.getFields()).map((each) => [each.name, `${each.type}`]),
      );
    expect(typesOf(connection)).toMatchObject({
      nodes: `[${record}!]!`,
      edges: `[${record}Edge!]!`,
      pageInfo: 'PageInfo!',
    });
    const edge = schema.getType(`${record}Edge`);
    ensure(isObjectType(edge));
    expect(typesOf(edge)).toEqual({ cursor: 'String!', node: `${record}!` });
  }
  const pageInfo = schema.getType('PageInfo');
  ensure(isObjectType(pageInfo));
  const named = (name: string) => `${pageInfo.getFields()[name]?.type}`;
  expect(['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'].map(named)).toEqual([
    'Boolean!',
    'Boolean!',
    'String',
    'String',
  ]);
});
