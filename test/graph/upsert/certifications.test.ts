import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../support/app.js';
import { countStatements, graphOf } from '../../support/graph.js';
import { climberEmail, managerEmail, memberId, skylineId, typeId } from '../../support/names.js';

const app = await startApp();
const { db } = app;
const manager = graphOf(app, managerEmail);
const mutation = `mutation ($rows: [CertificationUpsert!]!, $mode: UpsertMode, $dryRun: Boolean, $organization: UUID = "${skylineId}") {
  upsertCertifications(organizationId: $organization, rows: $rows, mode: $mode, dryRun: $dryRun) {
    applied createdCount updatedCount unchangedCount failedCount rows { index outcome id problems { path messages } } } }`;

type Row = Record<string, unknown>;
const upsert = async (rows: Row[], options: object = {}) => (await manager.data(mutation, { rows, ...options })).upsertCertifications;
const row = (externalId: string, rest: Row = {}): Row => ({
  externalId,
  externalSource: 'hr',
  memberEmail: climberEmail,
  certificationTypeSlug: 'rf-awareness',
  issuedOn: '2026-01-05',
  ...rest,
});
const stored = (source: string) =>
  db.query<Row>(
    `select external_id as "externalId", organization_member_id as "memberId", user_id is not null as "hasUser", certification_type_id as "typeId", source,
       issued_on as "issuedOn", expires_on as "expiresOn", issuer_name as "issuerName", verification_status as verification, updated_at as "updatedAt"
     from certifications where external_source = $1 order by external_id`,
    [source],
  );
const outcomes = (result: { rows: { outcome: string }[] }) => result.rows.map(({ outcome }) => outcome);
const problemsOf = (result: { rows: { problems: { path: string; messages: string[] }[] }[] }, index: number) =>
  Object.fromEntries((result.rows[index]?.problems ?? []).map(({ path, messages }) => [path, messages.join()]));

