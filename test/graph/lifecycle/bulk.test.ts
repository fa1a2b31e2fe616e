/** revokeCertifications: what an issuer issued in a range of days. */
import { randomUUID } from 'node:crypto';
import { recordChanges } from '../../../src/database/record-changes.js';
import { Certification } from '../../../src/entities/certification.js';
import { startApp } from '../../support/app.js';
import { nobody } from '../../support/changes.js';
import { countStatements, graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const mutation = `mutation ($organizationId: ID!, $input: CertificationBulkRevocation!, $dryRun: Boolean!) {
  revokeCertifications(organizationId: $organizationId, input: $input, dryRun: $dryRun) { dryRun revokedCount revokedIds archivedIds } }`;
const range = {
  issuedFrom: '2024-01-01',
  issuedUntil: '2024-12-31',
  reason: 'The issuer lost its licence',
};
const variables = (input: object, dryRun: boolean, organizationId = demo.skylineId) => ({
  organizationId,
  input: { ...range, ...input },
  dryRun,
});
const run = async (input: object, dryRun = false) =>
  (await manager.data(mutation, variables(input, dryRun))).revokeCertifications;

/** Records of an issuer, by the journal. Their ids, sorted. */
async function make(
  issuerName: string,
  issuedOn: string,
  count = 1,
  set: object = {},
  organizationId = demo.skylineId,
): Promise<string[]> {
  const member =
    organizationId === demo.skylineId
      ? demo.memberId(demo.climberEmail)
      : demo.memberId('admin@harbor.example', 'harbor-fiber');
  const changes = Array.from({ length: count }, () => ({
    organizationId,
    entity: Certification,
    key: { organizationId, id: randomUUID() },
    set: {
      organizationMemberId: member,
      certificationTypeId: demo.typeId('rf-awareness'),
      source: 'api',
      lifecycleStatus: 'active',
      verificationStatus: 'unverified',
      issuerName,
      issuedOn,
      ...set,
    },
  }));
  await app.db.transaction((tx) => recordChanges(tx, nobody, changes));
  return changes.map(({ key }) => key.id).sort();
}
const statusesOf = async (ids: string[]) =>
  (
    await app.db.query<{ status: string }>(
      'select distinct lifecycle_status as status from certifications where id = any($1)',
      [ids],
    )
  ).map(({ status }) => status);

describe('revokeCertifications', () => {
  test('revokes the active records of the issuer, in any case, from the first to the last day, and no other', async () => {
    const fits = [
      ...(await make('Shady Climb', '2024-01-01')),
      ...(await make('SHADY climb', '2024-12-31')),
    ].sort();
    const archived = await make('Shady Climb', '2024-06-01', 1, { lifecycleStatus: 'archived' });
    const others = [
      ...(await make('Shady Climb', '2023-12-31')),
      ...(await make('Shady Climb', '2025-01-01')),
      ...(await make('Shady Climbing', '2024-06-01')),
      ...(await make('Shady Climb', '2024-06-01', 1, {}, demo.harborId)),
    ];
    const expected = { revokedCount: 2, revokedIds: fits, archivedIds: archived };

    expect(await run({ issuerName: 'shady Climb' }, true)).toStrictEqual({
      dryRun: true,
      ...expected,
    });
    expect(await statusesOf(fits)).toEqual(['active']);
    expect(await run({ issuerName: 'shady Climb' })).toStrictEqual({ dryRun: false, ...expected });
    expect(await statusesOf(fits)).toEqual(['revoked']);
    expect(await statusesOf(others)).toEqual(['active']);
    expect(await statusesOf(archived)).toEqual(['archived']);
    expect(await run({ issuerName: 'shady Climb' })).toStrictEqual({
      dryRun: false,
      revokedCount: 0,
      revokedIds: [],
      archivedIds: archived,
    });

    const events = await app.db.query<{ changes: object; userId: string }>(
      `select changes, user_id as "userId" from audit_events where subject_id = any($1) and action = 'update'`,
      [fits],
    );
    const changes = { lifecycleStatus: ['active', 'revoked'], reason: [null, range.reason] };
    expect(events).toStrictEqual(
      Array(2).fill({ changes, userId: demo.userId(demo.managerEmail) }),
    );
    const versions = await app.db.query(
      'select reason, lifecycle_status from certification_history where certification_id = any($1) and recorded_at in (select updated_at from certifications)',
      [fits],
    );
    expect(versions).toStrictEqual(
      Array(2).fill({ reason: range.reason, lifecycle_status: 'revoked' }),
    );
  });

  test('a thousand at once, each with a stamp of its own, in as many statements as ten; of more, none', async () => {
    const ten = await make('Tenfold', '2024-02-29', 10);
    const thousand = await make('Thousandfold', '2024-02-29', 1000);
    const statements = (issuerName: string) => countStatements(app, () => run({ issuerName }));
    expect(await statements('Thousandfold')).toBe(await statements('Tenfold'));
    expect(await statusesOf([...ten, ...thousand])).toEqual(['revoked']);
    const [row] = await app.db.query<{ stamps: number; versions: number }>(
      `select count(distinct c.updated_at)::int as stamps, count(distinct h.certification_id)::int as versions from certifications c
       join certification_history h on h.organization_id = c.organization_id and h.certification_id = c.id and h.recorded_at = c.updated_at
       where c.id = any($1)`,
      [thousand],
    );
    expect(row).toStrictEqual({ stamps: 1000, versions: 1000 });

    const many = await make('Overmuch', '2024-02-29', 1001);
    for (const dryRun of [true, false]) {
      const { code, details } = await manager.refusal(
        mutation,
        variables({ issuerName: 'Overmuch' }, dryRun),
      );
      expect(code).toBe('VALIDATION_ERROR');
      expect(details.issuedUntil[0]).toMatch(/More than 1000 records match.*shorter range/);
    }
    expect(await statusesOf(many)).toEqual(['active']);
  });

  test('holds from an earlier day, before the records were entered too, but for none before its issue', async () => {
    const ids = [
      ...(await make('Backdated', '2024-03-01')),
      ...(await make('Backdated', '2024-05-01')),
    ];
    await run({ issuerName: 'Backdated', effectiveOn: '2024-04-01' });
    const versions = await app.db.query<{ day: string }>(
      `select effective_on as day from certification_history where certification_id = any($1) and lifecycle_status = 'revoked' order by issued_on`,
      [ids],
    );
    expect(versions.map(({ day }) => day)).toEqual(['2024-04-01', '2024-05-01']);
  });

  test('refuses wrong days, a reason of nothing, a plain member and a foreigner', async () => {
    const issuerName = 'Shady Climb';
    const detailsOf = async (input: object) =>
      (await manager.refusal(mutation, variables({ issuerName, ...input }, true))).details;
    expect(await detailsOf({ issuedUntil: '2023-12-31' })).toStrictEqual({
      issuedUntil: ['must not be before issuedFrom'],
    });
    expect(await detailsOf({ effectiveOn: '2999-01-01' })).toStrictEqual({
      effectiveOn: ['must not be after today (UTC)'],
    });
    expect(await detailsOf({ reason: '' })).toStrictEqual({ reason: ['must not be empty'] });
    for (const who of [demo.climberEmail, 'admin@harbor.example']) {
      expect(
        (await graphOf(app, who).refusal(mutation, variables({ issuerName }, true))).code,
      ).toBe('FORBIDDEN');
    }
  });
});
