/** Explained results: why, since when, what to do, and as of any day. */
import { dayAfter, today } from '../../../src/scalars/day.js';
import { startApp } from '../../support/app.js';
import { clientOf, dataOf } from '../../support/client.js';
import { countStatements, graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);

const result = `query ($organization: ID!, $member: ID!, $qualification: ID!, $asOf: Date, $knownAt: DateTime) {
  qualificationResult(organizationId: $organization, organizationMemberId: $member, qualificationId: $qualification, asOf: $asOf, knownAt: $knownAt) {
    status asOf since lostOn
    requirements { certificationTypeId isRequired isMet reason reasonDay metUntil certificationId certification { id } certificationType { slug } actions { kind } }
    actions { kind certificationTypeId certificationId certificationType { slug } certification { id } }
  }
}`;
const of = (slug: string, rest: object = {}) => ({
  organization: demo.skylineId,
  member: demo.memberId(demo.climberEmail),
  qualification: demo.qualificationId(slug),
  ...rest,
});
const ask = async (slug: string, rest: object = {}) =>
  (await manager.data(result, of(slug, rest))).qualificationResult;
const reasons = (requirements: { certificationType: { slug: string }; reason: string | null }[]) =>
  requirements.map(({ certificationType, reason }) => [certificationType.slug, reason]);

const move = (name: string, input: string) =>
  `mutation ($organization: ID!, $id: ID!, $input: ${input}!) { ${name}(organizationId: $organization, id: $id, input: $input) { id } }`;
const record = (type: string) => demo.recordId(demo.climberEmail, type);
const run = (name: string, input: string, id: string, value: object) =>
  manager.data(move(name, input), { organization: demo.skylineId, id, input: value });
const now = async () =>
  (await app.db.query<{ now: string }>('select clock_timestamp() as now'))[0]?.now ?? '';

