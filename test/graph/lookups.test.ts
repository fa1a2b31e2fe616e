/** One member or certification record by a key of the organization or of another system. */
import { apiScopes } from '../../src/auth/scopes.js';
import { startApp } from '../support/app.js';
import { appWithout, makeApp, makeAppsWithoutOneScope } from '../support/apps.js';
import { countStatements, graphOf } from '../support/graph.js';
import {
  bothEmail,
  climberEmail,
  harborId,
  managerEmail,
  memberId,
  nothing,
  skylineId,
  suspendedEmail,
} from '../support/names.js';

const app = await startApp();
const manager = graphOf(app, managerEmail);
const climber = graphOf(app, climberEmail);

const member = (declared: string) =>
  `query ($o: ID!, ${declared}) { it: findOrganizationMember(organizationId: $o, ${declared.replaceAll(
    /\$(\w+): \w+!?/g,
    '$1: $$$1',
  )}) { id email externalId displayName } }`;
const byId = member('$id: ID');
const byEmail = member('$email: Email');
const byExternalId = member('$externalId: ExternalId');
const byAll = member('$id: ID, $externalId: ExternalId, $email: Email');
const record = `query ($o: ID!, $externalId: ExternalId!, $externalSource: ExternalId) {
  it: findCertification(organizationId: $o, externalId: $externalId, externalSource: $externalSource) { id externalId externalSource } }`;

const colleagueEmail = 'desta.alemu@skyline.example';
const harborEmail = 'rafael.montoya@harbor.example';

interface Stored {
  readonly id: string;
  readonly externalId: string;
  readonly externalSource: string | null;
}
const recordsOf = (organizationId: string, holder: string) =>
  app.db.query<Stored>(
    `select id, external_id as "externalId", external_source as "externalSource" from certifications
     where organization_id = $1 and organization_member_id = $2 and external_id is not null order by id`,
    [organizationId, holder],
  );

describe('a member', () => {
  test('by id, by external id and by e-mail address in any case', async () => {
    const { it } = await manager.data(byId, { o: skylineId, id: memberId(climberEmail) });
    expect(it.email).toBe(climberEmail);
    expect(it.externalId).not.toBe('');
    const found = [
      await manager.data(byExternalId, { o: skylineId, externalId: it.externalId }),
      await manager.data(byEmail, { o: skylineId, email: climberEmail }),
      await manager.data(byEmail, { o: skylineId, email: ` ${climberEmail.toUpperCase()} ` }),
      await manager.data(byAll, { o: skylineId, email: climberEmail, id: null }),
    ];
    expect(found).toEqual([{ it }, { it }, { it }, { it }]);
  });

  test('by an address with a letter that JavaScript and PostgreSQL lower differently', async () => {
    const email = 'İlker.Σας@skyline.example';
    const { createOrganizationMember } = await manager.data(
      'mutation ($o: ID!, $email: Email!) { createOrganizationMember(organizationId: $o, input: { email: $email }) { id } }',
      { o: skylineId, email },
    );
    const { it } = await manager.data(byEmail, { o: skylineId, email });
    expect(it.id).toBe(createOrganizationMember.id);
  });

  test('none: null', async () => {
    const none = [
      await manager.data(byId, { o: skylineId, id: nothing }),
      await manager.data(byExternalId, { o: skylineId, externalId: 'nobody' }),
      await manager.data(byEmail, { o: skylineId, email: 'nobody@skyline.example' }),
    ];
    expect(none).toEqual([{ it: null }, { it: null }, { it: null }]);
  });

  test('of another organization: null', async () => {
    const id = memberId(harborEmail, 'harbor-fiber');
    const [other] = await app.db.query<{ externalId: string }>(
      'select external_id as "externalId" from organization_members where organization_id = $1 and id = $2',
      [harborId, id],
    );
    for (const who of [manager, graphOf(app, bothEmail)]) {
      const none = [
        await who.data(byId, { o: skylineId, id }),
        await who.data(byEmail, { o: skylineId, email: harborEmail }),
        await who.data(byExternalId, { o: skylineId, externalId: other?.externalId }),
      ];
      expect(none).toEqual([{ it: null }, { it: null }, { it: null }]);
    }
  });

  test('for a member without a managing role: themselves, and null for a colleague as for nobody', async () => {
    const own = await manager.data(byId, { o: skylineId, id: memberId(climberEmail) });
    expect(await climber.data(byEmail, { o: skylineId, email: climberEmail })).toEqual(own);
    expect(
      await climber.data(byExternalId, { o: skylineId, externalId: own.it.externalId }),
    ).toEqual(own);
    const colleague = (await manager.data(byId, { o: skylineId, id: memberId(colleagueEmail) })).it;
    const asked: [string, object][] = [
      [byId, { id: colleague.id }],
      [byEmail, { email: colleagueEmail }],
      [byExternalId, { externalId: colleague.externalId }],
    ];
    for (const [query, key] of asked)
      expect(await climber.data(query, { o: skylineId, ...key })).toEqual({ it: null });
  });

  test('with no key, or more than one: 422', async () => {
    const several = ['must be the only key: give one of id, externalId and email'];
    const cases: [object, object][] = [
      [{}, { id: ['is required, unless externalId or email is given'] }],
      [{ id: null, email: null }, { id: ['is required, unless externalId or email is given'] }],
      [
        { id: nothing, email: climberEmail },
        { id: several, email: several },
      ],
      [
        { id: nothing, externalId: 'x', email: climberEmail },
        { id: several, externalId: several, email: several },
      ],
    ];
    for (const [key, details] of cases)
      expect(await manager.refusal(byAll, { o: skylineId, ...key })).toMatchObject({
        code: 'VALIDATION_ERROR',
        details,
      });
    expect(await manager.refusal(byEmail, { o: skylineId, email: 'x' })).toMatchObject({
      details: { email: ['must be an e-mail address'] },
    });
    expect(await manager.refusal(byExternalId, { o: skylineId, externalId: ' ' })).toMatchObject({
      details: { externalId: ['must not be empty'] },
    });
  });
});

