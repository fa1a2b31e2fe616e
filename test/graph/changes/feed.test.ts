import { recordChanges } from '../../../src/database/record-changes.js';
import { OrganizationMember as memberEntity } from '../../../src/entities/member.js';
import { type Body, startApp } from '../../support/app.js';
import {
  newCertification,
  newCertificationType,
  nobody,
  renameOrganization,
} from '../../support/changes.js';
import { clientOf, dataOf } from '../../support/client.js';
import { countStatements, graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp({ CHANGES_RETENTION_DAYS: '90' });
const { db } = app;
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
const rest = clientOf(app, demo.managerEmail);
const query = (
  selection: string,
) => `query ($after: String, $first: Int, $types: [ResourceType!], $changedAfter: DateTime, $organization: ID = "${demo.skylineId}") {
  changes(organizationId: $organization, after: $after, first: $first, resourceTypes: $types, changedAfter: $changedAfter) {
    nodes { ${selection} } pageInfo { hasNextPage endCursor nextCursor } } }`;
const feed = query('kind resourceType resourceId changedAt changedProperties');
const read = async (variables: object = {}, client = manager, text = feed): Promise<Body> =>
  (await client.data(text, variables)).changes;
const now = async (variables: object = {}, client = manager): Promise<string> =>
  (await read(variables, client)).pageInfo.endCursor;
const shortly = ({ nodes }: Body) =>
  nodes.map((node: Body) => [node.kind, node.resourceType, node.resourceId]);
const create = async () => {
  const body = {
    organization_member_id: demo.memberId(demo.climberEmail),
    certification_type_id: demo.typeId('rf-awareness'),
  };
  return dataOf(await rest.post(`${demo.skyline}/certifications`, body), 201);
};
const writing = (...changes: Parameters<typeof recordChanges>[2]) =>
  db.transaction((tx) => recordChanges(tx, nobody, changes));

describe('changes', () => {
  it('tells each change in commit order, with the record as it is now', async () => {
    const after = await now();
    const empty = await read({ after });
    expect([empty.nodes, empty.pageInfo]).toStrictEqual([
      [],
      { hasNextPage: false, endCursor: after, nextCursor: null },
    ]);
    const record = await create();
    dataOf(
      await rest.patch(`${demo.skyline}/certifications/${record.id}`, { issuer_name: 'Acme' }),
    );
    const selection = `kind resourceType resourceId changedAt changedProperties
      record { __typename ... on Certification { id issuerName validityStatus certificationType { slug } updatedAt } ... on OrganizationMember { email } }`;
    const page = await read({ after }, manager, query(selection));
    expect(shortly(page)).toStrictEqual([
      ['CREATED', 'CERTIFICATION', record.id],
      ['UPDATED', 'CERTIFICATION', record.id],
    ]);
    const [first, second] = page.nodes;
    expect(second.changedProperties).toContain('issuerName');
    const certificationType = { slug: 'rf-awareness' };
    const state = {
      __typename: 'Certification',
      id: record.id,
      issuerName: 'Acme',
      validityStatus: 'UNKNOWN',
      certificationType,
    };
    for (const node of page.nodes)
      expect(node.record).toStrictEqual({ ...state, updatedAt: second.changedAt });
    expect(first.changedAt).toBe(record.created_at);
    expect(shortly(await read({ changedAfter: first.changedAt }))).toStrictEqual([
      ['UPDATED', 'CERTIFICATION', record.id],
    ]);
  });

  it('tells that a job role changed when it needs other qualifications', async () => {
    const after = await now({ types: ['JOB_ROLE'] });
    const jobRoleId = demo.jobRoleId('gin-pole-operator');
    const replace = `mutation ($organizationId: ID!, $jobRoleId: ID!, $ids: [ID!]!) {
      replaceJobRoleQualifications(organizationId: $organizationId, jobRoleId: $jobRoleId, qualificationIds: $ids) { updatedAt } }`;
    const ids = [demo.qualificationId('pim-tester')];
    const { updatedAt } = (
      await manager.data(replace, { organizationId: demo.skylineId, jobRoleId, ids })
    ).replaceJobRoleQualifications;
    const selection =
      'kind resourceType resourceId changedAt record { ... on JobRole { updatedAt qualifications { id } } }';
    const page = await read({ after, types: ['JOB_ROLE'] }, manager, query(selection));
    expect(shortly(page)).toStrictEqual([['UPDATED', 'JOB_ROLE', jobRoleId]]);
    expect([page.nodes[0].changedAt, page.nodes[0].record]).toStrictEqual([
      updatedAt,
      { updatedAt, qualifications: ids.map((id) => ({ id })) },
    ]);
    await manager.data(replace, { organizationId: demo.skylineId, jobRoleId, ids });
    // The same set again is no change.
    expect((await read({ after, types: ['JOB_ROLE'] })).nodes).toHaveLength(1);
  });

  it('has tombstones of what was deleted, and every kind of record', async () => {
    const after = await now();
    const assignment = {
      organizationMemberId: demo.memberId(demo.climberEmail),
      jobRoleId: demo.jobRoleId('pim-and-sweep-technician'),
    };
    const path = `${demo.skyline}/organization-members/${assignment.organizationMemberId}/job-roles/${assignment.jobRoleId}`;
    dataOf(await rest.put(path, { is_primary: false }));
    const crew = `${demo.skyline}/qualifications/${demo.qualificationId('night-crew')}/requirements`;
    const [{ certification_type_id: removed }, ...kept] = dataOf(await rest.get(crew));
    dataOf(
      await rest.put(crew, {
        requirements: kept.map(({ certification_type_id, is_required }: Body) => ({
          certification_type_id,
          is_required,
        })),
      }),
    );
    await rest.delete(path);
    const type = newCertificationType(demo.skylineId);
    await writing(type, renameOrganization(demo.skylineId));

    const selection = `kind resourceType resourceId record { __typename ... on JobRoleAssignment { jobRole { name } } ... on QualificationRequirement { isRequired }
      ... on Qualification { slug requirements { certificationTypeId } } ... on CertificationType { title } ... on Organization { slug } }`;
    const page = await read({ after }, manager, query(selection));
    const names = page.nodes.map(
      ({ kind, resourceType, record }: Body) =>
        `${kind} ${resourceType} ${record?.__typename ?? null}`,
    );
    expect(
      names.filter((name: string) => !name.includes('UPDATED QUALIFICATION_REQUIREMENT')),
    ).toEqual([
      'CREATED JOB_ROLE_ASSIGNMENT null',
      'DELETED QUALIFICATION_REQUIREMENT null',
      'UPDATED QUALIFICATION Qualification',
      'DELETED JOB_ROLE_ASSIGNMENT null',
      'CREATED CERTIFICATION_TYPE CertificationType',
      'UPDATED ORGANIZATION Organization',
    ]);
    const ids = page.nodes.map(({ resourceId }: Body) => resourceId);
    expect(ids).toContain(`${demo.qualificationId('night-crew')}/${removed}`);
    expect(ids[0]).toBe(`${assignment.organizationMemberId}/${assignment.jobRoleId}`);
    const qualification = page.nodes.find(
      ({ resourceType }: Body) => resourceType === 'QUALIFICATION',
    );
    expect(qualification.record.requirements).toHaveLength(kept.length);
    expect(
      shortly(
        await read({ after: await now({ types: ['ORGANIZATION'] }), types: ['ORGANIZATION'] }),
      ),
    ).toEqual([]);
  });

  it('pages, and reads any number of records with a constant number of statements', async () => {
    const after = await now();
    const records = Array.from({ length: 60 }, () =>
      newCertification(demo.skylineId, demo.memberId(demo.climberEmail)),
    );
    await writing(...records);
    const seen: string[] = [];
    let cursor = after;
    for (let hasNextPage = true; hasNextPage; ) {
      const page = await read({ after: cursor, first: 25 });
      seen.push(...page.nodes.map(({ resourceId }: Body) => resourceId));
      ({ hasNextPage, endCursor: cursor } = page.pageInfo);
    }
    expect(seen).toStrictEqual(records.map(({ key }) => key.id));
    const withRecords = query(
      'record { ... on Certification { id organizationMember { email } } }',
    );
    const count = (first: number) =>
      countStatements(app, () => read({ after, first }, manager, withRecords));
    await count(2);
    expect(await count(50)).toBe(await count(3));
  });

  it('shows a plain member what is or was their own, and what all members read', async () => {
    const after = await now({}, climber);
    const [mine, other] = [demo.memberId(demo.climberEmail), demo.memberId(demo.managerEmail)];
    const [own, foreign] = [
      newCertification(demo.skylineId, mine),
      newCertification(demo.skylineId, other),
    ];
    const touched = (id: string) => ({
      organizationId: demo.skylineId,
      entity: memberEntity,
      key: { organizationId: demo.skylineId, id },
      set: {},
      from: {},
    });
    await writing(
      own,
      foreign,
      touched(mine),
      touched(other),
      newCertificationType(demo.skylineId),
    );
    const moved = {
      ...own,
      set: { organizationMemberId: other },
      from: { organizationMemberId: mine },
    };
    await writing(moved);
    const page = await read(
      { after },
      climber,
      query('kind resourceType resourceId record { __typename }'),
    );
    expect(shortly(page).map(([kind, type]: string[]) => `${kind} ${type}`)).toEqual([
      'CREATED CERTIFICATION',
      'UPDATED ORGANIZATION_MEMBER',
      'CREATED CERTIFICATION_TYPE',
      'UPDATED CERTIFICATION',
    ]);
    expect([
      page.nodes[0].resourceId,
      page.nodes[1].resourceId,
      page.nodes[3].record,
    ]).toStrictEqual([own.key.id, mine, null]);
    expect(
      (await read({ changedAfter: '2026-11-01T00:00:00Z' }, climber)).nodes.some(
        (node: Body) => node.resourceId === foreign.key.id,
      ),
    ).toBe(false);
  });

  it('goes on past what a plain member may not see, in pages that may be empty', async () => {
    const after = await now({}, climber);
    const foreign = Array.from({ length: 2100 }, () =>
      newCertification(demo.skylineId, demo.memberId(demo.managerEmail)),
    );
    const own = newCertification(demo.skylineId, demo.memberId(demo.climberEmail));
    await writing(...foreign, own);
    const first = await read({ after }, climber);
    expect([first.nodes, first.pageInfo.hasNextPage]).toEqual([[], true]);
    expect(shortly(await read({ after: first.pageInfo.nextCursor }, climber))).toStrictEqual([
      ['CREATED', 'CERTIFICATION', own.key.id],
    ]);
  });

  it('asks for a resync after the retention, ahead of the clock, and when the person sees more than before', async () => {
    const resync = async (variables: object, client = manager) => {
      const response = await app.graphql(feed, variables, {
        token: await app.token(client === manager ? demo.managerEmail : demo.climberEmail),
      });
      expect(response.body.errors[0].extensions.code).toBe('RESYNC_REQUIRED');
    };
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    await resync({ changedAfter: days(91) });
    expect((await read({ changedAfter: days(89) })).nodes.length > 0).toBe(true);

    const cursor = await now();
    const forged = (day: string) => {
      const [tag, , id] = Buffer.from(cursor, 'base64url').toString().split(' ');
      return Buffer.from(`${tag} ${day} ${id}`).toString('base64url');
    };
    await resync({ after: forged(`${days(91).slice(0, 23)}000Z`) });
    await resync({ after: forged('2099-01-01T00:00:00.000000Z') });

    await resync({ after: await now({}, climber) });
  });

  it('refuses a cursor of other kinds, another organization, and a scope that the app lacks', async () => {
    const after = await now({ types: ['CERTIFICATION'] });
    for (const variables of [{ after }, { after, types: ['JOB_ROLE'] }]) {
      expect((await manager.refusal(feed, variables)).code).toBe('VALIDATION_ERROR');
    }
    expect((await manager.refusal(feed, { organization: demo.harborId })).code).toBe('FORBIDDEN');
    await db.query(
      `update apps set api_scopes = array['organizations:read', 'job_roles:read'] where client_id = 'demo-dashboard'`,
    );
    expect((await manager.refusal(feed)).code).toBe('INSUFFICIENT_SCOPE');
    expect((await read({ types: ['JOB_ROLE', 'ORGANIZATION'] })).nodes).toEqual([]);
  });
});
