/** Records by id alone: only what the caller can read, and null for everything else. */
import { apiScopes } from '../../src/auth/scopes.js';
import { startApp } from '../support/app.js';
import { appWithout, makeApp, makeAppsWithoutOneScope } from '../support/apps.js';
import { countStatements, graphOf } from '../support/graph.js';
import {
  bothEmail,
  climberEmail,
  harborId,
  jobRoleId,
  managerEmail,
  memberId,
  nothing,
  qualificationId,
  recordId,
  skylineId,
  suspendedEmail,
  typeId,
} from '../support/names.js';

const app = await startApp();
await makeAppsWithoutOneScope(app.db);
const manager = graphOf(app, managerEmail);
const climber = graphOf(app, climberEmail);

const colleagueEmail = 'desta.alemu@skyline.example';
const harborEmail = 'rafael.montoya@harbor.example';

/** A record of each type that the manager can read, with its read scope. */
const own = {
  Organization: [skylineId, 'organizations:read'],
  OrganizationMember: [memberId(climberEmail), 'organization_members:read'],
  Certification: [recordId(climberEmail, 'osha-10'), 'certification_records:read'],
  CertificationType: [typeId('night-work'), 'certification_types:read'],
  Qualification: [qualificationId('night-crew'), 'qualifications:read'],
  JobRole: [jobRoleId('gin-pole-operator'), 'job_roles:read'],
} as const;
const types = Object.keys(own) as (keyof typeof own)[];
const ownIds = types.map((type) => own[type][0]);

/** Records of an organization that the manager is no member of. */
const others = {
  Organization: harborId,
  OrganizationMember: memberId(harborEmail, 'harbor-fiber'),
  CertificationType: typeId('harbor-induction'),
  Qualification: qualificationId('splice-lead'),
  JobRole: jobRoleId('splice-crew-lead'),
};

const byId = 'query ($id: ID!) { node(id: $id) { __typename id } }';
const byIds = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const typeNames = ({ nodes }: { nodes: ({ __typename: string } | null)[] }) =>
  nodes.map((node) => node?.__typename ?? null);

/** Properties of each type, with lists and records below it, and the field that has the record. */
const selections: Readonly<Record<keyof typeof own, readonly [selection: string, field: string]>> =
  {
    Organization: [
      'name slug createdAt members(first: 2) { nodes { id } }',
      'organization(id: $id)',
    ],
    OrganizationMember: [
      'email certifications(first: 2) { nodes { id } } jobRoles { jobRoleId }',
      'organizationMember(organizationId: $o, id: $id)',
    ],
    Certification: [
      'certificationType { slug title } validityStatus organizationMember { displayName } history(first: 1) { recordedAt }',
      'certification(organizationId: $o, id: $id)',
    ],
    CertificationType: ['title scope updatedAt', 'certificationType(organizationId: $o, id: $id)'],
    Qualification: [
      'name requirements { certificationType { title } }',
      'qualification(organizationId: $o, id: $id)',
    ],
    JobRole: ['id name qualifications { name }', 'jobRoles(organizationId: $o, first: 200)'],
  };

describe('a record by its id', () => {
  for (const type of types)
    test(`of the type ${type}, as its own field returns it`, async () => {
      const [id] = own[type];
      const [selection, field] = selections[type];
      const isList = field.includes('first');
      const { node, it } = await manager.data(
        `query ($id: ID!, $o: ID!) { node(id: $id) { __typename ... on ${type} { ${selection} } }
          it: ${field} { ${isList ? `nodes { ${selection} }` : selection} }
          organization(id: $o) { id } same: node(id: $id) { id } }`,
        { id, o: skylineId },
      );
      const record = isList ? it.nodes.find((each: { id: string }) => each.id === id) : it;
      expect(node).toEqual({ __typename: type, ...record });
    });

  test('through fragments on the interface and on the type', async () => {
    const { node } = await manager.data(
      `query ($id: ID!) { node(id: $id) { ...a ... on Node { id } ... on Organization { slug } } }
       fragment a on OrganizationMember { email }`,
      { id: own.OrganizationMember[0] },
    );
    expect(node).toEqual({ email: climberEmail, id: own.OrganizationMember[0] });
  });

  test('with the letters of the id in any case', async () => {
    const { node } = await manager.data(byId, { id: skylineId.toUpperCase() });
    expect(node.id).toBe(skylineId);
  });

  test('in the order of the ids, with null for what there is not, and twice if asked twice', async () => {
    const data = await manager.data(byIds, {
      ids: [own.JobRole[0], nothing, skylineId, own.JobRole[0]],
    });
    expect(typeNames(data)).toEqual(['JobRole', null, 'Organization', 'JobRole']);
    expect(typeNames(await manager.data(byIds, { ids: [] }))).toEqual([]);
    expect(typeNames(await manager.data(byIds, { ids: skylineId }))).toEqual(['Organization']);
  });

  test('with other properties in each field', async () => {
    const id = own.Certification[0];
    const data = await manager.data(
      `query ($id: ID!) {
        a: node(id: $id) { ... on Certification { certificationType { slug } } }
        b: node(id: $id) { ... on Certification { certificationType { title } source } }
        c: nodes(ids: [$id]) { ... on Certification { id certificationType { id } } } }`,
      { id },
    );
    expect(data.a).toEqual({ certificationType: { slug: 'osha-10' } });
    expect(Object.keys(data.b)).toEqual(['certificationType', 'source']);
    expect(data.c).toEqual([{ id, certificationType: { id: typeId('osha-10') } }]);
  });
});

