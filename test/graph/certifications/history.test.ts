/** Certification.history, and what is kept for it. */
import { apiScopes } from '../../../src/auth/scopes.js';
import { readVersions } from '../../../src/graph/certifications/history/reads.js';
import { replay } from '../../../src/rules/history.js';
import { today } from '../../../src/scalars/day.js';
import { startApp } from '../../support/app.js';
import { makeApp } from '../../support/apps.js';
import { countStatements, graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
const organizationId = demo.skylineId;
const holder = demo.memberId(demo.climberEmail);

const read = `query ($organizationId: ID!, $id: ID!, $first: Int, $before: DateTime) { certification(organizationId: $organizationId, id: $id) {
  updatedAt history(first: $first, before: $before) { recordedAt effectiveOn reason userId userDisplayName appName requestId changes { property from to } } } }`;
const historyOf = async (id: string, page: object = {}) =>
  (await manager.data(read, { organizationId, id, ...page })).certification.history;

async function make(input: object = {}, by = manager): Promise<string> {
  const data = await by.data(
    'mutation ($organizationId: ID!, $input: CertificationCreate!) { createCertification(organizationId: $organizationId, input: $input) { id } }',
    {
      organizationId,
      input: {
        organizationMemberId: holder,
        certificationTypeId: demo.typeId('osha-30'),
        issuedOn: '2025-05-01',
        ...input,
      },
    },
  );
  return data.createCertification.id;
}
const edit = (id: string, input: object) =>
  manager.data(
    'mutation ($organizationId: ID!, $id: ID!, $input: CertificationUpdate!) { updateCertification(organizationId: $organizationId, id: $id, input: $input) { updatedAt } }',
    { organizationId, id, input },
  );
const act = (name: string, id: string, input: string) =>
  manager.data(
    `mutation ($organizationId: ID!, $id: ID!) { ${name}(organizationId: $organizationId, id: $id, input: ${input}) { id } }`,
    { organizationId, id },
  );

describe('Certification.history', () => {
  test('keeps through which app, though that is deleted', async () => {
    await makeApp(app.db, 'leaving', { scopes: apiScopes });
    const id = await make({}, graphOf(app, demo.managerEmail, 'leaving'));
    const versions = () =>
      app.db.query<{ appId: string }>(
        'select app_id as "appId" from certification_history where certification_id = $1',
        [id],
      );
    const before = await versions();
    await app.db.query(`delete from apps where client_id = 'leaving'`);
    expect(before[0]?.appId).toBeTruthy();
    expect(await versions()).toStrictEqual(before);
    expect((await historyOf(id))[0].appName).toBeNull();
  });

  test('tells who, when, from what to what, and why, newest first', async () => {
    const id = await make({ issuerName: 'Beacon' });
    await act('verifyCertification', id, '{ method: "document-review", reason: "Seen" }');
    const { updateCertification: edited } = await edit(id, {
      issuerName: 'Ridgeline',
      expiresOn: '2027-05-01',
    });
    const [correction, check, creation, ...others] = await historyOf(id);
    expect(others).toEqual([]);
    expect(correction.recordedAt).toBe(edited.updatedAt);
    expect(correction.reason).toBeNull();
    expect(correction.changes).toStrictEqual([
      { property: 'expiresOn', from: null, to: '2027-05-01' },
      { property: 'issuerName', from: 'Beacon', to: 'Ridgeline' },
      { property: 'verificationStatus', from: 'verified', to: 'unverified' },
      { property: 'verificationMethod', from: 'document-review', to: null },
    ]);
    expect(check.reason).toBe('Seen');
    expect(check.changes).toStrictEqual([
      { property: 'verificationStatus', from: 'unverified', to: 'verified' },
      { property: 'verificationMethod', from: null, to: 'document-review' },
    ]);
    expect(
      creation.changes.map(({ property, from }: { property: string; from: string | null }) => [
        property,
        from,
      ]),
    ).toStrictEqual(
      [
        'organizationMemberId',
        'certificationTypeId',
        'source',
        'issuedOn',
        'issuerName',
        'lifecycleStatus',
        'verificationStatus',
      ].map((each) => [each, null]),
    );
    for (const change of [correction, check, creation]) {
      expect([change.userId, change.userDisplayName, change.effectiveOn]).toStrictEqual([
        demo.userId(demo.managerEmail),
        'Marcus Delgado',
        today(),
      ]);
      expect(change.appName && change.requestId).toBeTruthy();
    }
  });

  test('is read on before an instant, and a page tells the change at its end like any other', async () => {
    const id = await make();
    for (const issuerName of ['A', 'B', 'C']) await edit(id, { issuerName });
    const all = await historyOf(id);
    const first = await historyOf(id, { first: 2 });
    expect(first).toStrictEqual(all.slice(0, 2));
    expect(await historyOf(id, { first: 2, before: first[1].recordedAt })).toStrictEqual(
      all.slice(2),
    );
  });

  test('a change of nothing leaves nothing', async () => {
    const id = await make({ issuerName: 'Beacon' });
    await edit(id, { issuerName: 'Beacon' });
    expect(await historyOf(id)).toHaveLength(1);
  });

  test('a holder reads the history of their own records, and nobody that of others', async () => {
    const mine = await climber.data(
      '{ myCertifications(first: 2) { nodes { id history { recordedAt } } } }',
    );
    expect(
      mine.myCertifications.nodes.every(({ history }: { history: object[] }) => history.length > 0),
    ).toBeTruthy();
    const id = await make();
    expect((await climber.refusal(read, { organizationId, id })).code).toBe('FORBIDDEN');
  });

  test('of two hundred records takes one statement more', async () => {
    const list = (field: string) =>
      `query ($id: ID!) { certifications(organizationId: $id, first: 200) { nodes { id ${field} } } }`;
    const statements = (field: string) =>
      countStatements(app, () => manager.data(list(field), { id: organizationId }));
    expect(await statements('history { recordedAt changes { to } }')).toBe(
      (await statements('')) + 1,
    );
  });
});

describe('readVersions', () => {
  test('replayed in the present, every record of the organization is as it stands', async () => {
    const id = await make();
    await act('verifyCertification', id, '{ method: "document-review" }');
    await act('archiveCertification', id, '{}');
    const columns = `id as "certificationId", organization_member_id as "organizationMemberId", certification_type_id as "certificationTypeId", source,
      issued_on as "issuedOn", expires_on as "expiresOn", issuer_name as "issuerName", lifecycle_status as "lifecycleStatus",
      verification_status as "verificationStatus", verification_method as "verificationMethod"`;
    const rows = await app.db.query(
      `select ${columns} from certifications where organization_id = $1 order by id`,
      [organizationId],
    );
    const members = await app.db.query<{ id: string }>(
      'select id from organization_members where organization_id = $1',
      [organizationId],
    );
    const versions = await readVersions(
      app.db,
      organizationId,
      members.map((each) => each.id),
    );
    expect(versions.map((each) => replay(each, today()))).toStrictEqual(rows);
    expect(rows.length).toBeGreaterThan(100);
  });

  test('what was known then hides later corrections, and records that nobody had entered', async () => {
    const id = await make({ issuerName: 'Beacon' });
    const [creation] = await historyOf(id);
    await edit(id, { issuerName: 'Ridgeline' });
    const known = async (at?: string) => {
      const versions = await readVersions(app.db, organizationId, [holder], at);
      return replay(versions.find((each) => each[0]?.certificationId === id) ?? [], today());
    };
    expect((await known())?.issuerName).toBe('Ridgeline');
    expect((await known(creation.recordedAt))?.issuerName).toBe('Beacon');
    // The same instant, as another clock writes it.
    const elsewhere = creation.recordedAt.replace('Z', '+00:00');
    expect((await known(elsewhere))?.issuerName).toBe('Beacon');
    expect(await known('2020-01-01T00:00:00Z')).toBeUndefined();
  });

  test('a record that moved to another holder comes for both, as the new one’s', async () => {
    const id = await make();
    const other = demo.memberId(demo.managerEmail);
    await app.db.query(
      `insert into certification_history select organization_id, certification_id, recorded_at + interval '1 second', effective_on, $2::uuid, certification_type_id,
         source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method from certification_history where certification_id = $1`,
      [id, other],
    );
    for (const member of [holder, other]) {
      const versions = await readVersions(app.db, organizationId, [member]);
      expect(
        replay(versions.find((each) => each[0]?.certificationId === id) ?? [], today())
          ?.organizationMemberId,
      ).toBe(other);
    }
  });
});
