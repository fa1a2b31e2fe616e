/**
 * If-Match and ifUpdatedAt: a change is made only of the version that it was made from. And ETag,
 * which carries that version.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import { etagOf, versionsOf } from '../../src/rest/preconditions.js';
import { type Response, startApp } from '../support/app.js';
import { clientOf, dataOf, expectError } from '../support/client.js';
import { graphOf } from '../support/graph.js';
import * as demo from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const climber = clientOf(app, demo.climberEmail);
const graph = graphOf(app, demo.managerEmail);

const quoted = (text: string) => ({ 'if-match': `"${text}"` });
const ofRecord = (id: string) => `${demo.skyline}/certifications/${id}`;

async function makeRecord(): Promise<{ id: string; updated_at: string }> {
  const body = {
    organization_member_id: demo.memberId(demo.climberEmail),
    certification_type_id: demo.typeId('osha-30'),
    issued_on: '2025-05-01',
    expires_on: '2099-05-01',
  };
  return dataOf(await manager.post(`${demo.skyline}/certifications`, body), 201);
}
const expectStale = (response: Response, current: string | null) =>
  expectError(response, 412, 'precondition_failed', { current });

describe('If-Match on a certification', () => {
  test('takes the ETag of the record as it came, and updated_at in quotes, alone or among others', async () => {
    const { id } = await makeRecord();
    for (let serial = 0; serial < 3; serial++) {
      const read = await climber.get(`/v1/certifications/${id}`);
      const etag = read.headers.get('etag') ?? '';
      const headers = [
        { 'if-match': etag },
        quoted(dataOf(read).updated_at),
        { 'if-match': `"a,b" ,${etag}, "c"` },
      ][serial];
      expect(
        (await manager.patch(ofRecord(id), { serial_number: `${serial}` }, headers)).status,
      ).toBe(200);
    }
  });

  test('refuses another version, for an empty change too, with the present one; nothing is changed', async () => {
    const { id, updated_at: first } = await makeRecord();
    const { updated_at: current } = dataOf(
      await manager.patch(ofRecord(id), { issuer_name: 'Beacon' }, quoted(first)),
    );
    for (const body of [{ issuer_name: 'Ridgeline' }, {}])
      expectStale(await manager.patch(ofRecord(id), body, quoted(first)), current);
    const { issuer_name, updated_at } = dataOf(await climber.get(`/v1/certifications/${id}`));
    expect([issuer_name, updated_at]).toStrictEqual(['Beacon', current]);
    expect(dataOf(await manager.patch(ofRecord(id), {}, quoted(current))).updated_at).toBe(current);
    expect(
      (await manager.patch(ofRecord(id), { issuer_name: 'Ridgeline' }, { 'if-match': '*' })).status,
    ).toBe(200);
    expect((await manager.patch(ofRecord(id), { issuer_name: 'Harbor' })).status).toBe(200);
  });

  test('refuses a weak validator, and cannot read what is not one', async () => {
    const { id, updated_at: current } = await makeRecord();
    const patch = (header: string) =>
      manager.patch(ofRecord(id), { serial_number: '1' }, { 'if-match': header });
    expectStale(await patch(`W/"${current}"`), current);
    for (const other of [`"${current}0"`, `";${current}"`, '""'])
      expectStale(await patch(other), current);
    expect(versionsOf(`, "a;b",, W/"c" ,"d,e"`)).toEqual(['a', 'd,e']);
    for (const header of [
      current,
      `"${current}`,
      `"${current} "`,
      `"a" "${current}"`,
      `'${current}'`,
      '',
      ',',
      '"a",*',
      `w/"${current}"`,
    ]) {
      expectError(await patch(header), 400, 'invalid_request');
    }
  });

  test('comes after the checks of who asks and of what there is', async () => {
    const { id, updated_at: current } = await makeRecord();
    const stale = quoted('2001-01-01T00:00:00.000000Z');
    expectError(await climber.patch(ofRecord(id), {}, stale), 403, 'forbidden');
    expectError(
      await clientOf(app, 'admin@harbor.example').patch(ofRecord(id), {}, stale),
      403,
      'forbidden',
    );
    expectError(
      await manager.patch(ofRecord(randomUUID()), {}, { 'if-match': '*' }),
      404,
      'not_found',
    );
    expect((await manager.patch(ofRecord(id), { serial_number: 7 }, quoted(current))).status).toBe(
      422,
    );
  });

  test('of writers at once with the same version exactly one writes', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, updated_at: version } = await makeRecord();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, number) =>
          manager.patch(ofRecord(id), { serial_number: `writer ${number}` }, quoted(version)),
        ),
      );
      const [won, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      const { serial_number, updated_at } = dataOf(won as Response);
      for (const answer of answers) if (answer !== won) expectStale(answer, updated_at);
      expect(dataOf(await climber.get(`/v1/certifications/${id}`)).serial_number).toBe(
        serial_number,
      );
    }
  });

  test('has nothing to say of a create, or of a read', async () => {
    const { id } = await makeRecord();
    expect((await climber.get(`/v1/certifications/${id}`, { 'if-match': '"other"' })).status).toBe(
      200,
    );
    const body = { certification_type_id: demo.typeId('osha-30') };
    expect((await climber.post('/v1/certifications', body, { 'if-match': 'x' })).status).toBe(201);
  });
});

describe('If-Match on what has no read of its own', () => {
  const role = `${demo.skyline}/job-roles/${demo.jobRoleId('night-crew-coordinator')}`;
  const assignment = `${demo.skyline}/organization-members/${demo.memberId(demo.climberEmail)}/job-roles/${demo.jobRoleId('tower-foreman')}`;

  test('a job role: updated_at of the list', async () => {
    const list = dataOf(await manager.get(`${demo.skyline}/job-roles`));
    const { updated_at: version } = list.find(({ id }: { id: string }) => role.endsWith(id));
    const { updated_at: current } = dataOf(
      await manager.patch(role, { description: 'At night.' }, quoted(version)),
    );
    expectStale(await manager.patch(role, { description: 'By day.' }, quoted(version)), current);
  });

  test('an assignment: * needs one that is there, and so does its removal, once a version is named', async () => {
    await manager.delete(assignment);
    for (const headers of [{ 'if-match': '*' }, quoted('2001-01-01T00:00:00.000000Z')]) {
      const refused = await manager.put(assignment, {}, headers);
      expectStale(refused, null);
      expect(refused.body.error.message).toMatch(
        /^The record does not exist, or has another version/,
      );
      expectStale(await manager.delete(assignment, headers), null);
    }
    expect((await manager.delete(assignment)).status).toBe(204);
    const { updated_at: first } = dataOf(await manager.put(assignment, {}));
    const { updated_at: second } = dataOf(
      await manager.put(assignment, { is_primary: true }, quoted(first)),
    );
    expectStale(await manager.put(assignment, { is_primary: false }, quoted(first)), second);
    expectStale(await manager.delete(assignment, quoted(first)), second);
    const removals = await Promise.all(
      Array.from({ length: 4 }, () => manager.delete(assignment, quoted(second))),
    );
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412]);
  });
});

describe('If-Match on the requirements of a qualification', () => {
  const qualification = `${demo.skyline}/qualifications/${demo.qualificationId('night-crew')}`;
  const path = `${qualification}/requirements`;
  const set = (...slugs: string[]) => ({
    requirements: slugs.map((slug) => ({ certification_type_id: demo.typeId(slug) })),
  });
  const etagNow = async () => (await manager.get(path)).headers.get('etag') ?? '';
  const current = async () => dataOf(await manager.get(qualification)).updated_at;

  test('takes the ETag of the set, and updated_at of the qualification', async () => {
    expect(
      (await manager.put(path, set('osha-10', 'rf-awareness'), { 'if-match': await etagNow() }))
        .status,
    ).toBe(200);
    expect((await manager.put(path, set('osha-10'), quoted(await current()))).status).toBe(200);
    expect((await manager.put(path, set('osha-10'), { 'if-match': '*' })).status).toBe(200);
  });

  test('sees that one was added, removed or moved, and that all are gone', async () => {
    await manager.put(path, set('osha-10', 'rf-awareness'));
    for (const change of [
      set('osha-10'),
      set('rf-awareness', 'osha-10'),
      set('osha-10', 'rf-awareness', 'night-work'),
      set(),
    ]) {
      const before = await etagNow();
      await manager.put(path, change);
      expectStale(await manager.put(path, set('osha-10'), { 'if-match': before }), await current());
      expect(await etagNow()).not.toBe(before);
    }
    expect(
      (await manager.put(path, set('osha-10', 'rf-awareness'), { 'if-match': await etagNow() }))
        .status,
    ).toBe(200);
  });
});

describe('The ETag', () => {
  const record = (validity: string) => ({
    data: {
      data: { id: 'a', validity_status: validity, updated_at: '2026-03-01T09:30:00.000000Z' },
    },
  });
  const tagOf = (result: ExecutionResult) => etagOf(result, JSON.stringify(result.data), undefined);

  test('differs when validity does, at midnight, and names the same version for a change', () => {
    const [before, after] = [tagOf(record('valid')), tagOf(record('expiring'))];
    expect(before).not.toBe(after);
    expect(versionsOf(before)).toEqual(['2026-03-01T09:30:00.000000Z']);
    expect(versionsOf(after)).toStrictEqual(versionsOf(before));
  });

  test('of a result is the same as long as nothing but the instant differs, and weak', async () => {
    const path = `/v1/qualification-results/${demo.qualificationId('pim-tester')}`;
    const first = await climber.get(path);
    await delay(5);
    const second = await climber.get(path);
    expect(dataOf(first).evaluated_at).not.toBe(dataOf(second).evaluated_at);
    const etag = first.headers.get('etag') ?? '';
    expect(second.headers.get('etag')).toBe(etag);
    expect(etag.startsWith('W/"')).toBe(true);
    const again = await climber.get(path, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    const type = dataOf(first).missing_certification_type_ids[0] ?? demo.typeId('rf-awareness');
    const body = {
      organization_member_id: demo.memberId(demo.climberEmail),
      certification_type_id: type,
      issued_on: '2025-01-01',
    };
    await manager.post(`${demo.skyline}/certifications`, body);
    const changed = dataOf(first).missing_certification_type_ids.length > 0;
    expect((await climber.get(path, { 'if-none-match': etag })).status).toBe(changed ? 200 : 304);
  });
});

describe('ifUpdatedAt', () => {
  const update = `mutation ($organization: ID!, $id: ID!, $input: CertificationUpdate!, $version: DateTime) {
    updateCertification(organizationId: $organization, id: $id, input: $input, ifUpdatedAt: $version) { updatedAt } }`;
  const revoke = `mutation ($organization: ID!, $id: ID!, $version: DateTime) {
    revokeCertification(organizationId: $organization, id: $id, input: { reason: "found forged" }, ifUpdatedAt: $version) { updatedAt } }`;

  test('takes the version in any offset, and refuses another and null', async () => {
    const { id, updated_at: first } = await makeRecord();
    const variables = (version: unknown, input: object = { issuerName: 'Beacon' }) => ({
      organization: demo.skylineId,
      id,
      input,
      version,
    });
    const hours = new Date(Date.parse(first) + 5.5 * 3_600_000).toISOString().slice(0, 19);
    const elsewhere = `${hours}${first.slice(19, 26)}+05:30`;
    const { updatedAt: second } = (await graph.data(update, variables(elsewhere)))
      .updateCertification;
    for (const input of [{ issuerName: 'Ridgeline' }, {}]) {
      const { code, details } = await graph.refusal(update, variables(first, input));
      expect([code, details]).toStrictEqual(['PRECONDITION_FAILED', { current: second }]);
    }
    expect(Object.keys((await graph.refusal(update, variables(null))).details)).toEqual([
      'ifUpdatedAt',
    ]);
    expect((await graph.refusal(revoke, variables(first))).code).toBe('PRECONDITION_FAILED');
    expect(
      (await graph.data(revoke, variables(second))).revokeCertification.updatedAt > second,
    ).toBe(true);
  });

  /** Every mutation that changes one record: a stale version changes nothing. */
  const member = demo.memberId(demo.climberEmail);
  const own = {
    role: demo.jobRoleId('night-crew-coordinator'),
    qualification: demo.qualificationId('night-crew'),
  };
  const calls: Readonly<Record<string, string>> = {
    updateOrganizationMember: `id: "${member}", input: { displayName: "Somebody else" }`,
    suspendOrganizationMember: `id: "${member}"`,
    updateJobRole: `id: "${own.role}", input: { name: "Other" }`,
    archiveJobRole: `id: "${own.role}"`,
    updateQualification: `id: "${own.qualification}", input: { name: "Other" }`,
    archiveQualification: `id: "${own.qualification}"`,
    updateCertificationType: `id: "${demo.typeId('night-work')}", input: { title: "Other" }`,
    archiveCertificationType: `id: "${demo.typeId('night-work')}"`,
    replaceQualificationRequirements: `qualificationId: "${own.qualification}", input: { requirements: [] }`,
    replaceJobRoleQualifications: `jobRoleId: "${own.role}", qualificationIds: []`,
    assignJobRole: `organizationMemberId: "${member}", jobRoleId: "${own.role}", input: {}`,
    removeJobRole: `organizationMemberId: "${member}", jobRoleId: "${own.role}"`,
  };
  for (const [name, args] of Object.entries(calls)) {
    test(`${name} refuses a stale one`, async () => {
      const selection = name === 'removeJobRole' ? '' : '{ __typename }';
      const call = `mutation { ${name}(organizationId: "${demo.skylineId}", ${args}, ifUpdatedAt: "2001-01-01T00:00:00Z") ${selection} }`;
      expect((await graph.refusal(call)).code).toBe('PRECONDITION_FAILED');
    });
  }

  test('is taken by every mutation that changes a record that is there', async () => {
    const { __schema } = await graph.data(
      '{ __schema { mutationType { fields { name args { name } } } } }',
    );
    const without = __schema.mutationType.fields
      .filter(
        ({ args }: { args: { name: string }[] }) =>
          !args.some(({ name }) => name === 'ifUpdatedAt'),
      )
      .map(({ name }: { name: string }) => name);
    expect(without.filter((name: string) => !/^(create|upsert)/.test(name))).toEqual([
      'revokeCertifications',
      'setPrimaryMembership',
    ]);
  });
});