describe('null, as for what does not exist', () => {
  const nulls = async (email: string, clientId: string | undefined, ids: readonly string[]) => {
    const data = await graphOf(app, email, clientId).data(byIds, { ids });
    expect(typeNames(data)).toEqual(ids.map(() => null));
    for (const id of ids)
      expect((await graphOf(app, email, clientId).data(byId, { id })).node).toBeNull();
  };

  test('records of another organization', () =>
    nulls(managerEmail, undefined, Object.values(others)));

  test('certification records of another organization', async () => {
    const rows = await app.db.query<{ id: string }>(
      'select id from certifications where organization_id = $1 limit 20',
      [harborId],
    );
    expect(rows).toHaveLength(20);
    await nulls(
      managerEmail,
      undefined,
      rows.map(({ id }) => id),
    );
  });

  test('every record, for a suspended member; standard definitions are readable by all', async () => {
    const ids = [...ownIds];
    await nulls(suspendedEmail, undefined, ids);
    const { node } = await graphOf(app, suspendedEmail).data(byId, { id: typeId('osha-10') });
    expect(node.__typename).toBe('CertificationType');
  });

  test('colleagues and their records, for a member; not the own ones', async () => {
    const records = await app.db.query<{ id: string; isOwn: boolean }>(
      `select id, organization_member_id = $2 as "isOwn" from certifications where organization_id = $1
       and organization_member_id = any($3)`,
      [skylineId, memberId(climberEmail), [memberId(climberEmail), memberId(colleagueEmail)]],
    );
    expect(new Set(records.map(({ isOwn }) => isOwn)).size).toBe(2);
    const data = await climber.data(byIds, { ids: records.map(({ id }) => id) });
    expect(typeNames(data)).toEqual(records.map(({ isOwn }) => (isOwn ? 'Certification' : null)));
    const members = [memberId(climberEmail), memberId(colleagueEmail)];
    expect(typeNames(await climber.data(byIds, { ids: members }))).toEqual([
      'OrganizationMember',
      null,
    ]);
  });

  test('records that the caller manages in one organization, and not in another', async () => {
    const both = graphOf(app, bothEmail);
    const ids = [memberId(climberEmail), memberId(harborEmail, 'harbor-fiber'), harborId];
    expect(typeNames(await both.data(byIds, { ids }))).toEqual([
      'OrganizationMember',
      null,
      'Organization',
    ]);
  });

  describe('without the read scope of the type', () => {
    for (const type of types)
      test(type, async () => {
        const data = await graphOf(app, managerEmail, appWithout(own[type][1])).data(byIds, {
          ids: ownIds,
        });
        expect(typeNames(data)).toEqual(types.map((each) => (each === type ? null : each)));
      });
  });

  test('a standard definition without the read scope of its type', async () => {
    const tables = {
      CertificationType: 'certification_types',
      Qualification: 'qualifications',
      JobRole: 'job_roles',
    } as const;
    for (const type of ['CertificationType', 'Qualification', 'JobRole'] as const) {
      const [standard] = await app.db.query<{ id: string }>(
        `select id from ${tables[type]} where scope = 'standard' and status = 'active' limit 1`,
      );
      // The demo data has no standard job role.
      if (!standard) continue;
      expect((await manager.data(byId, { id: standard.id })).node.__typename).toBe(type);
      await nulls(managerEmail, appWithout(own[type][1]), [standard.id]);
    }
  });

  test('without the approval of the organization', async () => {
    await makeApp(app.db, 'unapproved', { scopes: apiScopes, approved: {} });
    await nulls(managerEmail, 'unapproved', ownIds);
    await makeApp(app.db, 'half-approved', {
      scopes: apiScopes,
      approved: { [skylineId]: ['job_roles:read', 'organizations:read'] },
    });
    const data = await graphOf(app, managerEmail, 'half-approved').data(byIds, { ids: ownIds });
    expect(typeNames(data)).toEqual(
      types.map((type) => (type === 'JobRole' || type === 'Organization' ? type : null)),
    );
  });

  test('what has an id, but none of these types', async () => {
    const [event] = await app.db.query<{ id: string; userId: string }>(
      `select id, user_id as "userId" from audit_events where organization_id = $1 and user_id is not null limit 1`,
      [skylineId],
    );
    await nulls(managerEmail, undefined, event ? [event.id, event.userId] : [nothing]);
  });
});

