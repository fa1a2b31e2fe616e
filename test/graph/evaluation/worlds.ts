/** Random members, records and qualifications, written to the database of a test. */
import fc from 'fast-check';
import type { Database } from '../../../src/database/connection.js';
import { demoId } from '../../../src/demo/ids.js';
import type { KnownRecord } from '../../../src/rules/evaluation/evidence.js';
import { type Requirement, typesHeld } from '../../../src/rules/evaluation/result.js';
import { dayAfter, today } from '../../../src/scalars/day.js';
import { days, records, requirements, types } from '../../rules/evaluation/arbitraries.js';
import { catalogueId, harborId, skylineId } from '../../support/names.js';

export const typeIdOf = (name: string) => demoId('certification-type', `world/${name}`);
const people = 6;
export const memberIdOf = (number: number) => demoId('member', `world/${number}`);
export const roleId = demoId('job-role', 'world');
/** Some are the organization's own, some of the shared catalogue, as are the types. */
export const qualificationIds = Array.from({ length: 5 }, (_, number) =>
  demoId('qualification', `world/${number}`),
);

interface Person {
  readonly status: 'active' | 'invited' | 'suspended';
  readonly hasRole: boolean;
  readonly records: readonly KnownRecord[];
}

export interface World {
  readonly qualifications: readonly Requirement[][];
  readonly people: readonly Person[];
  /** Today or later. */
  readonly day: string;
  /** How many days a forecast looks ahead. */
  readonly ahead: number;
}

/** The days of the records around today: before it, on it and after it. */
const shift = (day: string | null) =>
  day === null ? null : dayAfter(today(), days.indexOf(day) - 9);

const person = fc.record({
  status: fc.constantFrom(
    'active' as const,
    'active' as const,
    'invited' as const,
    'suspended' as const,
  ),
  hasRole: fc.constantFrom(true, true, true, false),
  records: records.map((all) =>
    all.map((each) => ({
      ...each,
      certificationTypeId: typeIdOf(each.certificationTypeId),
      issuedOn: shift(each.issuedOn),
      expiresOn: shift(each.expiresOn),
    })),
  ),
});

const ofTypes = requirements.map((all) =>
  all.map((each) => ({ ...each, certificationTypeId: typeIdOf(each.certificationTypeId) })),
);

export const world: fc.Arbitrary<World> = fc
  .record({
    qualifications: fc.array(ofTypes, {
      minLength: qualificationIds.length,
      maxLength: qualificationIds.length,
    }),
    people: fc.array(person, { minLength: people, maxLength: people }),
    day: fc.integer({ min: 0, max: 8 }).map((number) => dayAfter(today(), number)),
    ahead: fc.integer({ min: 1, max: 11 }),
  })
  .map((all) => ({
    ...all,
    people: all.people.map((each, number) => ({
      ...each,
      records: numbered(number, each.records),
    })),
  }));

/** Records by their ids, as answers name them. */
const numbered = (person: number, all: readonly KnownRecord[]): KnownRecord[] =>
  all
    .map((each, index) => ({
      ...each,
      certificationId: demoId('certification', `world/${person}/${index}`),
    }))
    .sort((a, b) => (a.certificationId < b.certificationId ? -1 : 1));

export const membersOf = ({ people }: World) =>
  people.map((each, number) => ({ ...each, id: memberIdOf(number) }));
export const heldOf = ({ records: all }: Pick<Person, 'records'>, day: string) =>
  typesHeld(day, all);

/**
 * What all worlds have. Each member has a namesake with the same id in another organization, who
 * holds everything.
 */
