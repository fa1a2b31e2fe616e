/**
 * A cursor is worth nothing to anyone whose list it isn't: with it, nobody gets a row that they
 * couldn't list without, and on a list of another organization, of another kind or of another
 * person it is refused.
 */
import { getNamedType, isObjectType } from 'graphql';
import { schema } from '../../../src/graph/schema.js';
import type { Response } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import { operationOf, plainSelection } from '../documents.js';
import { type Ids, type RootField, rootFields } from '../fields.js';
import { marksIn, plantMarks } from './markers.js';
import { app, foreign, home, startWorld, tokenOf } from './world.js';

await startWorld();

const hasAfter = ({ args }: { args: readonly { name: string }[] }) =>
  args.some(({ name }) => name === 'after');

interface List {
  readonly name: string;
  readonly needs: RootField['needs'];
  /** Asks for the page after the cursor. */
  readonly ask: (token: string | undefined, ids: Ids, after?: string) => Promise<Response>;
}

const roots: List[] = rootFields
  .filter(({ field }) => hasAfter(field))
  .map((root) => ({
    name: root.name,
    needs: root.needs,
    ask: (token, ids, after) => {
      const { externalId, jobRoleId, certificationTypeId, email, qualificationIds, ...rest } =
        root.args(ids);
      const args = {
        ...rest,
        first: 1,
        ...(after && { after }),
        ...(root.name === 'qualificationForecast' && { days: 366 }),
      };
      return app.graphql(operationOf(root, args), args, { token });
    },
  }));

/** Lists below an object, by the root field that gives one. */
const parents: Readonly<Record<string, string>> = {
  Organization: 'organization',
  OrganizationMember: 'organizationMember',
  Readiness: 'readiness',
  RequirementsPreview: 'previewRequirements',
};
const belows = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && ![schema.getQueryType(), schema.getSubscriptionType()].includes(type)
    ? Object.values(type.getFields())
        .filter(hasAfter)
        .map((field) => ({ type, field }))
    : [],
);
const nested: List[] = belows.map(({ type, field }) => {
  const root = rootFields.find(({ name }) => name === parents[type.name]);
  ensure(root, `test/security/tenancy/cursors.test.ts: which root field gives a ${type.name}?`);
  return {
    name: `${type.name}.${field.name}`,
    needs: root.needs,
    ask: (token, ids, after) => {
      const { jobRoleId, qualificationIds, ...args } = root.args(ids);
      const page = `(first: 1${after ? `, after: "${after}"` : ''})`;
      const text = operationOf(
        root,
        args,
        `{ ${field.name}${page} ${plainSelection(getNamedType(field.type))} }`,
      );
      return app.graphql(text, args, { token });
    },
  };
});
const lists = [...roots, ...nested];

const codeOf = ({ body }: Response): string => String(body.errors?.[0]?.extensions.code ?? 'ok');
const endCursors = (text: string): string[] =>
  [...text.matchAll(/"endCursor":"([\w-]+)"/g)].map(([, cursor = '']) => cursor);

const cursors = new Map<string, string>();
beforeAll(async () => {
  // Something for the audit to tell.
  const change = { token: tokenOf('admin'), body: { description: 'Changed.' } };
  await app.rest(
    'PATCH',
    `/v1/organizations/${home.organization}/job-roles/${home.jobRole}`,
    change,
  );
  await plantMarks(app.db);
  for (const { name, ask } of lists) {
    for (const who of ['manager', 'admin'] as const) {
      const [cursor] = endCursors((await ask(tokenOf(who), home)).text);
      if (cursor) cursors.set(name, cursor);
    }
  }
});

test('there is a cursor of every list', () => {
  // Nobody gains or loses by these.
  const empty = new Set(['RequirementsPreview.changes', 'qualificationForecast']);
  expect(
    lists.map(({ name }) => name).filter((name) => !cursors.has(name) && !empty.has(name)),
  ).toEqual([]);
});

test('in another organization every cursor is refused', async () => {
  const token = await app.token('admin@harbor.example');
  for (const { name, ask } of lists) {
    for (const [of, cursor] of cursors) {
      const answer = await ask(token, foreign, cursor);
      expect([`${name} after a cursor of ${of}: ${answer.text}`, codeOf(answer)]).toStrictEqual([
        expect.any(String),
        expect.stringMatching(/^(VALIDATION_ERROR|RESYNC_REQUIRED)$/),
      ]);
      expect([
        `${name} of a foreign organization after a cursor of ${of}`,
        (await ask(token, home, cursor)).body.data,
      ]).toStrictEqual([expect.any(String), null]);
    }
  }
});

test('who sees less gets nothing more by the cursor of who sees all', async () => {
  const own = home.member;
  for (const { name, ask } of lists) {
    for (const [of, cursor] of cursors) {
      const answer = await ask(tokenOf('plain member'), home, cursor);
      const others = marksIn(answer.text).filter(
        ({ owner }) => owner !== 'shared' && owner !== own,
      );
      expect([`${name} after a cursor of ${of}`, others]).toStrictEqual([expect.any(String), []]);
      if (codeOf(answer) === 'ok')
        expect([`${name} took a cursor of ${of}`, name.split('.').at(-1)]).toStrictEqual([
          expect.any(String),
          of.split('.').at(-1),
        ]);
    }
  }
});

test('who reaches nothing gets nothing', async () => {
  for (const { name, ask, needs } of lists) {
    for (const cursor of cursors.values()) {
      const code = codeOf(await ask(tokenOf('stranger'), home, cursor));
      expect([name, code]).toStrictEqual([
        name,
        expect.stringMatching(needs === 'token' ? /^VALIDATION_ERROR$/ : /^FORBIDDEN$/),
      ]);
    }
  }
});
