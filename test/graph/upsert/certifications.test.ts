import { startApp } from '../../support/app.js';
import { countStatements, graphOf } from '../../support/graph.js';
import { climberEmail, managerEmail, memberId, skylineId, typeId } from '../../support/names.js';

const app = await startApp();
const { db } = app;
const manager = graphOf(app, managerEmail);
const mutation = `mutation ($rows: [CertificationUpsert!]!, $mode: UpsertMode, $dryRun: Boolean, $organization: ID = "${skylineId}") {
  upsertCertifications(organizationId: $organization, rows: $rows, mode: $mode, dryRun: $dryRun) {
    applied createdCount updatedCount unchangedCount failedCount rows { index outcome id problems { path messages } } } }`;

type Row = Record<string, unknown>;
const upsert = async (rows: Row[], options: object = {}) =>
  (await manager.data(mutation, { rows, ...options })).upsertCertifications;
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
const outcomes = (result: { rows: { outcome: string }[] }) =>
  result.rows.map(({ outcome }) => outcome);
const problemsOf = (
  result: { rows: { problems: { path: string; messages: string[] }[] }[] },
  index: number,
) =>
  Object.fromEntries(
    (result.rows[index]?.problems ?? []).map(({ path, messages }) => [path, messages.join()]),
  );

describe('upsertCertifications', () => {
  it('creates, then changes nothing, then changes what differs, each with an audit event, a version and a stamp of its own', async () => {
    const rows = [row('a'), row('b', { expiresOn: '2027-01-05', issuerName: 'Acme' })];
    const first = await upsert(rows);
    expect([first.applied, first.createdCount, outcomes(first)]).toEqual([
      true,
      2,
      ['CREATED', 'CREATED'],
    ]);
    const made = await stored('hr');
    const common = {
      memberId: memberId(climberEmail),
      hasUser: true,
      typeId: typeId('rf-awareness'),
      source: 'api',
      issuedOn: '2026-01-05',
    };
    expect(made.map(({ updatedAt, ...rest }) => rest)).toStrictEqual([
      { externalId: 'a', ...common, expiresOn: null, issuerName: null, verification: 'unverified' },
      {
        externalId: 'b',
        ...common,
        expiresOn: '2027-01-05',
        issuerName: 'Acme',
        verification: 'unverified',
      },
    ]);
    expect(made[0]?.updatedAt).not.toBe(made[1]?.updatedAt);

    const again = await upsert(rows);
    expect([again.applied, again.unchangedCount]).toEqual([true, 2]);
    expect(again.rows.map(({ id }: { id: string }) => id)).toStrictEqual(
      first.rows.map(({ id }: { id: string }) => id),
    );
    expect(await stored('hr')).toStrictEqual(made);

    await db.query(
      `update certifications set verification_status = 'verified', last_verified_at = now() where external_source = 'hr'`,
    );
    const third = await upsert([
      row('a', { issuedOn: '2026-02-01' }),
      { externalId: 'b', externalSource: 'hr', issuerName: null },
    ]);
    expect(outcomes(third)).toEqual(['UPDATED', 'UPDATED']);
    const [a, b] = await stored('hr');
    expect([a?.issuedOn, a?.verification, b?.issuerName, b?.expiresOn]).toEqual([
      '2026-02-01',
      'unverified',
      null,
      '2027-01-05',
    ]);
    const events = await db.query(
      `select e.action, e.user_id is not null as "isPerson", h.recorded_at = e.occurred_at as "hasVersion" from audit_events e
       join certification_history h on h.certification_id::text = e.subject_id and h.recorded_at = e.occurred_at
       where e.subject_id = any($1) order by e.occurred_at`,
      [first.rows.map(({ id }: { id: string }) => id)],
    );
    expect(events).toStrictEqual(
      ['create', 'create', 'update', 'update'].map((action) => ({
        action,
        isPerson: true,
        hasVersion: true,
      })),
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
    expect([result.applied, result.createdCount, result.failedCount]).toEqual([false, 1, 8]);
    expect(outcomes(result)[0]).toEqual('CREATED');
    expect(result.rows[0].id).toBeNull();
    expect(rows.slice(1).map((_, index) => problemsOf(result, index + 1))).toStrictEqual([
      {
        issuedOn:
          'must be a real calendar day in the form YYYY-MM-DD, from 0001-01-01 to 9999-12-31',
      },
      { externalId: 'is already the key of row 0' },
      { memberEmail: 'is not a member of this organization' },
      {
        certificationTypeSlug: 'is not an active certification type that this organization can use',
      },
      { expiresOn: 'must not be before the day of issue' },
      {
        externalId: 'is required: it is the key of the record',
        organizationMemberId:
          'is required for a new record, unless memberExternalId or memberEmail is given',
        certificationTypeId: 'is required for a new record, unless certificationTypeSlug is given',
      },
      { organizationMemberId: 'must be a UUID' },
      { issuerName: 'must be at most 200 characters long' },
    ]);
    expect(await stored('bad')).toEqual([]);

    const partial = await upsert(rows, { mode: 'PARTIAL' });
    expect([partial.applied, partial.createdCount, partial.failedCount]).toEqual([true, 1, 8]);
    expect(outcomes(partial)).toStrictEqual(outcomes(result));
    expect(await stored('bad')).toHaveLength(1);
  });

  it('says the same in a dry run, and writes nothing', async () => {
    const rows = [row('d1'), row('d2', { issuedOn: 'soon' })].map((each) => ({
      ...each,
      externalSource: 'dry',
    }));
    const dry = await upsert(rows, { mode: 'PARTIAL', dryRun: true });
    expect([dry.applied, outcomes(dry)]).toEqual([false, ['CREATED', 'FAILED']]);
    expect(await stored('dry')).toEqual([]);
    const real = await upsert(rows, { mode: 'PARTIAL' });
    expect([real.applied, outcomes(real)]).toStrictEqual([true, outcomes(dry)]);
  });

  it('keeps an archived type where it is, and takes it for nothing new', async () => {
    const [type] = await db.query<{ id: string }>(
      `insert into certification_types (id, organization_id, slug, title, scope, created_at, updated_at)
       values (gen_random_uuid(), $1, 'old-kind', 'Old', 'organization', now(), now()) returning id`,
      [skylineId],
    );
    const old = { certificationTypeSlug: 'old-kind', externalSource: 'old' };
    expect(outcomes(await upsert([row('o1', old)]))).toEqual(['CREATED']);
    await db.query(`update certification_types set status = 'archived' where id = $1`, [type?.id]);
    expect(
      outcomes(
        await upsert([row('o1', { ...old, issuerName: 'New' }), row('o2', old)], {
          mode: 'PARTIAL',
        }),
      ),
    ).toEqual(['UPDATED', 'FAILED']);
  });

  it('takes a constant number of statements for each 200 rows', async () => {
    const rows = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, index) =>
        row(`${prefix}${index}`, { externalSource: 'many' }),
      );
    const count = (list: Row[]) => countStatements(app, () => upsert(list));
    await upsert(rows(2, 'warm'));
    const few = await count(rows(3, 'few'));
    expect(await count(rows(200, 'two hundred'))).toBe(few);
    expect(few).toBeLessThanOrEqual(12);
    const many = await count(rows(1000, 'many'));
    expect(many).toBeGreaterThan(few);
    expect(many).toBeLessThan(5 * few);
    const mixed = [...rows(500, 'many'), ...rows(500, 'more')].map((each, index) =>
      index % 3 ? { ...each, serialNumber: `${index}` } : each,
    );
    expect(await count(mixed)).toBeLessThanOrEqual(many + 2);
  });

  it('refuses more than 1,000 rows, and whoever manages nothing', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => row(String(index)));
    expect((await manager.refusal(mutation, { rows: many })).details).toStrictEqual({
      rows: ['must have at most 1000 entries'],
    });
    expect((await graphOf(app, climberEmail).refusal(mutation, { rows: [row('no')] })).code).toBe(
      'FORBIDDEN',
    );
  });
});