export async function seedWorlds(db: Database): Promise<void> {
  const owner = (number: number) =>
    number % 2 === 0 ? [skylineId, 'organization'] : [catalogueId, 'standard'];
  for (const [number, type] of types.entries()) {
    await db.query(
      `insert into certification_types (id, organization_id, scope, slug, title, created_at, updated_at) values ($1, $2, $3, $4, $4, now(), now())`,
      [typeIdOf(type), ...owner(number), `world-${type}`],
    );
  }
  for (const [number, id] of qualificationIds.entries()) {
    await db.query(
      `insert into qualifications (id, organization_id, scope, slug, name, created_at, updated_at) values ($1, $2, $3, $4, $4, now(), now())`,
      [id, ...owner(number), `world-${number}`],
    );
  }
  await db.query(
    `insert into job_roles (id, organization_id, scope, slug, name, created_at, updated_at) values ($1, $2, 'organization', 'world', 'World', now(), now())`,
    [roleId, skylineId],
  );
  for (let number = 0; number < people; number++) {
    const email = `world-${number}@skyline.example`;
    await db.query('insert into users (id, email) values ($1, $2)', [memberIdOf(number), email]);
    await db.query(
      `insert into organization_members (organization_id, id, user_id, email, display_name, status, created_at, updated_at)
       select organization_id, $2, $2, $3, $3, 'active', now(), now() from unnest($1::uuid[]) organization_id`,
      [[skylineId, harborId], memberIdOf(number), email],
    );
    await db.query(
      `insert into certifications (organization_id, id, organization_member_id, certification_type_id, source, issued_on, created_at, updated_at)
       select $1, gen_random_uuid(), $2, type, 'api', '2020-01-01', now(), now() from unnest($3::uuid[]) type`,
      [harborId, memberIdOf(number), types.map(typeIdOf)],
    );
  }
}

/** In place of the world before. */
export async function write(db: Database, of: World): Promise<void> {
  const members = membersOf(of);
  await db.query(
    'delete from certifications where organization_id = $1 and organization_member_id = any($2)',
    [skylineId, members.map(({ id }) => id)],
  );
  await db.query('delete from member_job_roles where job_role_id = $1', [roleId]);
  await db.query(
    `update organization_members m set status = given.status from unnest($2::uuid[], $3::text[]) as given(id, status)
     where m.organization_id = $1 and m.id = given.id`,
    [skylineId, members.map(({ id }) => id), members.map(({ status }) => status)],
  );
  await db.query(
    `insert into member_job_roles (organization_id, organization_member_id, job_role_id, created_at, updated_at)
     select $1, unnest($2::uuid[]), $3, now(), now()`,
    [skylineId, members.filter(({ hasRole }) => hasRole).map(({ id }) => id), roleId],
  );
  await writeRequirements(db, of.qualifications, (type) => type);
  await db.query(
    `insert into certifications (organization_id, id, organization_member_id, certification_type_id, lifecycle_status, source, issued_on, expires_on,
       verification_status, last_verified_at, created_at, updated_at)
     select $1, "certificationId", member, "certificationTypeId", "lifecycleStatus", source, "issuedOn", "expiresOn", "verificationStatus", now(), now(), now()
     from jsonb_to_recordset($2::jsonb) as given("certificationId" uuid, member uuid, "certificationTypeId" uuid, "lifecycleStatus" text, source text,
       "issuedOn" date, "expiresOn" date, "verificationStatus" text)`,
    [
      skylineId,
      JSON.stringify(
        members.flatMap(({ id, records: all }) => all.map((each) => ({ ...each, member: id }))),
      ),
    ],
  );
}

/** In place of those before. Types are named as in {@link types}. */
export async function writeRequirements(
  db: Database,
  sets: readonly (readonly Requirement[])[],
  idOf = typeIdOf,
): Promise<void> {
  await db.query('delete from qualification_requirements where qualification_id = any($1)', [
    qualificationIds,
  ]);
  const requirements = sets.flatMap((all, number) =>
    all.map(({ certificationTypeId, isRequired }, position) => ({
      certificationTypeId: idOf(certificationTypeId),
      isRequired,
      position,
      qualificationId: qualificationIds[number],
    })),
  );
  await db.query(
    `insert into qualification_requirements (organization_id, qualification_id, certification_type_id, is_required, position, created_at, updated_at)
     select q.organization_id, q.id, "certificationTypeId", "isRequired", position, now(), now()
     from jsonb_to_recordset($1::jsonb) as given("qualificationId" uuid, "certificationTypeId" uuid, "isRequired" boolean, position int)
     join qualifications q on q.id = "qualificationId"`,
    [JSON.stringify(requirements)],
  );
}
