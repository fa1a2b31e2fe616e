/**
 * The promise of synchronisation for lists over several organizations, each with a clock of its
 * own.
 */

import { randomInt } from 'node:crypto';
import type { Change } from '../../src/database/record-changes.js';
import { sized } from '../faults/fleet.js';
import { startApp } from '../support/app.js';
import {
  marker,
  newCertification,
  newCertificationType,
  renameOrganization,
} from '../support/changes.js';
import { testOnOne } from '../support/database.js';
import {
  bothEmail,
  catalogueId,
  harborId,
  managerEmail,
  memberId,
  skyline,
  skylineId,
} from '../support/names.js';
import { byCursor, byUpdatedAfter, type Follow, Race, type Writer } from '../support/race.js';
import { found, join } from '../support/tenants.js';
import { type Item, type Read, readerOf } from '../support/walk.js';

const app = await startApp();
const inCatalogue = await join(app.db, catalogueId, bothEmail);
const founded: string[] = [];
// One by one: on a cluster they would wait for each other, for longer than a connection.
while (founded.length < 60) founded.push(await found(app.db, managerEmail));

interface Course {
  readonly path: string;
  readonly email: string;
  /** The rows that writers change, as SQL: `table where …`. */
  readonly rows: string;
  /** A writer each, over and over. */
  readonly changes: readonly (() => Change[])[];
  readonly transactions: number;
}

const several = (make: () => Change) => () => Array.from({ length: 1 + randomInt(6) }, make);
const inTurn = (ids: readonly string[]) => {
  let turn = 0;
  return () => [renameOrganization(ids[turn++ % ids.length] ?? '')];
};
const writersIn = <Place>(
  places: readonly Place[],
  changes: (place: Place) => () => Change[],
  count: number,
) => Array.from({ length: count }, (_, index) => changes(places[index % places.length] as Place));

const courses: Course[] = [
  {
    path: '/v1/certifications',
    email: bothEmail,
    rows: `certifications where external_source = '${marker}'`,
    changes: writersIn(
      [
        [skylineId, memberId(bothEmail)],
        [harborId, memberId(bothEmail, 'harbor-fiber')],
        [catalogueId, inCatalogue],
      ] as const,
      ([organization, member]) => several(() => newCertification(organization, member)),
      9,
    ),
    transactions: sized(15, 40),
  },
  {
    path: `${skyline}/certification-types`,
    email: managerEmail,
    rows: `certification_types where slug like '${marker}%'`,
    changes: writersIn(
      [skylineId, catalogueId],
      (organization) => several(() => newCertificationType(organization)),
      8,
    ),
    transactions: sized(15, 40),
  },
  {
    path: '/v1/organizations',
    email: managerEmail,
    rows: `organizations where id in (${founded.map((id) => `'${id}'`)})`,
    changes: Array.from({ length: 6 }, (_, index) =>
      inTurn(founded.slice(index * 10, index * 10 + 10)),
    ),
    transactions: 10,
  },
];

/** The list as it would be without holding anything back. */
const unguarded =
  (rows: string): Read =>
  async ({ limit, updated_after }) => {
    const text = `select id, updated_at from ${rows} and updated_at > $1 order by updated_at, id limit $2`;
    return {
      data: await app.db.query<Item>(text, [updated_after, limit]),
      page: { has_more: false, next_cursor: null },
    };
  };

async function race({ path, rows, changes, transactions }: Course, name: string, follow: Follow) {
  const writers: Writer[] = changes.map((next) => ({ next, transactions }));
  const outcome = await Race.run(
    app.url,
    follow,
    writers,
    `select id, updated_at as "updatedAt" from ${rows}`,
  );
  console.info(`${path.replace(/[0-9a-f-]{36}/g, '{id}')}, ${name}: ${JSON.stringify(outcome)}`);
  return outcome;
}

for (const course of courses) {
  const read = readerOf(app, course.path, course.email);
  describe(`GET ${course.path.replace(/[0-9a-f-]{36}/g, '{id}')} while several organizations write at once`, () => {
    test('a client that walks by cursor to the end misses none', async () => {
      const { written, missed } = await race(course, 'by cursor', byCursor(read, 20));
      expect({ missed }).toStrictEqual({ missed: 0 });
      expect(written).toBeGreaterThanOrEqual(60);
    });

    test('a client of the greatest updated_at alone misses none', async () => {
      const { missed } = await race(course, 'by updated_after', byUpdatedAfter(read, 200));
      expect({ missed }).toStrictEqual({ missed: 0 });
    });

    // On a cluster the writers of other lists take turns.
    const planted = course.path === '/v1/certifications' ? test : testOnOne;
    planted('planted: without holding back, it misses some', async () => {
      let missed = 0;
      for (let attempt = 0; attempt < 5 && missed === 0; attempt++) {
        ({ missed } = await race(
          course,
          'nothing held back',
          byUpdatedAfter(unguarded(course.rows), 20),
        ));
      }
      expect(missed).toBeGreaterThan(0);
    });
  });
}