/** The tests follow the climber through time, so their order matters. */
describe('the climber and lead-climber', () => {
  test('each requirement has its record or nearest miss, and the actions are the fewest', async () => {
    const { status, asOf, since, lostOn, requirements, actions } = await ask('lead-climber');
    expect([status, asOf, since, lostOn]).toStrictEqual(['NOT_QUALIFIED', today(), null, null]);
    expect(reasons(requirements)).toEqual([
      ['nwsa-ttt2', 'NOT_VERIFIED'],
      ['competent-climber', 'EXPIRED'],
      ['competent-rescuer', 'NONE_HELD'],
      ['rf-awareness', null],
      ['first-aid-cpr-aed', null],
    ]);
    const [, expired, none, met] = requirements;
    expect(expired.certification.id).toBe(record('competent-climber'));
    const [{ last } = { last: '' }] = await app.db.query<{ last: string }>(
      'select expires_on as last from certifications where id = $1',
      [record('competent-climber')],
    );
    expect(expired.reasonDay).toBe(last);
    expect(none.certification).toBeNull();
    // Of two records, the one that counts and not its archived predecessor.
    expect(met.certificationId).toBe(record('rf-awareness'));
    expect(met.metUntil > today()).toBe(true);
    expect(
      actions.map(
        (action: {
          kind: string;
          certificationType: { slug: string };
          certification: { id: string } | null;
        }) => [action.kind, action.certificationType.slug, action.certification?.id ?? null],
      ),
    ).toStrictEqual([
      ['VERIFY', 'nwsa-ttt2', record('nwsa-ttt2')],
      ['RENEW', 'competent-climber', record('competent-climber')],
      ['OBTAIN', 'competent-rescuer', null],
    ]);
  });

  test('is the same as REST says, and the same to the climber', async () => {
    const { status, requirements } = (await climber.data(result, of('lead-climber')))
      .qualificationResult;
    const rest = dataOf(
      await clientOf(app, demo.climberEmail).get(
        `/v1/qualification-results/${demo.qualificationId('lead-climber')}`,
      ),
    );
    expect(status.toLowerCase()).toBe(rest.status);
    const missing = requirements.filter((each: { isMet: boolean }) => !each.isMet);
    expect(
      missing.map((each: { certificationTypeId: string }) => each.certificationTypeId),
    ).toStrictEqual(rest.missing_certification_type_ids);
  });

  test('doing the actions makes the climber qualified, from that day on', async () => {
    const { actions } = await ask('lead-climber');
    for (const { kind, certificationTypeId, certificationId } of actions) {
      if (kind === 'VERIFY')
        await run('verifyCertification', 'CertificationCheck', certificationId, {
          method: 'document-review',
        });
      else {
        const input = {
          organizationMemberId: demo.memberId(demo.climberEmail),
          certificationTypeId,
          issuedOn: today(),
          expiresOn: dayAfter(today(), 40),
        };
        const create =
          'mutation ($organization: ID!, $input: CertificationCreate!) { createCertification(organizationId: $organization, input: $input) { id } }';
        await manager.data(create, { organization: demo.skylineId, input });
      }
    }
    const { status, since, lostOn, actions: left } = await ask('lead-climber');
    expect([status, since, lostOn, left]).toStrictEqual([
      'QUALIFIED',
      today(),
      dayAfter(today(), 41),
      [],
    ]);
    expect((await ask('lead-climber', { asOf: dayAfter(today(), 40) })).status).toBe('QUALIFIED');
    const after = await ask('lead-climber', { asOf: dayAfter(today(), 41) });
    expect([after.status, after.since]).toStrictEqual(['NOT_QUALIFIED', dayAfter(today(), 41)]);
    expect(after.actions.map(({ kind }: { kind: string }) => kind)).toEqual(['RENEW', 'RENEW']);
  });

  test('what was true on a past day follows the day a revocation took effect, what was known then does not', async () => {
    const before = await now();
    const weekAgo = dayAfter(today(), -7);
    expect((await ask('supervised-climber', { asOf: weekAgo })).status).toBe('QUALIFIED');
    await run('revokeCertification', 'CertificationRevocation', record('osha-10'), {
      reason: 'forged',
      effectiveOn: weekAgo,
    });

    expect(reasons((await ask('supervised-climber')).requirements)[2]).toEqual([
      'osha-10',
      'REVOKED',
    ]);
    expect(reasons((await ask('supervised-climber', { asOf: weekAgo })).requirements)[2]).toEqual([
      'osha-10',
      'REVOKED',
    ]);
    expect((await ask('supervised-climber', { asOf: dayAfter(weekAgo, -1) })).status).toBe(
      'QUALIFIED',
    );
    expect((await ask('supervised-climber', { asOf: weekAgo, knownAt: before })).status).toBe(
      'QUALIFIED',
    );
    const then = await ask('supervised-climber', { knownAt: before });
    expect([then.status, then.asOf]).toStrictEqual(['QUALIFIED', before.slice(0, 10)]);
    expect((await ask('supervised-climber', { knownAt: await now() })).status).toBe(
      'NOT_QUALIFIED',
    );
    expect((await ask('supervised-climber', { asOf: '2001-01-01' })).requirements[0].reason).toBe(
      'ISSUED_IN_FUTURE',
    );
    // What was revoked counted before: today's `since` says so too.
    expect((await ask('supervised-climber')).since).toBe(weekAgo);
    expect((await ask('supervised-climber', { asOf: dayAfter(weekAgo, -1) })).lostOn).toBe(weekAgo);
  });

  test('what was revoked and then archived is no case for restoring', async () => {
    await run('archiveCertification', 'CertificationMove', record('osha-10'), {});
    const { requirements, actions } = await ask('supervised-climber');
    expect(reasons(requirements)[2]).toEqual(['osha-10', 'REVOKED']);
    expect(actions.map(({ kind }: { kind: string }) => kind)).toEqual(['OBTAIN']);
  });
});

