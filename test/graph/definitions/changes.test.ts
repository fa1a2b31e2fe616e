/** Definitions updated, archived and restored: the same for each kind. */
import { startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
beforeAll(async () => {
  await makeAppsWithoutOneScope(app.db);
  // The manager of the publisher, too.
  await app.db.query(
    `insert into organization_members (organization_id, id, user_id, email, role, status, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, 'publisher@catalogue.example', 'manager', 'active', now(), now())`,
    [demo.catalogueId, demo.userId('both@skyline.example')],
  );
});

const kinds = [
  {
    name: 'CertificationType',
    title: 'title',
    table: 'certification_types',
    scope: 'certification_types:write',
    standard: demo.typeId('osha-10'),
  },
  {
    name: 'Qualification',
    title: 'name',
    table: 'qualifications',
    scope: 'qualifications:write',
    standard: demo.qualificationId('supervised-climber'),
  },
  {
    name: 'JobRole',
    title: 'name',
    table: 'job_roles',
    scope: 'job_roles:write',
    standard: demo.jobRoleId('rigger'),
  },
] as const;

for (const { name, title, table, scope, standard } of kinds) {
  const fields = `{ id slug ${title} description status scope organizationId updatedAt }`;
  const create = `mutation ($organizationId: ID!, $input: ${name}Create!) { result: create${name}(organizationId: $organizationId, input: $input) ${fields} }`;
  const update = `mutation ($organizationId: ID!, $id: ID!, $input: ${name}Update!) { result: update${name}(organizationId: $organizationId, id: $id, input: $input) ${fields} }`;
  const move = (verb: string) =>
    `mutation ($organizationId: ID!, $id: ID!) { result: ${verb}${name}(organizationId: $organizationId, id: $id) ${fields} }`;
  const organizationId = demo.skylineId;
  let made = 0;
  const make = async () =>
    (await manager.data(create, { organizationId, input: { [title]: `Ladder ${++made}` } })).result;
  const audit = (id: string) =>
    app.db.query(
      'select action, changes from audit_events where subject_id = $1 order by occurred_at',
      [id],
    );

  describe(name, () => {
    test(`create${name} makes one of the organization, with a slug from its ${title}`, async () => {
      const result = await make();
      expect([result.slug, result.status, result.scope, result.organizationId]).toStrictEqual([
        `ladder-${made}`,
        'ACTIVE',
        'ORGANIZATION',
        organizationId,
      ]);
      expect(await audit(result.id)).toHaveLength(1);
      expect(
        (await climber.refusal(create, { organizationId, input: { [title]: 'X' } })).code,
      ).toBe('FORBIDDEN');
      expect(
        (await manager.refusal(create, { organizationId, input: { [title]: result[title] } }))
          .details,
      ).toStrictEqual({
        field: 'slug',
      });
    });

    test(`update${name} changes what was sent, audited; nothing when nothing differs`, async () => {
      const old = await make();
      const { result } = await manager.data(update, {
        organizationId,
        id: old.id,
        input: { [title]: 'Rope', description: 'On towers.' },
      });
      expect(result).toStrictEqual({
        ...old,
        [title]: 'Rope',
        description: 'On towers.',
        updatedAt: result.updatedAt,
      });
      expect(result.updatedAt > old.updatedAt).toBe(true);
      const again = await manager.data(update, {
        organizationId,
        id: old.id,
        input: { [title]: 'Rope' },
      });
      expect(again.result).toStrictEqual(result);
      expect((await audit(old.id))[1]).toStrictEqual({
        action: 'update',
        changes: { [title]: [old[title], 'Rope'], description: ['', 'On towers.'] },
      });
      expect(await audit(old.id)).toHaveLength(2);
    });

    test(`update${name} refuses null, a slug that is taken, and what it does not know`, async () => {
      const [one, other] = [await make(), await make()];
      const refusal = (input: object) =>
        manager.refusal(update, { organizationId, id: one.id, input });
      expect((await refusal({ [title]: null, slug: null })).details).toStrictEqual({
        [title]: ['must not be null'],
        slug: ['must not be null'],
      });
      expect((await refusal({ slug: other.slug })).details).toStrictEqual({ field: 'slug' });
      expect((await refusal({ status: 'ARCHIVED' })).code).toBe('VALIDATION_ERROR');
    });

    test(`archive${name} and restore${name} go to and fro, each once, audited`, async () => {
      const { id } = await make();
      expect((await manager.data(move('archive'), { organizationId, id })).result.status).toBe(
        'ARCHIVED',
      );
      const archived = await manager.refusal(move('archive'), { organizationId, id });
      expect([archived.code, archived.details]).toStrictEqual([
        'INVALID_TRANSITION',
        { from: 'archived', to: 'archived' },
      ]);
      expect((await manager.data(move('restore'), { organizationId, id })).result.status).toBe(
        'ACTIVE',
      );
      expect((await manager.refusal(move('restore'), { organizationId, id })).code).toBe(
        'INVALID_TRANSITION',
      );
      expect((await audit(id)).slice(1)).toStrictEqual([
        { action: 'update', changes: { status: ['active', 'archived'] } },
        { action: 'update', changes: { status: ['archived', 'active'] } },
      ]);
    });

    for (const [verb, text, input] of [
      ['update', update, { description: 'Changed.' }],
      ['archive', move('archive'), undefined],
      ['restore', move('restore'), undefined],
    ] as const) {
      test(`${verb}${name} is for managers with the scope, of what the organization owns`, async () => {
        const own = await make();
        const asked = (id: string, of = organizationId) => ({
          organizationId: of,
          id,
          ...(input && { input }),
        });
        expect((await climber.refusal(text, asked(own.id))).code).toBe('FORBIDDEN');
        expect((await graphOf(app, 'admin@harbor.example').refusal(text, asked(own.id))).code).toBe(
          'FORBIDDEN',
        );
        expect(
          (await graphOf(app, demo.managerEmail, appWithout(scope)).refusal(text, asked(own.id)))
            .code,
        ).toBe('INSUFFICIENT_SCOPE');
        expect((await manager.refusal(text, asked(demo.nothing))).code).toBe('NOT_FOUND');
        expect(
          (await graphOf(app, 'admin@harbor.example').refusal(text, asked(own.id, demo.harborId)))
            .code,
        ).toBe('NOT_FOUND');
        const foreign = await manager.refusal(text, asked(standard));
        expect(foreign.code).toBe('FORBIDDEN');
        expect(foreign.message).toMatch(/only the organization that publishes it/);
        const [row] = await app.db.query(`select status, description from ${table} where id = $1`, [
          own.id,
        ]);
        expect(row).toStrictEqual({ status: 'active', description: '' });
      });
    }

    test('a standard one is changed, archived and restored by its publisher', async () => {
      const publisher = graphOf(app, 'both@skyline.example');
      const asked = { organizationId: demo.catalogueId, id: standard };
      expect(
        (await publisher.data(update, { ...asked, input: { description: 'New text.' } })).result
          .description,
      ).toBe('New text.');
      expect((await publisher.data(move('archive'), asked)).result.status).toBe('ARCHIVED');
      expect((await publisher.data(move('restore'), asked)).result.status).toBe('ACTIVE');
    });
  });
}

test('what is archived is not to be used anew', async () => {
  const organizationId = demo.skylineId;
  const id = demo.jobRoleId('gin-pole-operator');
  await manager.data(
    'mutation ($organizationId: ID!, $id: ID!) { archiveJobRole(organizationId: $organizationId, id: $id) { id } }',
    {
      organizationId,
      id,
    },
  );
  const assign =
    'mutation ($organizationId: ID!, $member: ID!, $id: ID!) { assignJobRole(organizationId: $organizationId, organizationMemberId: $member, jobRoleId: $id, input: {}) { jobRoleId } }';
  expect(
    (
      await manager.refusal(assign, {
        organizationId,
        id,
        member: demo.memberId(demo.climberEmail),
      })
    ).code,
  ).toBe('NOT_FOUND');
});
