/**
 * Every root field of the schema, asked by everyone through every app with the ids of a tenant that
 * none of them reach.
 */
import type { Response } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import { idPaths, operationOf, valuesAt } from '../documents.js';
import { type Ids, type RootField, rootFields } from '../fields.js';
import { expectBlind } from './ask.js';
import { kindsIn, refusalOf } from './oracle.js';
import {
  app,
  apps,
  colleague,
  digest,
  foreign,
  home,
  missing,
  people,
  startWorld,
  tokenOf,
  traceOf,
  type Who,
} from './world.js';

await startWorld();

const codeOf = ({ body }: Response): string =>
  String(body.errors?.[0]?.extensions.code ?? 'ok').toLowerCase();

/** The paths of a field's arguments that can name a record. */
const referencesOf = ({ field }: RootField) =>
  field.args.flatMap(({ name, type }) => idPaths(type, name));

let stored: string;
beforeAll(async () => {
  stored = await digest();
});

for (const each of rootFields) {
  test(`${each.name}: what exists elsewhere is as what does not exist`, async () => {
    const [own, others] = [each.args(home), each.args(foreign)];
    for (const path of referencesOf(each)) {
      const [mine, theirs] = [valuesAt(own, path.split('.')), valuesAt(others, path.split('.'))];
      ensure(
        mine.length > 0 && mine.every((value, index) => value !== theirs[index]),
        `test/security/fields.ts gives ${each.name} no ${path}`,
      );
    }
    const text = operationOf(each, own);
    const compared = await expectBlind(
      each,
      async (ids, who, clientId) =>
        app.graphql(text, each.args(ids), { token: tokenOf(who, clientId) }),
      codeOf,
    );
    expect(compared).toBeGreaterThanOrEqual(kindsIn(each).length > 0 ? 42 : 0);
  });
}

describe('a colleague of the plain member', () => {
  for (const each of rootFields.filter(
    (of) => of.needs !== 'token' && kindsIn(of).some((kind) => kind in colleague),
  )) {
    test(`${each.name}: is out of reach, there or not`, async () => {
      const text = operationOf(each, each.args(home));
      const ask = (ids: Ids) =>
        app.graphql(text, each.args(ids), { token: tokenOf('plain member') });
      const there = await ask({ ...home, ...colleague });
      expect(traceOf(there)).toBe(
        traceOf(
          await ask({ ...home, member: missing.member, certification: missing.certification }),
        ),
      );
      const expected = each.name.startsWith('find') ? 'ok' : 'forbidden';
      expect([there.text, codeOf(there)]).toStrictEqual([there.text, expected]);
      if (expected === 'ok') expect(there.body.data).toEqual({ [each.name]: null });
    });
  }
});

describe('in one’s own organization', () => {
  for (const each of rootFields) {
    test(`${each.name}: everyone is stopped at the first wall that is closed`, async () => {
      const text = operationOf(each, each.args(home));
      for (const who of Object.keys(people) as Who[]) {
        for (const clientId of Object.keys(apps)) {
          const expected = refusalOf(each, home.organization, who, clientId);
          if (!expected) continue;
          const answer = await app.graphql(text, each.args(home), {
            token: tokenOf(who, clientId),
          });
          expect([`${who} through ${clientId}: ${answer.text}`, codeOf(answer)]).toStrictEqual([
            expect.any(String),
            expected,
          ]);
        }
      }
    });
  }
});

describe('what the walls let through', () => {
  test('the manager reads with every query what is the organization’s own', async () => {
    for (const each of rootFields.filter(
      ({ kind, name }) => kind === 'query' && !['myCertification'].includes(name),
    )) {
      const { text, body } = await app.graphql(
        operationOf(each, each.args(home)),
        each.args(home),
        { token: tokenOf('manager') },
      );
      expect([`${each.name}: ${text}`, body.errors]).toStrictEqual([expect.any(String), undefined]);
    }
  });

  test('a bulk revocation finds no records of others', async () => {
    const each = rootFields.find(({ name }) => name === 'revokeCertifications') as RootField;
    const [there] = await app.db.query(
      'select from certifications where organization_id = $1 and issuer_name = $2',
      [foreign.organization, 'Harbor Fiber'],
    );
    expect(there).toBeTruthy();
    const { body } = await app.graphql(operationOf(each, each.args(home)), each.args(home), {
      token: tokenOf('manager'),
    });
    expect(body.data.revokeCertifications).toStrictEqual({
      __typename: 'BulkRevocationResult',
      archivedIds: [],
      dryRun: false,
      revokedCount: 0,
      revokedIds: [],
    });
  });
});

test('nothing was written by any of it', async () => expect(await digest()).toBe(stored));
