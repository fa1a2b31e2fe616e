/** Definitions updated, archived and restored: the same for each kind. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../../support/apps.js';
import { graphOf } from '../../support/graph.js';
import * as demo from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, demo.managerEmail);
const climber = graphOf(app, demo.climberEmail);
before(async () => {
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
  { name: 'JobRole', title: 'name', table: 'job_roles', scope: 'job_roles:write', standard: demo.jobRoleId('rigger') },
] as const;

for (const { name, title, table, scope, standard } of kinds) {
  const fields = `{ id slug ${title} description status scope organizationId updatedAt }`;
  const create = `mutation ($organizationId: UUID!, $input: ${name}Create!) { result: create${name}(organizationId: $organizationId, input: $input) ${fields} }`;
  const update = `mutation ($organizationId: UUID!, $id: UUID!, $input: ${name}Update!) { result: update${name}(organizationId: $organizationId, id: $id, input: $input) ${fields} }`;
  const move = (verb: string) =>
    `mutation ($organizationId: UUID!, $id: UUID!) { result: ${verb}${name}(organizationId: $organizationId, id: $id) ${fields} }`;
  const organizationId = demo.skylineId;
  let made = 0;
  const make = async () => (await manager.data(create, { organizationId, input: { [title]: `Ladder ${++made}` } })).result;
  const audit = (id: string) => app.db.query('select action, changes from audit_events where subject_id = $1 order by occurred_at', [id]);

  describe(name, () => {
    test(`create${name} makes one of the organization, with a slug from its ${title}`, async () => {
      const result = await make();
      assert.deepEqual(
        [result.slug, result.status, result.scope, result.organizationId],
        [`ladder-${made}`, 'ACTIVE', 'ORGANIZATION', organizationId],
      );
      assert.equal((await audit(result.id)).length, 1);
      assert.equal((await climber.refusal(create, { organizationId, input: { [title]: 'X' } })).code, 'FORBIDDEN');
      assert.deepEqual((await manager.refusal(create, { organizationId, input: { [title]: result[title] } })).details, { field: 'slug' });
    });

    test(`update${name} changes what was sent, audited; nothing when nothing differs`, async () => {
      const old = await make();
      const { result } = await manager.data(update, { organizationId, id: old.id, input: { [title]: 'Rope', description: 'On towers.' } });
      assert.deepEqual(result, { ...old, [title]: 'Rope', description: 'On towers.', updatedAt: result.updatedAt });
      assert.ok(result.updatedAt > old.updatedAt);
      const again = await manager.data(update, { organizationId, id: old.id, input: { [title]: 'Rope' } });
      assert.deepEqual(again.result, result);
      assert.deepEqual((await audit(old.id))[1], {
        action: 'update',
        changes: { [title]: [old[title], 'Rope'], description: ['', 'On towers.'] },
      });
      assert.equal((await audit(old.id)).length, 2);
    });

    test(`update${name} refuses null, a slug that is taken, and what it does not know`, async () => {
      const [one, other] = [await make(), await make()];
      const refusal = (input: object) => manager.refusal(update, { organizationId, id: one.id, input });
      assert.deepEqual((await refusal({ [title]: null, slug: null })).details, {
        [title]: ['must not be null'],
        slug: ['must not be null'],
      });
      assert.deepEqual((await refusal({ slug: other.slug })).details, { field: 'slug' });
      assert.equal((await refusal({ status: 'ARCHIVED' })).code, 'VALIDATION_ERROR');
    });

    test(`archive${name} and restore${name} go to and fro, each once, audited`, async () => {
      const { id } = await make();
      assert.equal((await manager.data(move('archive'), { organizationId, id })).result.status, 'ARCHIVED');
      const archived = await manager.refusal(move('archive'), { organizationId, id });
      assert.deepEqual([archived.code, archived.details], ['INVALID_TRANSITION', { from: 'archived', to: 'archived' }]);
      assert.equal((await manager.data(move('restore'), { organizationId, id })).result.status, 'ACTIVE');
      assert.equal((await manager.refusal(move('restore'), { organizationId, id })).code, 'INVALID_TRANSITION');
      assert.deepEqual((await audit(id)).slice(1), [
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
        const asked = (id: string, of = organizationId) => ({ organizationId: of, id, ...(input && { input }) });
        assert.equal((await climber.refusal(text, asked(own.id))).code, 'FORBIDDEN');
        assert.equal((await graphOf(app, 'admin@harbor.example').refusal(text, asked(own.id))).code, 'FORBIDDEN');
        assert.equal((await graphOf(app, demo.managerEmail, appWithout(scope)).refusal(text, asked(own.id))).code, 'INSUFFICIENT_SCOPE');
        assert.equal((await manager.refusal(text, asked(demo.nothing))).code, 'NOT_FOUND');
        assert.equal((await graphOf(app, 'admin@harbor.example').refusal(text, asked(own.id, demo.harborId))).code, 'NOT_FOUND');
        const foreign = await manager.refusal(text, asked(standard));
        assert.equal(foreign.code, 'FORBIDDEN');
        assert.match(foreign.message, /only the organization that publishes it/);
        const [row] = await app.db.query(`select status, description from ${table} where id = $1`, [own.id]);
        assert.deepEqual(row, { status: 'active', description: '' });
      });
    }

    test('a standard one is changed, archived and restored by its publisher', async () => {
      const publisher = graphOf(app, 'both@skyline.example');
      const asked = { organizationId: demo.catalogueId, id: standard };
      assert.equal((await publisher.data(update, { ...asked, input: { description: 'New text.' } })).result.description, 'New text.');
      assert.equal((await publisher.data(move('archive'), asked)).result.status, 'ARCHIVED');
      assert.equal((await publisher.data(move('restore'), asked)).result.status, 'ACTIVE');
    });
  });
}

test('what is archived is not to be used anew', async () => {
  const organizationId = demo.skylineId;
  const id = demo.jobRoleId('gin-pole-operator');
  await manager.data('mutation ($organizationId: UUID!, $id: UUID!) { archiveJobRole(organizationId: $organizationId, id: $id) { id } }', {
    organizationId,
    id,
  });
  const assign =
    'mutation ($organizationId: UUID!, $member: UUID!, $id: UUID!) { assignJobRole(organizationId: $organizationId, organizationMemberId: $member, jobRoleId: $id, input: {}) { jobRoleId } }';
  assert.equal((await manager.refusal(assign, { organizationId, id, member: demo.memberId(demo.climberEmail) })).code, 'NOT_FOUND');
});