describe('upsertCertifications', () => {
  it('creates, then changes nothing, then changes what differs, each with an audit event, a version and a stamp of its own', async () => {
    const rows = [row('a'), row('b', { expiresOn: '2027-01-05', issuerName: 'Acme' })];
    const first = await upsert(rows);
    assert.deepEqual([first.applied, first.createdCount, outcomes(first)], [true, 2, ['CREATED', 'CREATED']]);
    const made = await stored('hr');
    const common = {
      memberId: memberId(climberEmail),
      hasUser: true,
      typeId: typeId('rf-awareness'),
      source: 'api',
      issuedOn: '2026-01-05',
    };
    assert.deepEqual(
      made.map(({ updatedAt, ...rest }) => rest),
      [
        { externalId: 'a', ...common, expiresOn: null, issuerName: null, verification: 'unverified' },
        { externalId: 'b', ...common, expiresOn: '2027-01-05', issuerName: 'Acme', verification: 'unverified' },
      ],
    );
    assert.notEqual(made[0]?.updatedAt, made[1]?.updatedAt);

    const again = await upsert(rows);
    assert.deepEqual([again.applied, again.unchangedCount], [true, 2]);
    assert.deepEqual(
      again.rows.map(({ id }: { id: string }) => id),
      first.rows.map(({ id }: { id: string }) => id),
    );
    assert.deepEqual(await stored('hr'), made);

    await db.query(`update certifications set verification_status = 'verified', last_verified_at = now() where external_source = 'hr'`);
    const third = await upsert([row('a', { issuedOn: '2026-02-01' }), { externalId: 'b', externalSource: 'hr', issuerName: null }]);
    assert.deepEqual(outcomes(third), ['UPDATED', 'UPDATED']);
    const [a, b] = await stored('hr');
    assert.deepEqual([a?.issuedOn, a?.verification, b?.issuerName, b?.expiresOn], ['2026-02-01', 'unverified', null, '2027-01-05']);
    const events = await db.query(
      `select e.action, e.user_id is not null as "isPerson", h.recorded_at = e.occurred_at as "hasVersion" from audit_events e
       join certification_history h on h.certification_id::text = e.subject_id and h.recorded_at = e.occurred_at
       where e.subject_id = any($1) order by e.occurred_at`,
      [first.rows.map(({ id }: { id: string }) => id)],
    );
    assert.deepEqual(
      events,
      ['create', 'create', 'update', 'update'].map((action) => ({ action, isPerson: true, hasVersion: true })),
    );
  });

  it('tells what is wrong with each row, by the name of the value, and writes none of an atomic call', async () => {
    const rows = [
      row('x1'),
      row('x2', { issuedOn: '2026-02-30' }),
      row('x1'),
      row('x3', { memberEmail: 'nobody@else.example' }),
      row('x4', { certificationTypeSlug: 'no-such' }),
      row('x5', { expiresOn: '2025-01-01' }),
      { externalSource: 'bad' },
      row('x6', { organizationMemberId: 'x', memberEmail: undefined }),
      row('x7', { issuerName: `${'x'.repeat(201)}` }),
    ].map((each) => ({ ...each, externalSource: 'bad' }));
    const result = await upsert(rows);
    assert.deepEqual([result.applied, result.createdCount, result.failedCount], [false, 1, 8]);
    assert.deepEqual(outcomes(result)[0], 'CREATED');
    assert.equal(result.rows[0].id, null);
    assert.deepEqual(
      rows.slice(1).map((_, index) => problemsOf(result, index + 1)),
      [
        { issuedOn: 'must be a real calendar day in the form YYYY-MM-DD' },
        { externalId: 'is already the key of row 0' },
        { memberEmail: 'is not a member of this organization' },
        { certificationTypeSlug: 'is not an active certification type that this organization can use' },
        { expiresOn: 'must not be before the day of issue' },
        {
          externalId: 'is required: it is the key of the record',
          organizationMemberId: 'is required for a new record, or else memberExternalId or memberEmail',
          certificationTypeId: 'is required for a new record, or else certificationTypeSlug',
        },
        { organizationMemberId: 'must be a UUID' },
        { issuerName: 'must be at most 200 characters long' },
      ],
    );
    assert.deepEqual(await stored('bad'), []);

    const partial = await upsert(rows, { mode: 'PARTIAL' });
    assert.deepEqual([partial.applied, partial.createdCount, partial.failedCount], [true, 1, 8]);
    assert.deepEqual(outcomes(partial), outcomes(result));
    assert.equal((await stored('bad')).length, 1);
  });

  it('says the same in a dry run, and writes nothing', async () => {
    const rows = [row('d1'), row('d2', { issuedOn: 'soon' })].map((each) => ({ ...each, externalSource: 'dry' }));
    const dry = await upsert(rows, { mode: 'PARTIAL', dryRun: true });
    assert.deepEqual([dry.applied, outcomes(dry)], [false, ['CREATED', 'FAILED']]);
    assert.deepEqual(await stored('dry'), []);
    const real = await upsert(rows, { mode: 'PARTIAL' });
    assert.deepEqual([real.applied, outcomes(real)], [true, outcomes(dry)]);
  });

  it('keeps an archived type where it is, and takes it for nothing new', async () => {
    const [type] = await db.query<{ id: string }>(
      `insert into certification_types (id, organization_id, slug, title, scope, created_at, updated_at)
       values (gen_random_uuid(), $1, 'old-kind', 'Old', 'organization', now(), now()) returning id`,
      [skylineId],
    );
    const old = { certificationTypeSlug: 'old-kind', externalSource: 'old' };
    assert.deepEqual(outcomes(await upsert([row('o1', old)])), ['CREATED']);
    await db.query(`update certification_types set status = 'archived' where id = $1`, [type?.id]);
    assert.deepEqual(outcomes(await upsert([row('o1', { ...old, issuerName: 'New' }), row('o2', old)], { mode: 'PARTIAL' })), [
      'UPDATED',
      'FAILED',
    ]);
  });

  it('takes a constant number of statements', async () => {
    const rows = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, index) => row(`${prefix}${index}`, { externalSource: 'many' }));
    const count = (list: Row[]) => countStatements(app, () => upsert(list));
    await upsert(rows(2, 'warm'));
    const [few, many] = [await count(rows(3, 'few')), await count(rows(1000, 'many'))];
    assert.equal(many, few);
    assert.ok(many <= 12, `${many}`);
    const mixed = [...rows(500, 'many'), ...rows(500, 'more')].map((each, index) =>
      index % 3 ? { ...each, serialNumber: `${index}` } : each,
    );
    assert.ok((await count(mixed)) <= many + 2);
  });

  it('refuses more than 1,000 rows, and whoever manages nothing', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => row(String(index)));
    assert.deepEqual((await manager.refusal(mutation, { rows: many })).details, { rows: ['must have at most 1000 entries'] });
    assert.equal((await graphOf(app, climberEmail).refusal(mutation, { rows: [row('no')] })).code, 'FORBIDDEN');
  });
});
