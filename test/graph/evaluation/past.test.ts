/**
 * Every question about the past, through the API, against the oracle: random lists of entries, each
 * asked as of some day and of what was known.
 */
import fc from 'fast-check';
import { demoId } from '../../../src/demo/ids.js';
import { type Requirement, requiredTypes } from '../../../src/rules/evaluation/result.js';
import { dayAfter, today } from '../../../src/scalars/day.js';
import { days, requirements } from '../../rules/evaluation/arbitraries.js';
import {
  type Entry,
  holders,
  oracleOf,
  records,
  versionsOf,
} from '../../rules/evaluation/events.js';
import { startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import { graphOf } from '../../support/graph.js';
import { managerEmail, skylineId } from '../../support/names.js';
import {
  memberIdOf,
  qualificationIds,
  roleId,
  seedWorlds,
  typeIdOf,
  writeRequirements,
} from './worlds.js';

const app = await startApp();
const manager = graphOf(app, managerEmail);
const idOf = (holder: string): string => memberIdOf(holders.indexOf(holder));

/** In place of what was there: all versions, and each record as its last version has it. */
async function write(
  all: readonly (readonly Entry[])[],
  sets: readonly Requirement[][],
): Promise<void> {
  const versions = all.flatMap((entries, index) =>
    versionsOf(demoId('certification', `past/${index}`), entries),
  );
  const stored = versions.map((each) => ({
    ...each,
    organizationMemberId: idOf(each.organizationMemberId),
    certificationTypeId: typeIdOf(each.certificationTypeId),
  }));
  const members = holders.map(idOf);
  await app.db.query(
    'delete from certification_history where organization_id = $1 and organization_member_id = any($2)',
    [skylineId, members],
  );
  await app.db.query(
    'delete from certifications where organization_id = $1 and organization_member_id = any($2)',
    [skylineId, members],
  );
  await writeRequirements(app.db, sets);
  await app.db.query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as given("certificationId" uuid, "organizationMemberId" uuid, "certificationTypeId" uuid, source text,
         "issuedOn" date, "expiresOn" date, "lifecycleStatus" text, "verificationStatus" text, "recordedAt" timestamptz, "effectiveOn" date)
     ), record as (
       insert into certifications (organization_id, id, organization_member_id, certification_type_id, source, issued_on, expires_on, lifecycle_status,
         verification_status, last_verified_at, created_at, updated_at)
       select distinct on ("certificationId") $1::uuid, "certificationId", "organizationMemberId", "certificationTypeId", source, "issuedOn", "expiresOn",
         "lifecycleStatus", "verificationStatus", now(), now(), now() from given order by "certificationId", "recordedAt" desc returning id)
     insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source,
       issued_on, expires_on, lifecycle_status, verification_status)
     select $1, "certificationId", "recordedAt", "effectiveOn", "organizationMemberId", "certificationTypeId", source, "issuedOn", "expiresOn",
       "lifecycleStatus", "verificationStatus" from given join record on record.id = "certificationId"`,
    [skylineId, JSON.stringify(stored)],
  );
}

const range =
  'organizationId: $organization, jobRoleId: $role, qualificationIds: $qualifications, asOf: $day, knownAt: $knownAt';
const question = `query ($organization: ID!, $role: ID!, $qualifications: [ID!]!, $day: Date!, $days: DayCount!, $needs: [CrewNeed!]!, $knownAt: DateTime,
    $ann: ID!) {
  readiness(${range}) { totals { qualificationId qualifiedCount } members { nodes { organizationMemberId cells { qualificationId status lostOn } } } }
  qualificationForecast(${range}, days: $days, first: 200) { nodes { lostOn qualificationId organizationMemberId } }
  planCrew(organizationId: $organization, needs: $needs, day: $day) { needs { eligible { organizationMemberId } } }
  qualificationResults(organizationId: $organization, organizationMemberId: $ann, asOf: $day, knownAt: $knownAt) {
    nodes { qualificationId status since lostOn requirements { certificationTypeId isMet } } }
  certifications(organizationId: $organization, organizationMemberId: $ann) { nodes { id validityStatus(asOf: $day) } }
}`;

const world = fc.record({
  all: records,
  sets: fc.array(requirements, {
    minLength: qualificationIds.length,
    maxLength: qualificationIds.length,
  }),
  day: fc.constantFrom(...days),
  known: fc.option(fc.constantFrom(...days), { nil: null }),
  ahead: fc.integer({ min: 1, max: 11 }),
});

describe('A random past', () => {
  const seen = { qualified: 0, late: 0, lost: 0 };

  test('is told alike by results, explanations, readiness, forecast and crews, as the entries have it', async () => {
    expect((days.at(-1) ?? '') < today()).toBe(true);
    await seedWorlds(app.db);
    await app.db.query(
      `insert into member_job_roles (organization_id, organization_member_id, job_role_id, created_at, updated_at) select $1, unnest($2::uuid[]), $3, now(), now()`,
      [skylineId, holders.map(idOf), roleId],
    );
    const ask = async ({
      all,
      sets,
      day,
      known,
      ahead,
    }: typeof world extends fc.Arbitrary<infer World> ? World : never) => {
      await write(all, sets);
      const people = holders.map((holder) => {
        const oracle = oracleOf(all, holder, known ?? '9999-12-31');
        const sure = oracleOf(all, holder, '9999-12-31');
        const judge = (of: typeof oracle) => (set: readonly Requirement[], each: string) => {
          const required = requiredTypes(set);
          return required.length > 0 && required.every((type) => of.holds(type, each));
        };
        const isQualified = judge(oracle);
        const after = (set: readonly Requirement[], from: string) =>
          days.find((each) => each > from && !isQualified(set, each)) ?? null;
        return { id: idOf(holder), oracle, isQualified, isSureQualified: judge(sure), after };
      });
      const status = (is: boolean) => (is ? 'QUALIFIED' : 'NOT_QUALIFIED');
      const variables = {
        organization: skylineId,
        role: roleId,
        qualifications: qualificationIds,
        day,
        days: ahead,
        needs: qualificationIds.map((qualificationId) => ({ qualificationId, count: 1 })),
        knownAt: known && `${known}T23:59:59Z`,
        ann: idOf('ann'),
      };
      const answer = await manager.data(question, variables);

      const { totals, members } = answer.readiness;
      expect(totals).toStrictEqual(
        sets.map((set, index) => ({
          qualificationId: qualificationIds[index],
          qualifiedCount: people.filter(({ isQualified }) => isQualified(set, day)).length,
        })),
      );
      const rows = new Map(
        members.nodes.map((row: { organizationMemberId: string; cells: object[] }) => [
          row.organizationMemberId,
          row.cells,
        ]),
      );
      for (const { id, isQualified, after } of people) {
        const cells = sets.map((set, index) => ({
          qualificationId: qualificationIds[index],
          status: status(isQualified(set, day)),
          lostOn: isQualified(set, day) ? after(set, day) : null,
        }));
        expect(rows.get(id)).toStrictEqual(cells);
      }
      const losses = people.flatMap(({ id, isQualified }) =>
        sets.flatMap((set, index) =>
          days
            .filter((each) => isQualified(set, day) && each > day && each <= dayAfter(day, ahead))
            .filter((each) => isQualified(set, dayAfter(each, -1)) && !isQualified(set, each))
            .map((lostOn) => ({
              lostOn,
              qualificationId: qualificationIds[index],
              organizationMemberId: id,
            })),
        ),
      );
      const keyOf = (loss: object) => Object.values(loss).join('/');
      expect(answer.qualificationForecast.nodes).toStrictEqual(
        losses.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      );
      for (const [index, { eligible }] of answer.planCrew.needs.entries()) {
        expect(
          eligible.map(
            ({ organizationMemberId }: { organizationMemberId: string }) => organizationMemberId,
          ),
        ).toStrictEqual(
          people
            .filter(({ isSureQualified }) => isSureQualified(sets[index] ?? [], day))
            .map(({ id }) => id),
        );
      }
      const [ann] = people as [(typeof people)[number], ...typeof people];
      const results = new Map(
        answer.qualificationResults.nodes.map((each: { qualificationId: string }) => [
          each.qualificationId,
          each,
        ]),
      );
      for (const [index, set] of sets.entries()) {
        const is = ann.isQualified(set, day);
        const turned = days.findLast((each) => each <= day && ann.isQualified(set, each) !== is);
        expect(results.get(qualificationIds[index])).toStrictEqual({
          qualificationId: qualificationIds[index],
          status: status(is),
          since: turned === undefined ? null : dayAfter(turned, 1),
          lostOn: is ? ann.after(set, day) : null,
          requirements: set.map(({ certificationTypeId }) => ({
            certificationTypeId: typeIdOf(certificationTypeId),
            isMet: ann.oracle.holds(certificationTypeId, day),
          })),
        });
        if (is) seen.qualified++;
        if (is && all.every(([first]) => (first?.enteredOn ?? '') > day)) seen.late++;
      }
      // Without `knownAt`, a record that isn't valid on the day meets nothing on it.
      for (const { id, validityStatus } of answer.certifications.nodes) {
        const index = all.findIndex(
          (_, number) => demoId('certification', `past/${number}`) === id,
        );
        const type = versionsOf(id, all[index] ?? []).at(-1)?.certificationTypeId ?? '';
        const only = oracleOf([all[index] ?? []], 'ann', '9999-12-31');
        if (only.holds(type, day))
          ensure(['VALID', 'EXPIRING'].includes(validityStatus), String(validityStatus));
      }
      seen.lost += losses.length;
    };
    await fc.assert(fc.asyncProperty(world, ask), { numRuns: 50 });
    ensure(seen.qualified > 2, JSON.stringify(seen));
  });

  test('since when is told on days to come too, from what was revoked and restored', async () => {
    const entry = {
      holder: 'ann',
      type: 'climber',
      source: 'api',
      issuedOn: '2026-01-01',
      expiresOn: '2099-01-01',
    } as const;
    const life = (becomes: 'archived' | 'active', on: string) =>
      ({ what: 'life', becomes, on, enteredOn: '2026-03-20' }) as const;
    const set = [{ certificationTypeId: 'climber', isRequired: true }];
    const since = async () => {
      const variables = {
        organization: skylineId,
        ann: idOf('ann'),
        id: qualificationIds[0],
        day: dayAfter(today(), 1),
      };
      const { qualificationResult } = await manager.data(
        `query ($organization: ID!, $ann: ID!, $id: ID!, $day: Date!) {
          qualificationResult(organizationId: $organization, organizationMemberId: $ann, qualificationId: $id, asOf: $day) { status since } }`,
        variables,
      );
      return Object.values(qualificationResult);
    };
    const facts = { what: 'facts', facts: entry, enteredOn: '2026-03-19' } as const;
    for (const [entries, expected] of [
      [[facts], ['QUALIFIED', '2026-01-01']],
      [
        [facts, life('archived', '2026-02-01')],
        ['NOT_QUALIFIED', '2026-02-01'],
      ],
      [
        [facts, life('archived', '2026-02-01'), life('active', '2026-02-10')],
        ['QUALIFIED', '2026-02-10'],
      ],
      [
        [facts, life('archived', '2026-02-10'), life('active', '2026-02-01')],
        ['QUALIFIED', '2026-01-01'],
      ],
    ] as const) {
      await write([entries], [set, [], [], [], []]);
      expect(await since()).toStrictEqual(expected);
    }
  });
});
