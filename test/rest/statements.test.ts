/**
 * How many statements a request takes, the look-up of the caller included, as the log lines tell.
 */
import { type Response, startApp } from '../support/app.js';
import { addressOf, type Sample, samples } from '../support/cases.js';
import { dataOf } from '../support/client.js';
import { ensure } from '../support/expect.js';
import { harborId, managerEmail, skylineId } from '../support/names.js';

const app = await startApp();

function statementsOf({ headers }: Response): number {
  const line = app.log.find(
    (each) =>
      'requestId' in each && each.requestId === headers.get('x-request-id') && 'statements' in each,
  );
  ensure(line && 'statements' in line && typeof line.statements === 'number');
  return line.statements;
}

const send = async (sample: Sample, path = {}) =>
  app.rest(sample.endpoint.route.method, addressOf(sample, { path }), {
    token: await app.token(sample.who),
    body: sample.body?.(),
  });

/** Reads that take another number than the usual two: the caller, and the rest at once. */
const reads: Readonly<Record<string, number>> = { GetMe: 1, GetMyResult: 3 };

/**
 * Writes that may take another number than the usual five, begin and commit left out: a create
 * gives back what it wrote, and its clock is locked with those of its group; others look more up or
 * change several kinds of rows.
 */
const writes: Readonly<Record<string, number>> = {
  CreateMyCertification: 2,
  CreateCertification: 2,
  CreateCertificationType: 2,
  CreateQualification: 2,
  CreateOrganizationMember: 5,
  AssignJobRole: 9,
  ReplaceRequirements: 10,
};

for (const sample of samples) {
  const { method, operation } = sample.endpoint.route;
  if (method === 'GET') {
    const expected = reads[operation] ?? 2;
    test(`${sample.title}: ${expected} statements`, async () => {
      const response = await send(sample);
      dataOf(response);
      expect(statementsOf(response)).toBe(expected);
    });
  } else {
    const most = writes[operation] ?? 5;
    test(`${sample.title}: at most ${most} statements`, async () => {
      const response = await send(sample);
      ensure(response.status < 300, response.text);
      const statements = statementsOf(response);
      ensure(statements <= most, `took ${statements}`);
    });
  }
  if (!sample.path.organization_id) continue;
  test(`${sample.title}: a foreign organization is refused with the look-up of the caller alone`, async () => {
    const response = await send(sample, { organization_id: harborId });
    expect([response.status, statementsOf(response)]).toEqual([403, 1]);
  });
}

describe('A dashboard over three levels takes as many statements for 5 members as for 50', () => {
  const certifications =
    'certifications(first: 10) { nodes { validityStatus certificationType { title } } }';
  const dashboards: [what: string, fields: string, expected: number][] = [
    ['members, their certifications, and the types of these', certifications, 4],
    [
      'members, their job roles and results',
      'jobRoles { isPrimary } qualificationResults(first: 20) { nodes { status } }',
      5,
    ],
    [
      'all of these, and the names of roles and qualifications',
      `${certifications} jobRoles { jobRole { name } } qualificationResults(first: 20) { nodes { status qualification { name } } }`,
      8,
    ],
  ];
  for (const [what, fields, expected] of dashboards) {
    test(`${what}: ${expected}`, async () => {
      const query = `query ($id: ID!, $members: Int!) { organization(id: $id) { name members(first: $members) { nodes { displayName ${fields} } } } }`;
      for (const members of [5, 50]) {
        const response = await app.graphql(
          query,
          { id: skylineId, members },
          { token: await app.token(managerEmail) },
        );
        expect(response.body.errors).toBeUndefined();
        expect(response.body.data.organization.members.nodes.length >= Math.min(members, 40)).toBe(
          true,
        );
        expect([`for ${members} members`, statementsOf(response)]).toStrictEqual([
          expect.any(String),
          expected,
        ]);
      }
    });
  }
});