describe('what was entered late', () => {
  const issuedOn = dayAfter(today(), -200);
  const day = dayAfter(today(), -100);
  const member = demo.memberId(demo.managerEmail);
  const requirement = async (rest: object = {}) =>
    (await manager.data(result, of('pim-tester', { member, ...rest }))).qualificationResult;
  const everything = `query ($organization: ID!, $qualification: ID!, $asOf: Date!, $record: ID!, $knownAt: DateTime) {
    readiness(organizationId: $organization, qualificationIds: [$qualification], asOf: $asOf, knownAt: $knownAt) {
      members(first: 200) { nodes { organizationMemberId cells { status } } } }
    certification(organizationId: $organization, id: $record) { validityStatus(asOf: $asOf) } }`;

  test('counts on past days by the dates that were imported, and was not known then', async () => {
    const before = await now();
    const { requirements } = await requirement();
    const rows = requirements.map((each: { certificationTypeId: string }, index: number) => ({
      externalId: `late-${index}`,
      organizationMemberId: member,
      certificationTypeId: each.certificationTypeId,
      issuedOn,
      expiresOn: dayAfter(today(), 100),
    }));
    await manager.data(
      'mutation ($organization: ID!, $rows: [CertificationUpsert!]!) { upsertCertifications(organizationId: $organization, rows: $rows) { createdCount } }',
      { organization: demo.skylineId, rows },
    );
    const [{ id } = { id: '' }] = await app.db.query<{ id: string }>(
      `select id from certifications where external_id = 'late-0'`,
    );
    const asked = {
      organization: demo.skylineId,
      qualification: demo.qualificationId('pim-tester'),
      asOf: day,
      record: id,
    };
    const told = async (rest: object = {}) => {
      const { readiness, certification } = await manager.data(everything, { ...asked, ...rest });
      const row = readiness.members.nodes.find(
        (each: { organizationMemberId: string }) => each.organizationMemberId === member,
      );
      return [row.cells[0].status, certification.validityStatus];
    };
    expect((await requirement()).since).toBe(issuedOn);
    for (const asOf of [issuedOn, day, dayAfter(today(), -1)]) {
      const { status, since } = await requirement({ asOf });
      expect([asOf, [status, since]]).toStrictEqual([asOf, ['QUALIFIED', issuedOn]]);
      expect(await told({ asOf })).toEqual(['QUALIFIED', 'VALID']);
    }
    expect((await requirement({ asOf: dayAfter(issuedOn, -1) })).status).toBe('NOT_QUALIFIED');
    expect((await requirement({ asOf: day, knownAt: before })).status).toBe('NOT_QUALIFIED');
    expect(await told({ knownAt: before })).toEqual(['NOT_QUALIFIED', 'VALID']);
  });

  test('a revocation may be older than the entry of the record', async () => {
    const [{ id } = { id: '' }] = await app.db.query<{ id: string }>(
      `select id from certifications where external_id = 'late-0'`,
    );
    await run('revokeCertification', 'CertificationRevocation', id, {
      reason: 'found late',
      effectiveOn: day,
    });
    const statusOn = async (asOf: string) => (await requirement({ asOf })).status;
    expect([await statusOn(dayAfter(day, -1)), await statusOn(day)]).toEqual([
      'QUALIFIED',
      'NOT_QUALIFIED',
    ]);
    expect((await requirement()).since).toBe(day);
    expect((await requirement({ asOf: issuedOn })).lostOn).toBe(day);
  });
});

