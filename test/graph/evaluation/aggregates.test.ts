/** Forecast, readiness, crew and preview on the demo set, against results asked one by one. */
import { randomUUID } from 'node:crypto';
import { dayAfter, today } from '../../../src/scalars/day.js';
import { type Body, startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { ensure } from '../../support/expect.js';
import { countStatements, graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const organization = demo.skylineId;

const forecast = `query ($organization: ID!, $days: DayCount!, $first: Int, $after: String, $asOf: Date, $role: ID) {
  qualificationForecast(organizationId: $organization, days: $days, first: $first, after: $after, asOf: $asOf, jobRoleId: $role) {
    nodes { lostOn regainedOn organizationMemberId qualificationId organizationMember { displayName } qualification { name }
      through { certificationTypeId certificationId certification { expiresOn organizationMemberId } certificationType { slug } } }
    pageInfo { hasNextPage nextCursor } } }`;
const readiness = `query ($organization: ID!, $role: ID, $qualifications: [ID!], $asOf: Date, $knownAt: DateTime, $first: Int, $after: String) {
  readiness(organizationId: $organization, jobRoleId: $role, qualificationIds: $qualifications, asOf: $asOf, knownAt: $knownAt) {
    asOf memberCount
    totals { qualifiedCount qualification { id slug } }
    members(first: $first, after: $after) {
      nodes { organizationMemberId organizationMember { displayName status } cells { qualificationId status metRequirementCount totalRequirementCount lostOn } }
      pageInfo { nextCursor } } } }`;
const crew = `query ($organization: ID!, $day: Date!, $needs: [CrewNeed!]!) { planCrew(organizationId: $organization, day: $day, needs: $needs) {
  day isFilled missingCount shortage { qualificationIds neededCount eligibleCount explanation }
  needs { qualificationId count eligibleCount missingCount qualification { name } eligible(first: 200) { organizationMemberId } assigned { organizationMemberId organizationMember { displayName } } } } }`;
const preview = `query ($organization: ID!, $qualification: ID!, $requirements: [RequirementInput!]!, $asOf: Date, $first: Int, $after: String) {
  previewRequirements(organizationId: $organization, qualificationId: $qualification, requirements: $requirements, asOf: $asOf) {
    asOf qualifiedBefore qualifiedAfter gainCount lossCount
    changes(first: $first, after: $after) { nodes { effect organizationMemberId missingCertificationTypeIds organizationMember { displayName } } pageInfo { nextCursor } } } }`;

interface Cell {
  readonly qualificationId: string;
  readonly status: string;
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
  readonly lostOn: string | null;
}
interface Row {
  readonly organizationMemberId: string;
  readonly organizationMember: { readonly displayName: string; readonly status: string };
  readonly cells: Cell[];
}
interface Loss {
  readonly lostOn: string;
  readonly regainedOn: string | null;
  readonly organizationMemberId: string;
  readonly qualificationId: string;
  readonly through: { certification: { expiresOn: string; organizationMemberId: string } }[];
}

const readinessOn = async (variables: object = {}) =>
  (await manager.data(readiness, { organization, first: 100, ...variables })).readiness;
const qualifiedOn = async (asOf: string): Promise<Set<string>> =>
  new Set(
    (await readinessOn({ asOf })).members.nodes.flatMap(({ organizationMemberId, cells }: Row) =>
      cells
        .filter(({ status }) => status === 'QUALIFIED')
        .map(({ qualificationId }) => `${organizationMemberId} ${qualificationId}`),
    ),
  );

describe('readiness', () => {
  test('has every member but the suspended, by name, and all qualifications to use, each as the result says', async () => {
    const { asOf, memberCount, totals, members } = await readinessOn();
    expect(asOf).toBe(today());
    const nodes: Row[] = members.nodes;
    expect(memberCount).toBe(nodes.length);
    const [{ count } = { count: 0 }] = await app.db.query<{ count: number }>(
      `select count(*)::int as count from organization_members where organization_id = $1 and status <> 'suspended'`,
      [organization],
    );
    expect(memberCount).toBe(count);
    expect(nodes.every(({ organizationMember }) => organizationMember.status !== 'SUSPENDED')).toBe(
      true,
    );
    expect(totals).toHaveLength(12);

    const results = `query ($organization: ID!, $member: ID!) { qualificationResults(organizationId: $organization, organizationMemberId: $member) {
      nodes { qualificationId status metRequirementCount totalRequirementCount lostOn } } }`;
    for (const { organizationMemberId: member, cells } of nodes.slice(0, 12)) {
      const { nodes: expected } = (await manager.data(results, { organization, member }))
        .qualificationResults;
      const byId = (a: Cell, b: Cell) => (a.qualificationId < b.qualificationId ? -1 : 1);
      expect([...cells].sort(byId)).toStrictEqual(expected);
    }
    for (const [index, { qualifiedCount, qualification }] of totals.entries()) {
      const column = nodes.map(({ cells }) => cells[index]);
      expect(column.every((cell) => cell?.qualificationId === qualification.id)).toBe(true);
      expect(qualifiedCount).toBe(column.filter((cell) => cell?.status === 'QUALIFIED').length);
    }
    expect(
      totals.some(({ qualifiedCount }: { qualifiedCount: number }) => qualifiedCount > 2),
    ).toBeTruthy();
  });

  test('pages by member', async () => {
    const all = (await readinessOn()).members.nodes;
    const paged: Row[] = [];
    for (let after: string | null = null, pages = 0; pages < 20; pages++) {
      const { members } = await readinessOn({ first: 7, after });
      paged.push(...members.nodes);
      after = members.pageInfo.nextCursor;
      if (!after) break;
    }
    expect(paged).toStrictEqual(all);
    const { nextCursor: after } = (await readinessOn({ first: 7 })).members.pageInfo;
    const elsewhere = { organization, first: 7, after, role: demo.jobRoleId('tower-foreman') };
    expect(Object.keys((await manager.refusal(readiness, elsewhere)).details)).toEqual(['after']);
  });

  test('for a job role: its members, for the qualifications that it needs, or those named', async () => {
    const role = demo.jobRoleId('tower-foreman');
    const slugs = ({ totals }: { totals: { qualification: { slug: string } }[] }) =>
      totals.map(({ qualification }) => qualification.slug);
    const names = ({ members }: { members: { nodes: Row[] } }) =>
      members.nodes.map(({ organizationMember }) => organizationMember.displayName);
    const foremen = await readinessOn({ role });
    expect([slugs(foremen), names(foremen)]).toEqual([
      ['site-foreman'],
      ['Keisha Broussard', 'Marcus Delgado', 'Tomás Echeverría'],
    ]);
    const named = await readinessOn({
      role,
      qualifications: ['pim-tester', 'gin-pole-crew'].map(demo.qualificationId),
    });
    expect([slugs(named), names(named)]).toStrictEqual([
      ['pim-tester', 'gin-pole-crew'],
      names(foremen),
    ]);
    expect(
      (await readinessOn({ role: demo.jobRoleId('drone-inspection-pilot'), qualifications: [] }))
        .totals,
    ).toEqual([]);
  });

  test('names what cannot be used', async () => {
    const qualifications = [
      demo.qualificationId('pim-tester'),
      demo.qualificationId('splice-lead'),
      demo.nothing,
    ];
    const { code, details } = await manager.refusal(readiness, { organization, qualifications });
    expect([code, Object.keys(details)]).toEqual([
      'VALIDATION_ERROR',
      ['qualificationIds.1', 'qualificationIds.2'],
    ]);
    expect(
      Object.keys(
        (
          await manager.refusal(readiness, {
            organization,
            role: demo.jobRoleId('splice-crew-lead'),
          })
        ).details,
      ),
    ).toEqual(['jobRoleId']);
  });

  test('of a past day, and of past knowledge, is what the records then were', async () => {
    const [{ made } = { made: '' }] = await app.db.query<{ made: string }>(
      'select min(recorded_at) as made from certification_history',
    );
    expect(
      (await readinessOn({ knownAt: made })).totals.every(
        ({ qualifiedCount }: { qualifiedCount: number }) => qualifiedCount === 0,
      ),
    ).toBeTruthy();
    const [yesterday, now] = [
      await readinessOn({ asOf: dayAfter(today(), -200) }),
      await readinessOn(),
    ];
    expect(yesterday.asOf).toBe(dayAfter(today(), -200));
    expect(yesterday.totals).not.toStrictEqual(now.totals);
    const results = `query ($organization: ID!, $member: ID!, $asOf: Date) { qualificationResults(organizationId: $organization, organizationMemberId: $member, asOf: $asOf) {
      nodes { qualificationId status } } }`;
    const { organizationMemberId: member, cells } = yesterday.members.nodes[4];
    const { nodes } = (await manager.data(results, { organization, member, asOf: yesterday.asOf }))
      .qualificationResults;
    expect(
      new Map(cells.map(({ qualificationId, status }: Cell) => [qualificationId, status])),
    ).toStrictEqual(
      new Map(nodes.map(({ qualificationId, status }: Cell) => [qualificationId, status])),
    );
  });
});

describe('the forecast', () => {
  const readAll = async (days: number, variables: object = {}): Promise<Loss[]> => {
    const all: Loss[] = [];
    for (let after: string | null = null; ; ) {
      const { nodes, pageInfo }: Body = (
        await manager.data(forecast, { organization, days, first: 3, after, ...variables })
      ).qualificationForecast;
      all.push(...nodes);
      after = pageInfo.nextCursor;
      if (!after) return all;
    }
  };

  test('has what readiness loses day by day, each once, in order, through records that end the day before', async () => {
    const days = 30;
    const losses = await readAll(days);
    const expected: string[] = [];
    for (let day = 1, before = await qualifiedOn(today()); day <= days; day++) {
      const asOf = dayAfter(today(), day);
      const after = await qualifiedOn(asOf);
      expected.push(...[...before].filter((key) => !after.has(key)).map((key) => `${asOf} ${key}`));
      before = after;
    }
    const told = losses.map(
      ({ lostOn, organizationMemberId, qualificationId }) =>
        `${lostOn} ${organizationMemberId} ${qualificationId}`,
    );
    ensure(told.length > 3, String(told.length));
    expect([...told].sort()).toStrictEqual(expected.sort());
    const order = losses.map(
      ({ lostOn, organizationMemberId, qualificationId }) =>
        `${lostOn} ${qualificationId} ${organizationMemberId}`,
    );
    expect(order).toStrictEqual([...order].sort());
    for (const { lostOn, organizationMemberId, through } of losses) {
      expect(through.length).toBeGreaterThan(0);
      for (const { certification } of through)
        expect(certification).toStrictEqual({
          expiresOn: dayAfter(lostOn, -1),
          organizationMemberId,
        });
    }
  });

  test('looks ahead of the day asked for, and narrows to a job role', async () => {
    const [first] = await readAll(366);
    ensure(first);
    ensure((await readAll(1, { asOf: dayAfter(first.lostOn, -1) }))[0]?.lostOn === first.lostOn);
    expect(
      (await readAll(366, { asOf: first.lostOn })).every(({ lostOn }) => lostOn > first.lostOn),
    ).toBe(true);
    expect(
      (await readAll(366, { role: demo.jobRoleId('tower-foreman') })).every(
        ({ qualificationId }) => qualificationId === demo.qualificationId('site-foreman'),
      ),
    ).toBe(true);
  });

  test('refuses a number of days out of range, and a foreign cursor', async () => {
    for (const days of [0, 367])
      expect(
        Object.keys((await manager.refusal(forecast, { organization, days })).details),
      ).toEqual(['days']);
    const { pageInfo } = (await manager.data(forecast, { organization, days: 366, first: 1 }))
      .qualificationForecast;
    const { details } = await manager.refusal(forecast, {
      organization,
      days: 365,
      first: 1,
      after: pageInfo.nextCursor,
    });
    expect(Object.keys(details)).toEqual(['after']);
  });
});

describe('a crew', () => {
  const need = (slug: string, count: number) => ({
    qualificationId: demo.qualificationId(slug),
    count,
  });
  const plan = async (needs: object[], day = today()) =>
    (await manager.data(crew, { organization, day, needs })).planCrew;

  test('is filled by distinct people who are qualified on the day', async () => {
    const { isFilled, missingCount, shortage, needs } = await plan([
      need('lead-climber', 2),
      need('supervised-climber', 3),
    ]);
    expect([isFilled, missingCount, shortage]).toEqual([true, 0, null]);
    const qualified = await qualifiedOn(today());
    type Planned = {
      qualificationId: string;
      assigned: { organizationMemberId: string }[];
      eligible: { organizationMemberId: string }[];
      eligibleCount: number;
    };
    for (const { qualificationId, assigned, eligible, eligibleCount } of needs as Planned[]) {
      expect(eligible).toHaveLength(eligibleCount);
      expect([...qualified].filter((key) => key.endsWith(qualificationId))).toHaveLength(
        eligibleCount,
      );
      for (const { organizationMemberId } of [...assigned, ...eligible])
        expect(qualified.has(`${organizationMemberId} ${qualificationId}`)).toBe(true);
    }
    const all = (needs as Planned[]).flatMap(({ assigned }) =>
      assigned.map(({ organizationMemberId }) => organizationMemberId),
    );
    expect([all.length, new Set(all).size]).toEqual([5, 5]);
  });

  test('that cannot be filled says what is short, in a sentence too', async () => {
    const { eligibleCount } = (await plan([need('lead-climber', 1)])).needs[0];
    const { isFilled, missingCount, shortage, needs } = await plan([
      need('supervised-climber', 1),
      need('lead-climber', eligibleCount + 2),
    ]);
    expect([
      isFilled,
      missingCount,
      needs.map(({ missingCount: each }: { missingCount: number }) => each),
    ]).toEqual([false, 2, [0, 2]]);
    expect(shortage).toStrictEqual({
      qualificationIds: [demo.qualificationId('lead-climber')],
      neededCount: eligibleCount + 2,
      eligibleCount,
      explanation: `Lead Climber needs ${eligibleCount + 2} people, and only ${eligibleCount} are qualified for it on ${today()}.`,
    });
    const future = await plan([need('lead-climber', 1)], '2150-01-01');
    expect(future.shortage.explanation).toBe(
      'Lead Climber needs 1 person, and no member is qualified for it on 2150-01-01.',
    );
  });

  test('names needs that are doubled, too many, or of what cannot be used', async () => {
    const refused = async (needs: object[]) =>
      Object.keys((await manager.refusal(crew, { organization, day: today(), needs })).details);
    expect(
      await refused([need('lead-climber', 1), need('pim-tester', 1), need('lead-climber', 1)]),
    ).toEqual(['needs.2.qualificationId']);
    expect(await refused([need('lead-climber', 1), need('splice-lead', 1)])).toEqual([
      'needs.1.qualificationId',
    ]);
    expect(await refused([need('lead-climber', 0)])).toEqual(['needs.0.count']);
    expect(await refused([])).toEqual(['needs']);
    expect(await refused(Array.from({ length: 13 }, () => need('lead-climber', 1)))).toEqual([
      'needs',
    ]);
  });
});

describe('a preview of requirements', () => {
  const qualification = demo.qualificationId('lead-climber');
  const requirement = (slug: string, isRequired = true) => ({
    certificationTypeId: demo.typeId(slug),
    isRequired,
  });

  test('tells who would gain and lose, page by page, as replacing them then shows; nothing is written', async () => {
    const { id } = (
      await manager.data(
        `mutation ($organization: ID!) { createQualification(organizationId: $organization, input: { name: "Preview" }) { id } }`,
        { organization },
      )
    ).createQualification;
    const replace = `mutation ($organization: ID!, $id: ID!, $requirements: [RequirementInput!]!) {
      replaceQualificationRequirements(organizationId: $organization, qualificationId: $id, input: { requirements: $requirements }) { isRequired } }`;
    await manager.data(replace, {
      organization,
      id,
      requirements: [requirement('osha-10'), requirement('rf-awareness')],
    });
    const written = () => app.db.query('select count(*) from audit_events');
    const qualified = async () =>
      new Set(
        [...(await qualifiedOn(today()))]
          .filter((key) => key.endsWith(id))
          .map((key) => key.slice(0, 36)),
      );
    const [before, audits] = [await qualified(), await written()];

    const requirements = [
      requirement('rf-awareness'),
      requirement('competent-climber'),
      requirement('osha-10', false),
    ];
    const changes: {
      effect: string;
      organizationMemberId: string;
      missingCertificationTypeIds: string[];
    }[] = [];
    let told:
      | { qualifiedBefore: number; qualifiedAfter: number; gainCount: number; lossCount: number }
      | undefined;
    for (let after: string | null = null; ; ) {
      const { changes: page, ...counts }: Body = (
        await manager.data(preview, {
          organization,
          qualification: id,
          requirements,
          first: 2,
          after,
        })
      ).previewRequirements;
      changes.push(...page.nodes);
      told = counts;
      after = page.pageInfo.nextCursor;
      if (!after) break;
    }
    expect(await written()).toStrictEqual(audits);
    expect(await qualified()).toStrictEqual(before);

    await manager.data(replace, { organization, id, requirements });
    const after = await qualified();
    const by = (effect: string) =>
      new Set(
        changes
          .filter((each) => each.effect === effect)
          .map(({ organizationMemberId }) => organizationMemberId),
      );
    expect(by('GAINS')).toStrictEqual(new Set([...after].filter((each) => !before.has(each))));
    expect(by('LOSES')).toStrictEqual(new Set([...before].filter((each) => !after.has(each))));
    expect(by('GAINS').size).toBeGreaterThan(0);
    expect(by('LOSES').size).toBeGreaterThan(0);
    expect(told).toMatchObject({
      qualifiedBefore: before.size,
      qualifiedAfter: after.size,
      gainCount: by('GAINS').size,
      lossCount: by('LOSES').size,
    });
    expect(
      changes.every(
        ({ effect, missingCertificationTypeIds }) =>
          (effect === 'GAINS') === (missingCertificationTypeIds.length === 0),
      ),
    ).toBe(true);
  });

  test('of the set as it is changes nothing', async () => {
    const requirements = [
      'nwsa-ttt2',
      'competent-climber',
      'competent-rescuer',
      'rf-awareness',
      'first-aid-cpr-aed',
    ].map((slug) => requirement(slug));
    const { gainCount, lossCount, qualifiedBefore, qualifiedAfter } = (
      await manager.data(preview, { organization, qualification, requirements })
    ).previewRequirements;
    expect([gainCount, lossCount, qualifiedBefore]).toStrictEqual([0, 0, qualifiedAfter]);
  });

  test('refuses what could not be stored', async () => {
    const refused = async (variables: object) =>
      Object.keys(
        (
          await manager.refusal(preview, {
            organization,
            qualification,
            requirements: [],
            ...variables,
          })
        ).details,
      );
    expect(
      await refused({ requirements: [requirement('osha-10'), requirement('osha-10')] }),
    ).toEqual(['requirements.1.certificationTypeId']);
    expect(await refused({ requirements: [requirement('splice-assessment')] })).toEqual([
      'requirements.0.certificationTypeId',
    ]);
    expect(await refused({ qualification: randomUUID() })).toEqual(['qualificationId']);
  });
});

describe('of an organization as a whole', () => {
  const questions: [
    name: string,
    query: string,
    variables: object,
    scopes: string[],
    statements: number,
  ][] = [
    [
      'readiness',
      readiness,
      { first: 5 },
      ['organization_members:read', 'certification_records:read'],
      6,
    ],
    [
      'qualificationForecast',
      forecast,
      { days: 366, first: 5 },
      ['organization_members:read', 'certification_records:read'],
      7,
    ],
    [
      'planCrew',
      crew,
      {
        day: '2026-12-01',
        needs: [{ qualificationId: demo.qualificationId('lead-climber'), count: 2 }],
      },
      ['organization_members:read', 'certification_records:read'],
      5,
    ],
    [
      'previewRequirements',
      preview,
      {
        qualification: demo.qualificationId('lead-climber'),
        requirements: [{ certificationTypeId: demo.typeId('osha-10') }],
      },
      ['organization_members:read', 'certification_records:read', 'qualifications:read'],
      5,
    ],
  ];

  for (const [name, query, variables, scopes, statements] of questions) {
    test(`${name} is for its managers, and for apps with ${scopes.join(', ')}`, async () => {
      for (const who of [demo.climberEmail, 'admin@harbor.example']) {
        // Members have a wall of their own: it must not be the one that is met.
        const bare = query.replace(/organizationMember \{[^}]*\}/g, '');
        const { code, details } = await graphOf(app, who).refusal(bare, {
          organization,
          ...variables,
        });
        expect([code, details]).toStrictEqual(['FORBIDDEN', undefined]);
      }
      await makeOnce();
      for (const scope of scopes) {
        const { code, details } = await graphOf(
          app,
          demo.managerEmail,
          appWithout(scope as 'qualifications:read'),
        ).refusal(query, {
          organization,
          ...variables,
        });
        expect([code, details]).toStrictEqual(['INSUFFICIENT_SCOPE', { required_scope: scope }]);
      }
      expect((await app.graphql(query, { organization, ...variables })).status).toBe(401);
    });

    test(`${name} takes ${statements} statements, and one more for a past day at the most`, async () => {
      const count = (more: object = {}) =>
        countStatements(app, () => manager.data(query, { organization, ...variables, ...more }));
      expect(await count()).toBe(statements);
      if ('first' in variables) expect(await count({ first: 40 })).toBe(statements);
      if (name !== 'planCrew')
        expect(await count({ asOf: '2026-06-01' })).toBeLessThanOrEqual(statements + 1);
    });
  }

  let made: Promise<void> | undefined;
  const makeOnce = () => (made ??= makeAppsWithoutOneScope(app.db));
});

describe('what a job role needs', () => {
  const replace = `mutation ($organization: ID!, $role: ID!, $qualifications: [ID!]!) {
    replaceJobRoleQualifications(organizationId: $organization, jobRoleId: $role, qualificationIds: $qualifications) { updatedAt qualifications { slug } } }`;
  const role = demo.jobRoleId('night-crew-coordinator');
  const ids = (...slugs: string[]) => slugs.map(demo.qualificationId);
  const put = async (...slugs: string[]) => {
    const { updatedAt, qualifications } = (
      await manager.data(replace, { organization, role, qualifications: ids(...slugs) })
    ).replaceJobRoleQualifications;
    return { updatedAt, slugs: qualifications.map(({ slug }: { slug: string }) => slug) };
  };

  test('is replaced as a whole, in order, and changes the role; the same set changes nothing', async () => {
    const first = await put('rigging-crew', 'night-crew', 'pim-tester');
    expect(first.slugs).toEqual(['rigging-crew', 'night-crew', 'pim-tester']);
    expect(await put('rigging-crew', 'night-crew', 'pim-tester')).toStrictEqual(first);
    const second = await put('pim-tester', 'rigging-crew');
    expect(second.slugs).toEqual(['pim-tester', 'rigging-crew']);
    expect(second.updatedAt > first.updatedAt).toBe(true);
    const { totals, members } = await readinessOn({ role });
    expect(
      totals.map(({ qualification }: { qualification: { slug: string } }) => qualification.slug),
    ).toStrictEqual(second.slugs);
    expect(members.nodes.length).toBeGreaterThan(0);
    const events = await app.db.query(
      `select distinct action from audit_events where subject_type = 'JobRoleQualification' and user_id = $1 order by action`,
      [demo.userId(demo.managerEmail)],
    );
    expect(events).toStrictEqual([
      { action: 'create' },
      { action: 'delete' },
      { action: 'update' },
    ]);
  });

  test('keeps one that was archived meanwhile, and takes no other such', async () => {
    await put('rigging-crew', 'night-crew');
    const archive = (slug: string, status: string) =>
      app.db.query('update qualifications set status = $2 where id = $1', [
        demo.qualificationId(slug),
        status,
      ]);
    await archive('night-crew', 'archived');
    expect((await put('night-crew', 'pim-tester')).slugs).toEqual(['night-crew', 'pim-tester']);
    await put('pim-tester');
    const variables = { organization, role, qualifications: ids('night-crew') };
    expect(Object.keys((await manager.refusal(replace, variables)).details)).toEqual([
      'qualificationIds.0',
    ]);
    await archive('night-crew', 'active');
  });

  test('names what cannot be used or is doubled, and is for managers of the owner', async () => {
    const variables = {
      organization,
      role,
      qualifications: ids('pim-tester', 'splice-lead', 'pim-tester'),
    };
    expect(Object.keys((await manager.refusal(replace, variables)).details)).toEqual([
      'qualificationIds.1',
      'qualificationIds.2',
    ]);
    const sound = { organization, qualifications: ids('pim-tester') };
    expect((await graphOf(app, demo.climberEmail).refusal(replace, { ...sound, role })).code).toBe(
      'FORBIDDEN',
    );
    expect(
      (await manager.refusal(replace, { ...sound, role: demo.jobRoleId('rigger') })).code,
    ).toBe('FORBIDDEN');
    expect(
      (await manager.refusal(replace, { ...sound, role: demo.jobRoleId('splice-crew-lead') })).code,
    ).toBe('NOT_FOUND');
    expect(
      (await graphOf(app, 'admin@harbor.example').refusal(replace, { ...sound, role })).code,
    ).toBe('FORBIDDEN');
  });
});

describe('an organization with more than 200 qualifications', () => {
  const more = 2000;

  test('has its readiness and forecast without naming them, and says what is too much', async () => {
    const [total, before] = [
      (await readinessOn()).totals.length,
      (await manager.data(forecast, { organization, days: 366, first: 200 })).qualificationForecast
        .nodes,
    ];
    await app.db.query(
      `insert into qualifications (id, organization_id, scope, slug, name, created_at, updated_at)
       select gen_random_uuid(), $1, 'organization', 'many-' || n, 'zz many ' || n, now(), now() from generate_series(1, $2::int) n`,
      [organization, more],
    );
    await app.db.query(
      `insert into qualification_requirements (organization_id, qualification_id, certification_type_id, is_required, position, created_at, updated_at)
       select organization_id, id, $2, true, 0, now(), now() from qualifications where organization_id = $1 and slug like 'many-%'`,
      [organization, demo.typeId('rf-awareness')],
    );
    const { totals, members } = await readinessOn({ first: 20 });
    expect(totals).toHaveLength(total + more);
    for (const { cells } of members.nodes) expect(cells).toHaveLength(total + more);
    const { nodes } = (await manager.data(forecast, { organization, days: 366, first: 200 }))
      .qualificationForecast;
    expect(nodes.length > before.length || nodes.length === 200).toBe(true);

    const cells = `query ($organization: ID!, $first: Int!) {
      readiness(organizationId: $organization) { members(first: $first) { nodes { cells { status } } } } }`;
    const { code, message, details } = await manager.refusal(cells, { organization, first: 200 });
    expect([code, details.limit]).toEqual(['INVALID_REQUEST', 50_000]);
    expect(message).toMatch(/"first"/);
    const qualifications = Array.from({ length: 201 }, () => demo.qualificationId('pim-tester'));
    expect(
      Object.keys((await manager.refusal(readiness, { organization, qualifications })).details),
    ).toEqual(['qualificationIds']);
  });
});
