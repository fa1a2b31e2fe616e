/** Explained results: why, since when, what to do, and as of any day. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayAfter, today } from '../../../src/entities/day.js';
import { startApp } from '../../support/app.js';
import { clientOf, dataOf } from '../../support/client.js';
import { countStatements, graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);

const result = `query ($organization: UUID!, $member: UUID!, $qualification: UUID!, $asOf: Date, $knownAt: DateTime) {
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
const ask = async (slug: string, rest: object = {}) => (await manager.data(result, of(slug, rest))).qualificationResult;
const reasons = (requirements: { certificationType: { slug: string }; reason: string | null }[]) =>
  requirements.map(({ certificationType, reason }) => [certificationType.slug, reason]);

const move = (name: string, input: string) =>
  `mutation ($organization: UUID!, $id: UUID!, $input: ${input}!) { ${name}(organizationId: $organization, id: $id, input: $input) { id } }`;
const record = (type: string) => demo.recordId(demo.climberEmail, type);
const run = (name: string, input: string, id: string, value: object) =>
  manager.data(move(name, input), { organization: demo.skylineId, id, input: value });
const now = async () => (await app.db.query<{ now: string }>('select clock_timestamp() as now'))[0]?.now ?? '';

/** The tests follow the climber through time, so their order matters. */
describe('the climber and lead-climber', () => {
  test('each requirement has its record or nearest miss, and the actions are the fewest', async () => {
    const { status, asOf, since, lostOn, requirements, actions } = await ask('lead-climber');
    assert.deepEqual([status, asOf, since, lostOn], ['NOT_QUALIFIED', today(), null, null]);
    assert.deepEqual(reasons(requirements), [
      ['nwsa-ttt2', 'NOT_VERIFIED'],
      ['competent-climber', 'EXPIRED'],
      ['competent-rescuer', 'NONE_HELD'],
      ['rf-awareness', null],
      ['first-aid-cpr-aed', null],
    ]);
    const [, expired, none, met] = requirements;
    assert.equal(expired.certification.id, record('competent-climber'));
    const [{ last } = { last: '' }] = await app.db.query<{ last: string }>('select expires_on as last from certifications where id = $1', [
      record('competent-climber'),
    ]);
    assert.equal(expired.reasonDay, last);
    assert.equal(none.certification, null);
    // Of two records, the one that counts and not its archived predecessor.
    assert.equal(met.certificationId, record('rf-awareness'));
    assert.ok(met.metUntil > today());
    assert.deepEqual(
      actions.map((action: { kind: string; certificationType: { slug: string }; certification: { id: string } | null }) => [
        action.kind,
        action.certificationType.slug,
        action.certification?.id ?? null,
      ]),
      [
        ['VERIFY', 'nwsa-ttt2', record('nwsa-ttt2')],
        ['RENEW', 'competent-climber', record('competent-climber')],
        ['OBTAIN', 'competent-rescuer', null],
      ],
    );
  });

  test('is the same as REST says, and the same to the climber', async () => {
    const { status, requirements } = (await climber.data(result, of('lead-climber'))).qualificationResult;
    const rest = dataOf(await clientOf(app, demo.climberEmail).get(`/v1/qualification-results/${demo.qualificationId('lead-climber')}`));
    assert.equal(status.toLowerCase(), rest.status);
    const missing = requirements.filter((each: { isMet: boolean }) => !each.isMet);
    assert.deepEqual(
      missing.map((each: { certificationTypeId: string }) => each.certificationTypeId),
      rest.missing_certification_type_ids,
    );
  });

  test('doing the actions makes the climber qualified, from that day on', async () => {
    const { actions } = await ask('lead-climber');
    for (const { kind, certificationTypeId, certificationId } of actions) {
      if (kind === 'VERIFY') await run('verifyCertification', 'CertificationCheck', certificationId, { method: 'document-review' });
      else {
        const input = {
          organizationMemberId: demo.memberId(demo.climberEmail),
          certificationTypeId,
          issuedOn: today(),
          expiresOn: dayAfter(today(), 40),
        };
        const create =
          'mutation ($organization: UUID!, $input: CertificationCreate!) { createCertification(organizationId: $organization, input: $input) { id } }';
        await manager.data(create, { organization: demo.skylineId, input });
      }
    }
    const { status, since, lostOn, actions: left } = await ask('lead-climber');
    assert.deepEqual([status, since, lostOn, left], ['QUALIFIED', today(), dayAfter(today(), 41), []]);
    assert.equal((await ask('lead-climber', { asOf: dayAfter(today(), 40) })).status, 'QUALIFIED');
    const after = await ask('lead-climber', { asOf: dayAfter(today(), 41) });
    assert.deepEqual([after.status, after.since], ['NOT_QUALIFIED', dayAfter(today(), 41)]);
    assert.deepEqual(
      after.actions.map(({ kind }: { kind: string }) => kind),
      ['RENEW', 'RENEW'],
    );
  });

  test('what was true on a past day follows the day a revocation took effect, what was known then does not', async () => {
    const before = await now();
    const weekAgo = dayAfter(today(), -7);
    assert.equal((await ask('supervised-climber', { asOf: weekAgo })).status, 'QUALIFIED');
    await run('revokeCertification', 'CertificationRevocation', record('osha-10'), { reason: 'forged', effectiveOn: weekAgo });

    assert.deepEqual(reasons((await ask('supervised-climber')).requirements)[2], ['osha-10', 'REVOKED']);
    assert.deepEqual(reasons((await ask('supervised-climber', { asOf: weekAgo })).requirements)[2], ['osha-10', 'REVOKED']);
    assert.equal((await ask('supervised-climber', { asOf: dayAfter(weekAgo, -1) })).status, 'QUALIFIED');
    assert.equal((await ask('supervised-climber', { asOf: weekAgo, knownAt: before })).status, 'QUALIFIED');
    const then = await ask('supervised-climber', { knownAt: before });
    assert.deepEqual([then.status, then.asOf], ['QUALIFIED', before.slice(0, 10)]);
    assert.equal((await ask('supervised-climber', { knownAt: await now() })).status, 'NOT_QUALIFIED');
    assert.equal((await ask('supervised-climber', { asOf: '2001-01-01' })).requirements[0].reason, 'NONE_HELD');
  });

  test('what was revoked and then archived is no case for restoring', async () => {
    await run('archiveCertification', 'CertificationMove', record('osha-10'), {});
    const { requirements, actions } = await ask('supervised-climber');
    assert.deepEqual(reasons(requirements)[2], ['osha-10', 'REVOKED']);
    assert.deepEqual(
      actions.map(({ kind }: { kind: string }) => kind),
      ['OBTAIN'],
    );
  });
});