describe('errors', () => {
  test('401 without a token', async () => {
    const { status, body } = await app.graphql(byId, { id: skylineId }, {});
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('an id that is no UUID, and too many ids', async () => {
    expect(await manager.refusal(byId, { id: 'x' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { id: ['must be a UUID'] },
    });
    const ids = Array.from({ length: 101 }, () => nothing);
    expect(await manager.refusal(byIds, { ids })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { ids: ['must have at most 100 entries'] },
    });
    expect((await manager.data(byIds, { ids: ids.slice(1) })).nodes).toHaveLength(100);
  });

  test('a field below a record checks its own scope', async () => {
    const { code } = await graphOf(
      app,
      managerEmail,
      appWithout('certification_records:read'),
    ).refusal(
      `query ($id: ID!) { node(id: $id) { ... on OrganizationMember { certifications { nodes { id } } } } }`,
      { id: memberId(climberEmail) },
    );
    expect(code).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('cost', () => {
  test('the statements do not depend on the ids, nor on what they are', async () => {
    const count = (query: string, variables: object = {}) =>
      countStatements(app, () => manager.data(query, variables));
    const one = await count(byId, { id: skylineId });
    for (const id of [nothing, harborId, own.Certification[0]])
      expect(await count(byId, { id })).toBe(one);
    const [rows] = [await app.db.query<{ id: string }>('select id from certifications limit 90')];
    expect(await count(byIds, { ids: [...rows.map(({ id }) => id), ...ownIds] })).toBe(one);
    const fields = ownIds.map((id, index) => `f${index}: node(id: "${id}") { id }`);
    expect(await count(`{ ${fields.join(' ')} nodes(ids: ["${skylineId}"]) { id } }`)).toBe(one);
  });

  test('the lists below many records are read together', async () => {
    const members = await app.db.query<{ id: string }>(
      'select id from organization_members where organization_id = $1 limit 20',
      [skylineId],
    );
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on OrganizationMember { certifications(first: 3) { nodes { id } } } } }`;
    const count = (ids: string[]) => countStatements(app, () => manager.data(query, { ids }));
    const ids = members.map(({ id }) => id);
    expect(await count(ids)).toBe(await count(ids.slice(0, 1)));
  });

  test('counts each id, whether in a literal, a variable or a default', async () => {
    const costOf = async (query: string, variables: object = {}) => {
      const token = await app.token(managerEmail);
      const { body } = await app.graphql(query, variables, { token });
      return Number(body.extensions.cost.requested);
    };
    const ids = (count: number) => Array.from({ length: count }, () => nothing);
    const literal = (count: number) =>
      costOf(`{ nodes(ids: ${JSON.stringify(ids(count))}) { id } }`);
    const [one, eleven] = [await literal(1), await literal(11)];
    expect(eleven - one).toBe(10);
    expect(await costOf(byIds.replace('__typename ', ''), { ids: ids(11) })).toBe(eleven);
    expect(
      await costOf(`query ($ids: [ID!]! = ${JSON.stringify(ids(11))}) { nodes(ids: $ids) { id } }`),
    ).toBe(eleven);
    expect(await costOf('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: nothing })).toBe(
      one,
    );
  });

  test('over the limit, the error says how many ids fit', async () => {
    const below =
      '... on OrganizationMember { certifications(first: 200) { nodes { id source serialNumber } } }';
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ${below} } }`;
    const ask = (count: number) =>
      manager.refusal(query, { ids: Array.from({ length: count }, () => nothing) });
    const { code, message, details } = await ask(100);
    expect(code).toBe('INVALID_REQUEST');
    expect(message).toMatch(/Most are in nodes\.certifications\.nodes: use "first: \d+" at/);
    expect(details.page).toBe('nodes.certifications');
  });
});
