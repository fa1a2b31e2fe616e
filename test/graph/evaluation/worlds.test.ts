/**
 * What PostgreSQL finds of members and their records is what the evaluator says: of one record in
 * every state, and of random worlds through every question.
 */
import fc from 'fast-check';
import {
  lifecycleStatuses,
  sources,
  verificationStatuses,
} from '../../../src/entities/certification.js';
import { countsOnDay } from '../../../src/graph/evaluation/evidence.js';
import { countsOn, type Evidence } from '../../../src/rules/evaluation/evidence.js';
import { expirationsOf } from '../../../src/rules/evaluation/expirations.js';
import { forecaster } from '../../../src/rules/evaluation/forecast.js';
import { evaluate, requiredTypes } from '../../../src/rules/evaluation/result.js';
import { dayAfter } from '../../../src/scalars/day.js';
import { days, start } from '../../rules/evaluation/arbitraries.js';
import { startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import { graphOf } from '../../support/graph.js';
import { managerEmail, skylineId } from '../../support/names.js';
import {
  heldOf,
  membersOf,
  qualificationIds,
  roleId,
  seedWorlds,
  type World,
  world,
  write,
} from './worlds.js';

const app = await startApp();
const manager = graphOf(app, managerEmail);

test('Whether a record counts: in every state, with every kind of dates, on every day', async () => {
  const around = [null, dayAfter(start, 3), dayAfter(start, 6)];
  const given: (Evidence & { day: string })[] = [];
  for (const lifecycleStatus of lifecycleStatuses)
    for (const verificationStatus of verificationStatuses)
      for (const source of sources)
        for (const issuedOn of around)
          for (const expiresOn of around)
            for (const day of days)
              given.push({ lifecycleStatus, verificationStatus, source, issuedOn, expiresOn, day });
  const [{ found } = { found: [] }] = await app.db.query<{ found: boolean[] }>(
    `select array_agg((${countsOnDay('c', 'c.day')}) is true order by c.number) as found from (
       select number, of->>'lifecycleStatus' as lifecycle_status, of->>'verificationStatus' as verification_status, of->>'source' as source,
         (of->>'issuedOn')::date as issued_on, (of->>'expiresOn')::date as expires_on, (of->>'day')::date as day
       from jsonb_array_elements($1::jsonb) with ordinality as given(of, number)) c`,
    [JSON.stringify(given)],
  );
  expect(given).toHaveLength(3 * 4 * 4 * 9 * days.length);
  expect(found).toStrictEqual(given.map(({ day, ...record }) => countsOn(day, record)));
});

const result =
  'qualificationId status metRequirementCount totalRequirementCount missingCertificationTypeIds';
const cell = 'qualificationId status metRequirementCount totalRequirementCount';
const range =
  'organizationId: $organization, jobRoleId: $role, qualificationIds: $qualifications, asOf: $day';
const question = `query ($organization: ID!, $role: ID!, $qualifications: [ID!]!, $day: Date!, $days: DayCount!, $needs: [CrewNeed!]!,
    $first: ID!, $requirements: [RequirementInput!]!) {
  whole: readiness(${range}) { memberCount totals { qualificationId qualifiedCount } members { nodes { organizationMemberId cells { ${cell} lostOn } } } }
  page: readiness(${range}) { memberCount members { nodes { organizationMemberId cells { ${cell} } } } }
  qualificationForecast(${range}, days: $days, first: 200) { nodes { organizationMemberId qualificationId lostOn regainedOn through { certificationId } } }
  planCrew(organizationId: $organization, needs: $needs, day: $day) { needs { eligible { organizationMemberId } } }
  previewRequirements(organizationId: $organization, qualificationId: $first, requirements: $requirements, asOf: $day) {
    qualifiedBefore qualifiedAfter changes { nodes { organizationMemberId effect missingCertificationTypeIds } } }
}`;
const results = (more: string) => `query ($organization: ID!, $member: ID!, $day: Date!) {
  qualificationResults(organizationId: $organization, organizationMemberId: $member, asOf: $day) { nodes { ${result} ${more} } } }`;

const upper = <Told extends { status: string }>({ status, ...told }: Told) => ({
  ...told,
  status: status.toUpperCase(),
});
const required = ({ qualifications }: World) => qualifications.map(requiredTypes);

/** The answers as the evaluator gives them, from what the world holds. */
function expectedOf(of: World) {
  const { day, ahead } = of;
  const sets = required(of);
  const people = membersOf(of).filter(({ status }) => status !== 'suspended');
  const isQualified = (set: readonly string[] = [], held: ReadonlySet<string>) =>
    evaluate(set, held).status === 'qualified';
  const standing = people
    .filter(({ hasRole }) => hasRole)
    .map((member) => ({ ...member, held: heldOf(member, day) }));
  const rows = (withLoss: boolean) =>
    standing.map(({ id, held, records }) => ({
      organizationMemberId: id,
      cells: sets.map((set, index) => {
        const { missingCertificationTypeIds: _, ...told } = upper(evaluate(set, held));
        return {
          qualificationId: qualificationIds[index],
          ...told,
          ...(withLoss && { lostOn: expirationsOf(day, records)(set) }),
        };
      }),
    }));
  const totals = sets.map((set, index) => ({
    qualificationId: qualificationIds[index],
    qualifiedCount: standing.filter(({ held }) => isQualified(set, held)).length,
  }));
  const losses = standing.flatMap(({ id, records }) =>
    sets.flatMap((set, index) =>
      forecaster(
        day,
        ahead,
        records,
      )(set).map(({ lostOn, regainedOn, through }) => ({
        organizationMemberId: id,
        qualificationId: qualificationIds[index] ?? '',
        lostOn,
        regainedOn,
        through: through.map(({ certificationId }) => ({ certificationId })),
      })),
    ),
  );
  const keyOf = (loss: (typeof losses)[number]) =>
    `${loss.lostOn}/${loss.qualificationId}/${loss.organizationMemberId}`;
  const [old, wanted] = sets;
  const all = people.map((member) => ({ id: member.id, held: heldOf(member, day) }));
  const compared = all.map(({ id, held }) => ({
    id,
    before: isQualified(old, held),
    after: evaluate(wanted ?? [], held),
  }));
  const changed = compared.filter(({ before, after }) => before !== (after.status === 'qualified'));
  return {
    whole: { memberCount: standing.length, totals, members: { nodes: rows(true) } },
    page: { memberCount: standing.length, members: { nodes: rows(false) } },
    qualificationForecast: { nodes: losses.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) },
    planCrew: {
      needs: sets.map((set) => ({
        eligible: all
          .filter(({ held }) => isQualified(set, held))
          .map(({ id }) => ({ organizationMemberId: id })),
      })),
    },
    previewRequirements: {
      qualifiedBefore: compared.filter(({ before }) => before).length,
      qualifiedAfter: compared.filter(({ after }) => after.status === 'qualified').length,
      changes: {
        nodes: changed.map(({ id, before, after: { missingCertificationTypeIds } }) => ({
          organizationMemberId: id,
          effect: before ? 'LOSES' : 'GAINS',
          missingCertificationTypeIds,
        })),
      },
    },
  };
}