describe('a certification record', () => {
  test('by external id and system', async () => {
    const rows = await recordsOf(skylineId, memberId(climberEmail));
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, externalId, externalSource } of rows) {
      const variables = { o: skylineId, externalId, externalSource };
      expect((await manager.data(record, variables)).it.id).toBe(id);
      expect((await climber.data(record, variables)).it.id).toBe(id);
    }
  });

  test('the same external id in several systems, and in none', async () => {
    const create = (externalSource: string | null) =>
      manager.data(
        `mutation ($o: ID!, $input: CertificationCreate!) { it: createCertification(organizationId: $o, input: $input) { id } }`,
        {
          o: skylineId,
          input: {
            organizationMemberId: memberId(climberEmail),
            certificationTypeId: rowsOf.typeId,
            externalId: 'SAME',
            externalSource,
          },
        },
      );
    const [row] = await app.db.query<{ typeId: string }>(
      'select certification_type_id as "typeId" from certifications where organization_id = $1 limit 1',
      [skylineId],
    );
    const rowsOf = { typeId: row?.typeId };
    for (const externalSource of ['one', 'other', null]) {
      const made = (await create(externalSource)).it.id;
      const { it } = await manager.data(record, {
        o: skylineId,
        externalId: 'SAME',
        externalSource,
      });
      expect(it).toEqual({ id: made, externalId: 'SAME', externalSource });
    }
    const variables = { o: skylineId, externalId: 'SAME', externalSource: 'third' };
    expect(await manager.data(record, variables)).toEqual({ it: null });
  });

  test('of another organization, or of a colleague: null', async () => {
    const [foreign] = await recordsOf(harborId, memberId(harborEmail, 'harbor-fiber'));
    const [colleague] = await recordsOf(skylineId, memberId(colleagueEmail));
    const keyOf = (row: Stored | undefined) => ({
      o: skylineId,
      externalId: row?.externalId,
      externalSource: row?.externalSource,
    });
    expect((await manager.data(record, keyOf(colleague))).it.id).toBe(colleague?.id);
    expect(await manager.data(record, keyOf(foreign))).toEqual({ it: null });
    expect(await climber.data(record, keyOf(colleague))).toEqual({ it: null });
  });
});

describe('the checks of lists hold', () => {
  const asked = [
    [byEmail, { o: skylineId, email: climberEmail }, 'organization_members:read'],
    [record, { o: skylineId, externalId: 'x' }, 'certification_records:read'],
  ] as const;

  test('without the scope, the approval, an active membership or a token', async () => {
    await makeAppsWithoutOneScope(app.db);
    await makeApp(app.db, 'unapproved', { scopes: apiScopes, approved: {} });
    for (const [query, variables, scope] of asked) {
      const codes = [
        await graphOf(app, managerEmail, appWithout(scope)).refusal(query, variables),
        await graphOf(app, managerEmail, 'unapproved').refusal(query, variables),
        await graphOf(app, suspendedEmail).refusal(query, variables),
        await manager.refusal(query, { ...variables, o: harborId }),
        await manager.refusal(query, { ...variables, o: nothing }),
      ].map(({ code }) => code);
      expect(codes).toEqual([
        'INSUFFICIENT_SCOPE',
        'APPROVAL_REQUIRED',
        'FORBIDDEN',
        'FORBIDDEN',
        'FORBIDDEN',
      ]);
      const { status } = await app.graphql(query, variables, {});
      expect(status).toBe(401);
    }
  });

  test('a record that is there takes the same statements as one that is not', async () => {
    const count = (email: string) =>
      countStatements(app, () => climber.data(byEmail, { o: skylineId, email }));
    const counts = [
      await count(climberEmail),
      await count(colleagueEmail),
      await count('nobody@skyline.example'),
    ];
    expect(new Set(counts).size).toBe(1);
  });
});
