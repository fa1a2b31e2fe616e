/**
 * Every text in the database is marked with whose it is; then everyone walks every relation, and no
 * answer may hold a mark that isn't theirs to see.
 */
import { isNonNullType } from 'graphql';
import { apiScopes } from '../../../src/auth/scopes.js';
import { ensure } from '../../support/expect.js';
import * as demo from '../../support/names.js';
import { operationOf } from '../documents.js';
import { type Ids, type RootField, rootFields } from '../fields.js';
import { deep, relations, selectionFrom, wide } from './deep.js';
import { type Mark, marksIn, ownersOfIds, plantMarks } from './markers.js';
import {
  app,
  apps,
  elsewhereId,
  foreign,
  home,
  outsiderMemberId,
  people,
  startWorld,
  tokenOf,
  type Who,
} from './world.js';

await startWorld();

const { db } = app;
/**
 * A query that takes an organization or none is asked both ways, and one that takes a day is asked
 * of the present and of the past.
 */
const queries = rootFields
  .filter(({ kind }) => kind === 'query')
  .flatMap((root) => {
    const takes = (argument: string) =>
      root.field.args.some(({ name, type }) => name === argument && !isNonNullType(type));
    const asking = (given: object) => ({
      ...root,
      args: (ids: Ids) => ({ ...root.args(ids), asOf: undefined, ...given }),
    });
    return [
      asking({}),
      ...(takes('organizationId') ? [asking({ organizationId: undefined })] : []),
      ...(takes('asOf') ? [asking({ asOf: '2026-06-01' })] : []),
    ];
  });

/**
 * What somebody may see: in an organization all of it, what members read and the own, or nothing.
 */
type Sight = Readonly<Record<string, 'admin' | 'manager' | { readonly memberId: string }>>;

interface Viewer {
  readonly token: () => Promise<string | undefined>;
  readonly sees: Sight;
  readonly ids: readonly Ids[];
  readonly scopes: readonly string[];
  /**
   * So many marks are shown at the least: silence must mean walls, and not queries that show
   * nothing.
   */
  readonly least: number;
}

const sightOf = ({ email, role }: (typeof people)[Who]): Sight => {
  if (role === null || email === undefined) return {};
  return { [demo.skylineId]: role === 'member' ? { memberId: demo.memberId(email) } : role };
};

const as = (who: Who, least: number, clientId = 'demo-dashboard'): Viewer => ({
  token: async () => tokenOf(who, clientId),
  sees: sightOf(people[who]),
  ids: [home, foreign],
  scopes: apps[clientId]?.approved ?? [],
  least,
});

const both = { ...foreign, member: demo.memberId(demo.bothEmail, 'harbor-fiber') };
const viewers: Readonly<Record<string, Viewer>> = {
  admin: as('admin', 400),
  manager: as('manager', 400),
  'plain member': as('plain member', 50),
  'suspended member': as('suspended member', 1),
  stranger: as('stranger', 1),
  'member of another organization': {
    ...as('member of another organization', 1),
    sees: { [elsewhereId]: { memberId: outsiderMemberId } },
  },
  anonymous: as('anonymous', 0),
  'plain member of the one, manager of the other': {
    token: () => app.token(demo.bothEmail),
    sees: { [demo.skylineId]: 'manager', [demo.harborId]: { memberId: both.member } },
    ids: [home, foreign, both],
    scopes: apiScopes,
    least: 200,
  },
  'manager through demo-reader': as('manager', 300, 'demo-reader'),
  'manager through demo-sync': as('manager', 300, 'demo-sync'),
  'manager through demo-pending': as('manager', 1, 'demo-pending'),
  'admin of the other': {
    token: () => app.token('admin@harbor.example'),
    sees: { [demo.harborId]: 'admin' },
    ids: [home, foreign],
    scopes: apiScopes,
    least: 200,
  },
};

const maySee = (sees: Sight, { organizationId, owner }: Mark): boolean => {
  // All read what the catalogue publishes.
  if (organizationId === demo.catalogueId) return owner === 'shared';
  const sight = sees[organizationId];
  if (sight === undefined) return false;
  if (sight === 'admin') return true;
  if (owner === 'admin') return false;
  return sight === 'manager' || owner === 'shared' || owner === sight.memberId;
};

/** For admins alone: an error would hide the rest of the answer from this test. */
const auditFor = ({ sees }: Viewer) =>
  Object.values(sees).includes('admin') ? [] : ['Organization.auditEvents'];

beforeAll(async () => {
  // Some changes, for the audit, the feed and the histories to tell.
  for (const [email, { organization, certification, member, jobRole }] of [
    [demo.adminEmail, home],
    ['admin@harbor.example', foreign],
  ] as const) {
    const token = await app.token(email);
    const base = `/v1/organizations/${organization}`;
    const issuer = { issuer_name: `Issuer of ${email}` };
    expect(
      (await app.rest('PATCH', `${base}/certifications/${certification}`, { token, body: issuer }))
        .status,
    ).toBe(200);
    expect(
      (
        await app.rest('PATCH', `${base}/job-roles/${jobRole}`, {
          token,
          body: { description: email },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await app.rest('PUT', `${base}/organization-members/${member}/job-roles/${jobRole}`, {
          token,
          body: {},
        })
      ).status,
    ).toBe(200);
  }
  await Promise.all([...Object.values(viewers)].map(({ token }) => token()));
  const planted = await plantMarks(db);
  ids = await ownersOfIds(db);
  ensure(planted.length > 25, planted.join(' '));
});

let ids: ReadonlyMap<string, Mark>;
const walked = new Set<string>();

/** What is no filter: everything that the required arguments lead to is asked for. */
const kept = new Set(['first', 'organizationId', 'changedAfter', 'asOf']);

const unfiltered = (
  { field, args }: Pick<RootField, 'field' | 'args'>,
  ids: Ids,
  first: number,
) => {
  const names = field.args
    .filter(({ name, type }) => kept.has(name) || isNonNullType(type))
    .map(({ name }) => name);
  const given = { ...args(ids), first };
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
};

describe('no answer shows a row of somebody else', () => {
  for (const [name, viewer] of Object.entries(viewers)) {
    test(name, async () => {
      let shown = 0;
      const walk = { scopes: viewer.scopes, without: auditFor(viewer), walked };
      for (const root of queries) {
        for (const [given, reach] of viewer.ids.flatMap((each) =>
          [deep, wide].map((reach) => [each, reach] as const),
        )) {
          const selection = selectionFrom(root.field, walk, reach);
          const args = unfiltered(root, given, reach.first);
          const { text, status } = await app.graphql(operationOf(root, args, selection), args, {
            token: await viewer.token(),
          });
          ensure(
            status < 500 && !text.includes('INTERNAL_ERROR'),
            `${root.name}: ${text.slice(0, 500)}`,
          );
          ensure(!text.includes('"INVALID_REQUEST"'), `${root.name}: ${text.slice(0, 500)}`);
          const found = marksIn(text, ids);
          expect([
            `${root.name} of ${given.organization}`,
            found.filter((mark) => !maySee(viewer.sees, mark)),
          ]).toStrictEqual([expect.any(String), []]);
          shown += found.length;
        }
      }
      ensure(shown >= viewer.least, `only ${shown} marks`);
    });
  }

  test('every relation of the schema was walked', () => {
    const mutationsOwn = /^(BulkRevocationResult|Upsert\w+|RowProblem)\./;
    expect(relations.filter((edge) => !walked.has(edge) && !mutationsOwn.test(edge))).toEqual([]);
  });
});