test('lists of results take the moment too, under a cursor of their own, and below members', async () => {
  const list = `query ($organization: UUID!, $member: UUID!, $asOf: Date, $after: Cursor) {
    qualificationResults(organizationId: $organization, organizationMemberId: $member, asOf: $asOf, first: 5, after: $after) {
      nodes { qualificationId status } pageInfo { nextCursor } } }`;
  const below = `query ($organization: UUID!, $member: UUID!, $asOf: Date) {
    organizationMember(organizationId: $organization, id: $member) { qualificationResults(asOf: $asOf, first: 5) { nodes { qualificationId status } } } }`;
  const asOf = dayAfter(today(), 100_000);
  const first = (await manager.data(list, of('', { asOf }))).qualificationResults;
  assert.ok(first.nodes.every(({ status }: { status: string }) => status === 'NOT_QUALIFIED'));
  assert.deepEqual((await manager.data(below, of('', { asOf }))).organizationMember.qualificationResults.nodes, first.nodes);
  const after = first.pageInfo.nextCursor;
  assert.equal((await manager.data(list, of('', { asOf, after }))).qualificationResults.nodes.length, 5);
  assert.equal((await manager.refusal(list, of('', { after }))).code, 'VALIDATION_ERROR');
});

test('validity is told for any day', async () => {
  const query = `query ($organization: UUID!, $id: UUID!, $last: Date!, $next: Date!, $early: Date!) {
    certification(organizationId: $organization, id: $id) { now: validityStatus last: validityStatus(asOf: $last) next: validityStatus(asOf: $next) early: validityStatus(asOf: $early) } }`;
  const [{ last } = { last: '' }] = await app.db.query<{ last: string }>('select expires_on as last from certifications where id = $1', [
    record('rf-awareness'),
  ]);
  const days = { last, next: dayAfter(last, 1), early: dayAfter(last, -31) };
  const { certification } = await manager.data(query, { organization: demo.skylineId, id: record('rf-awareness'), ...days });
  assert.deepEqual(certification, { now: 'VALID', last: 'EXPIRING', next: 'EXPIRED', early: 'VALID' });
});

test('a plain member explains no one else, nor does a manager elsewhere', async () => {
  const other = { member: demo.memberId(demo.managerEmail) };
  assert.equal((await climber.refusal(result, of('lead-climber', other))).code, 'FORBIDDEN');
  assert.equal((await graphOf(app, 'admin@harbor.example').refusal(result, of('lead-climber'))).code, 'FORBIDDEN');
  assert.equal((await manager.refusal(result, of('none'))).code, 'NOT_FOUND');
  assert.equal((await manager.refusal(result, of('lead-climber', { member: demo.nothing }))).code, 'NOT_FOUND');
});

test('statements: one for a result, three more for its explanation with types and records, one more for the past', async () => {
  const bare = result.replace(/requirements \{.*/, '').replace(/actions \{.*/, '');
  const plain = () => manager.data(bare, of('lead-climber'));
  assert.equal(await countStatements(app, plain), 2);
  assert.equal(await countStatements(app, () => manager.data(bare, of('lead-climber', { asOf: dayAfter(today(), 9) }))), 2);
  assert.equal(await countStatements(app, () => manager.data(bare, of('lead-climber', { asOf: dayAfter(today(), -9) }))), 3);
  const all = `query ($organization: UUID!, $first: PageSize!, $asOf: Date) { organizationMembers(organizationId: $organization, first: $first) { nodes {
    qualificationResults(asOf: $asOf, first: 12) { nodes { requirements { certificationType { slug } certification { expiresOn } } } } } } }`;
  for (const [asOf, expected] of [
    [null, 6],
    [dayAfter(today(), -30), 7],
  ]) {
    for (const first of [3, 40]) {
      const count = await countStatements(app, () => manager.data(all, { organization: demo.skylineId, first, asOf }));
      assert.equal(count, expected, `${first} members as of ${asOf}`);
    }
  }
});
