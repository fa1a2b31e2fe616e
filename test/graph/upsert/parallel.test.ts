/**
 * Two clients bring the same 10,000 rows at once, twice; and what that costs beside the same rows
 * by hand.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { startApp } from '../../support/app.js';
import { graphOf } from '../../support/graph.js';
import { climberEmail, managerEmail, memberId, skylineId, typeId } from '../../support/names.js';

const app = await startApp();
const { db } = app;
const count = 10_000;
const batch = 1000;
const mutation = `mutation ($rows: [CertificationUpsert!]!) {
  upsertCertifications(organizationId: "${skylineId}", rows: $rows, mode: PARTIAL) { createdCount updatedCount unchangedCount failedCount } }`;

const rows = Array.from({ length: count }, (_, index) => ({
  externalId: `row-${index}`,
  externalSource: 'parallel',
  organizationMemberId: memberId(climberEmail),
  certificationTypeId: typeId('rf-awareness'),
  issuedOn: '2026-01-05',
  expiresOn: '2027-01-05',
  issuerName: 'Acme Training',
  serialNumber: `S-${index}`,
}));
const batches = Array.from({ length: count / batch }, (_, index) =>
  rows.slice(index * batch, (index + 1) * batch),
);

interface Tally {
  created: number;
  unchanged: number;
  other: number;
}

/** So many of them show what a row costs beside one by hand. */
const few = batches.slice(0, 2);

/** Brings batches in an order of its own. */
async function bring(given = batches): Promise<Tally> {
  const client = graphOf(app, managerEmail);
  const tally = { created: 0, unchanged: 0, other: 0 };
  for (const each of given.toSorted(() => randomInt(3) - 1)) {
    const { createdCount, updatedCount, unchangedCount, failedCount } = (
      await client.data(mutation, { rows: each })
    ).upsertCertifications;
    tally.created += createdCount;
    tally.unchanged += unchangedCount;
    tally.other += updatedCount + failedCount;
  }
  return tally;
}

/** The floor: the same rows into the same table, without checks, history or audit. */
async function byHand(): Promise<void> {
  for (const each of few) {
    await db.query(
      `insert into certifications (organization_id, id, organization_member_id, user_id, external_id, external_source, certification_type_id, source,
         issued_on, expires_on, issuer_name, serial_number, created_at, updated_at)
       select $1, given.id, m.id, m.user_id, given.external_id, 'by-hand', $2, 'api', $3, $4, $5, given.serial, now(), now()
       from unnest($6::uuid[], $7::text[], $8::text[]) as given (id, external_id, serial) join organization_members m on m.organization_id = $1 and m.id = $9
       on conflict (organization_id, external_id, external_source) where external_id is not null
       do update set serial_number = excluded.serial_number, updated_at = excluded.updated_at`,
      [
        skylineId,
        typeId('rf-awareness'),
        '2026-01-05',
        '2027-01-05',
        'Acme Training',
        each.map(() => randomUUID()),
        each.map(({ externalId }) => externalId),
        each.map(({ serialNumber }) => serialNumber),
        memberId(climberEmail),
      ],
    );
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

test('10,000 rows from two clients at once: one record per key; again, all unchanged', async () => {
  let tallies: Tally[] = [];
  const both = async () => {
    tallies = await Promise.all([bring(), bring()]);
  };
  const firstTime = await seconds(both);
  const sum = (name: keyof Tally) => tallies.reduce((total, tally) => total + tally[name], 0);
  expect([sum('created'), sum('unchanged'), sum('other')]).toStrictEqual([count, count, 0]);
  const stamps = `select count(*)::int as records, count(distinct external_id)::int as keys, count(distinct updated_at)::int as stamps, max(updated_at) as newest
    from certifications where external_source = 'parallel'`;
  const [before] = await db.query<object>(stamps);
  expect({ ...before, newest: 0 }).toStrictEqual({
    records: count,
    keys: count,
    stamps: count,
    newest: 0,
  });

  const secondTime = await seconds(both);
  expect([sum('created'), sum('unchanged'), sum('other')]).toStrictEqual([0, 2 * count, 0]);
  expect(await db.query(stamps)).toStrictEqual([before]);

  await db.query(`truncate certifications cascade`);
  const [alone, again] = [await seconds(() => bring(few)), await seconds(() => bring(few))];
  const [hand, handAgain] = [await seconds(byHand), await seconds(byHand)];
  const rate = (time: number, brought: readonly object[][], calls = 1) =>
    Math.round((calls * brought.length * batch) / time);
  console.info(
    `rows a second: two clients ${rate(firstTime, batches, 2)}, again ${rate(secondTime, batches, 2)}; one client ${rate(alone, few)}, again ${rate(again, few)}; ` +
      `by hand ${rate(hand, few)}, again ${rate(handAgain, few)}; time as a ratio to by hand: ${(alone / hand).toFixed(2)}, again ${(again / handAgain).toFixed(2)}`,
  );
});
