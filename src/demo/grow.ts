/** The demo data at scale, in portions of one transaction each. */
import { hashPassword } from '../auth/password.js';
import type { Database } from '../database/connection.js';
import { MemberJobRole, OrganizationMember } from '../entities/member.js';
import { Organization } from '../entities/organization.js';
import { User } from '../entities/user.js';
import { dayAfter } from '../scalars/day.js';
import { certificationRows } from './certifications.js';
import { type Portion, portionAt, portionSize } from './crew.js';
import { usualHoldings } from './holdings.js';
import { demoId } from './ids.js';
import { insertFree, insertOwned } from './insert.js';
import { organizations, publisher } from './organizations.js';
import { demoPassword } from './people.js';
import * as rows from './rows.js';

/** More certifications than a portion has, so that their running numbers do not overlap. */
const numbersEach = 1000;

/**
 * Adds the records that the demo set lacks to have `scale` times its size. An interrupted run can
 * be repeated and ends with the same records.
 * @param told Called after each portion. If it throws, the work ends there.
 * @returns The number of members that were added.
 */
export async function growDemo(
  db: Database,
  scale: number,
  told: (done: number, all: number) => void,
): Promise<number> {
  const passwordHash = await hashPassword(demoPassword);
  const day = await loadedOn(db);
  let added = 0;
  for (let index = 0; index < scale - 1; index++) {
    const isNew = await db.transaction((tx) => addPortion(tx, portionAt(index), day, passwordHash));
    if (isNew) added += portionSize;
    told(index + 1, scale - 1);
  }
  return added;
}

/** The reference day of the demo set, which later portions use too. */
async function loadedOn(db: Database): Promise<string> {
  const [found] = await db.query<{ foundedOn: string }>(
    `select (created_at at time zone 'utc')::date as "foundedOn" from organizations where id = $1`,
    [demoId('organization', publisher)],
  );
  const age = organizations.find(({ slug }) => slug === publisher)?.age;
  return dayAfter(found?.foundedOn ?? '', Number(age));
}

async function addPortion(
  tx: Database,
  { organization, number, people }: Portion,
  day: string,
  passwordHash: string,
): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('lanyard demo'))`);
  const [first] = people.map(rows.memberKey);
  const present = await tx.query(
    'select from organization_members where organization_id = $1 and id = $2',
    [first?.organizationId, first?.id],
  );
  if (present.length > 0) return false;
  const founded = number === 0 ? rows.organizationRows(day, [organization]) : [];
  await insertFree(tx, [
    [User, rows.userRows(day, passwordHash, people)],
    [Organization, founded.map((row) => ({ ...row, updatedAt: row.createdAt }))],
  ]);
  await insertOwned(
    tx,
    [
      [OrganizationMember, rows.memberRows(day, people)],
      [MemberJobRole, rows.memberJobRoleRows(day, people)],
    ],
    certificationRows(day, usualHoldings(people), number * numbersEach),
    founded.map(({ id }) => id),
  );
  return true;
}