describe('A random world answers as the evaluator', () => {
  const seen = { qualified: 0, lost: 0, changed: 0 };

  test('to every question about the whole, and to results with and without their reasons', async () => {
    await seedWorlds(app.db);
    const ask = async (of: World) => {
      await write(app.db, of);
      const { day, ahead, qualifications } = of;
      const variables = {
        organization: skylineId,
        role: roleId,
        qualifications: qualificationIds,
        day,
        days: ahead,
      };
      const needs = qualificationIds.map((qualificationId) => ({ qualificationId, count: 1 }));
      const expected = expectedOf(of);
      const answer = await manager.data(question, {
        ...variables,
        needs,
        first: qualificationIds[0],
        requirements: qualifications[1],
      });
      expect(answer).toStrictEqual(expected);
      const each = async (member: ReturnType<typeof membersOf>[number]) => {
        const sets = required(of).map((set, index) => ({
          qualificationId: qualificationIds[index],
          ...upper(evaluate(set, heldOf(member, day))),
        }));
        for (const more of ['', 'since']) {
          const { nodes } = (
            await manager.data(results(more), { organization: skylineId, member: member.id, day })
          ).qualificationResults;
          const found = new Map(
            nodes.map(({ since: _, ...told }: { qualificationId: string; since?: unknown }) => [
              told.qualificationId,
              told,
            ]),
          );
          expect(sets.map(({ qualificationId }) => found.get(qualificationId))).toStrictEqual(sets);
        }
      };
      await Promise.all(membersOf(of).map(each));
      for (const { qualifiedCount } of expected.whole.totals) seen.qualified += qualifiedCount;
      seen.lost += expected.qualificationForecast.nodes.length;
      seen.changed += expected.previewRequirements.changes.nodes.length;
    };
    await fc.assert(fc.asyncProperty(world, ask), { numRuns: 25 });
    ensure(seen.qualified > 10 && seen.lost > 4 && seen.changed > 4, JSON.stringify(seen));
  });
});