test('lists of results take the moment too, under a cursor of their own, and below members', async () => {
  const list = `query ($organization: ID!, $member: ID!, $asOf: Date, $after: String) {
    qualificationResults(organizationId: $organization, organizationMemberId: $member, asOf: $asOf, first: 5, after: $after) {
      nodes { qualificationId status } pageInfo { nextCursor } } }`;
  const below = `query ($organization: ID!, $member: ID!, $asOf: Date) {
    organizationMember(organizationId: $organization, id: $member) { qualificationResults(asOf: $asOf, first: 5) { nodes { qualificationId status } } } }`;
  const asOf = dayAfter(today(), 100_000);
  const first = (await manager.data(list, of('', { asOf }))).qualificationResults;
  expect(
    first.nodes.every(({ status }: { status: string }) => status === 'NOT_QUALIFIED'),
  ).toBeTruthy();
  expect(
    (await manager.data(below, of('', { asOf }))).organizationMember.qualificationResults.nodes,
  ).toStrictEqual(first.nodes);
  const after = first.pageInfo.nextCursor;
  expect(
    (await manager.data(list, of('', { asOf, after }))).qualificationResults.nodes,
  ).toHaveLength(5);
  expect((await manager.refusal(list, of('', { after }))).code).toBe('VALIDATION_ERROR');
});

test('validity is told for any day', async () => {
  const query = `query ($organization: ID!, $id: ID!, $last: Date!, $next: Date!, $early: Date!) {
    certification(organizationId: $organization, id: $id) { now: validityStatus last: validityStatus(asOf: $last) next: validityStatus(asOf: $next) early: validityStatus(asOf: $early) } }`;
  const [{ last } = { last: '' }] = await app.db.query<{ last: string }>(
    'select expires_on as last from certifications where id = $1',
    [record('rf-awareness')],
  );
  const days = { last, next: dayAfter(last, 1), early: dayAfter(last, -31) };
  const { certification } = await manager.data(query, {
    organization: demo.skylineId,
    id: record('rf-awareness'),
    ...days,
  });
  expect(certification).toStrictEqual({
    now: 'VALID',
    last: 'EXPIRING',
    next: 'EXPIRED',
    early: 'VALID',
  });
});

test('a plain member explains no one else, nor does a manager elsewhere', async () => {
  const other = { member: demo.memberId(demo.managerEmail) };
  expect((await climber.refusal(result, of('lead-climber', other))).code).toBe('FORBIDDEN');
  expect(
    (await graphOf(app, 'admin@harbor.example').refusal(result, of('lead-climber'))).code,
  ).toBe('FORBIDDEN');
  expect((await manager.refusal(result, of('none'))).code).toBe('NOT_FOUND');
  expect((await manager.refusal(result, of('lead-climber', { member: demo.nothing }))).code).toBe(
    'NOT_FOUND',
  );
});

test('statements: one for a result, one more for since when, three more for its explanation with types and records, one more for the past', async () => {
  const bare = result.replace(/requirements \{.*/, '').replace(/actions \{.*/, '');
  const plain = () => manager.data(bare, of('lead-climber'));
  expect(await countStatements(app, plain)).toBe(3);
  expect(
    await countStatements(app, () => manager.data(bare.replace('since', ''), of('lead-climber'))),
  ).toBe(2);
  expect(
    await countStatements(app, () =>
      manager.data(bare, of('lead-climber', { asOf: dayAfter(today(), 9) })),
    ),
  ).toBe(3);
  expect(
    await countStatements(app, () =>
      manager.data(bare, of('lead-climber', { asOf: dayAfter(today(), -9) })),
    ),
  ).toBe(3);
  const all = `query ($organization: ID!, $first: Int!, $asOf: Date) { organizationMembers(organizationId: $organization, first: $first) { nodes {
    qualificationResults(asOf: $asOf, first: 12) { nodes { requirements { certificationType { slug } certification { expiresOn } } } } } } }`;
  for (const [asOf, expected] of [
    [null, 6],
    [dayAfter(today(), -30), 7],
  ]) {
    for (const first of [3, 40]) {
      const count = await countStatements(app, () =>
        manager.data(all, { organization: demo.skylineId, first, asOf }),
      );
      expect([`${first} members as of ${asOf}`, count]).toStrictEqual([
        expect.any(String),
        expected,
      ]);
    }
  }
});
