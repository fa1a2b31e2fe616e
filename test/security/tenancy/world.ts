/**
 * Two tenants, everyone who may ask, and every app through which they may: what the tests of
 * tenancy start from.
 */
import { createHash } from 'node:crypto';
import { type ApiScope, apiScopes } from '../../../src/auth/scopes.js';
import { startApp, type TestApp } from '../../support/app.js';
import { makeApp } from '../../support/apps.js';
import * as demo from '../../support/names.js';
import { found } from '../../support/tenants.js';
import type { Ids } from '../fields.js';

export let app: TestApp;

const strangerEmail = 'stranger@nowhere.example';
const outsiderEmail = 'outsider@elsewhere.example';
/** An organization of which nobody else here is a member. */
export let elsewhereId: string;
export let outsiderMemberId: string;

/**
 * A person: the role in the home organization (skyline-towers), null for none; undefined for nobody
 * at all.
 */
export interface Person {
  readonly email: string | undefined;
  readonly role: 'admin' | 'manager' | 'member' | null;
}

export const people = {
  admin: { email: demo.adminEmail, role: 'admin' },
  manager: { email: demo.managerEmail, role: 'manager' },
  'plain member': { email: demo.climberEmail, role: 'member' },
  'suspended member': { email: demo.suspendedEmail, role: null },
  stranger: { email: strangerEmail, role: null },
  'member of another organization': { email: outsiderEmail, role: null },
  anonymous: { email: undefined, role: null },
} satisfies Record<string, Person>;
export type Who = keyof typeof people;

const read = apiScopes.filter((scope) => scope.endsWith(':read'));
const sync = apiScopes.filter((scope) =>
  /^(organizations|organization_members|certification_records):/.test(scope),
);
const pending: ApiScope[] = ['organizations:read', 'certification_records:read'];

export interface App {
  readonly scopes: readonly ApiScope[];
  /** In the home organization. */
  readonly approved: readonly ApiScope[];
  readonly isDisabled?: boolean;
}

export const apps: Readonly<Record<string, App>> = {
  'demo-dashboard': { scopes: apiScopes, approved: apiScopes },
  'demo-sync': { scopes: sync, approved: sync },
  'demo-reader': { scopes: read, approved: read },
  'demo-pending': { scopes: pending, approved: ['organizations:read'] },
  disabled: { scopes: apiScopes, approved: apiScopes, isDisabled: true },
  'without scopes': { scopes: [], approved: [] },
};

export const tokens = new Map<string, string | undefined>();

export const tokenOf = (who: Who, clientId = 'demo-dashboard'): string | undefined =>
  tokens.get(`${who} ${clientId}`);

const idOf = async (organizationId: string, memberId: string) => {
  const [row] = await app.db.query<{ id: string; externalId: string }>(
    `select id, external_id as "externalId" from certifications
     where organization_id = $1 and organization_member_id = $2 and external_id is not null order by id limit 1`,
    [organizationId, memberId],
  );
  return { certification: row?.id ?? '', certificationExternalId: row?.externalId ?? '' };
};

const colleagueId = demo.memberId('desta.alemu@skyline.example');
/** Another member of the home organization. */
export let colleague: { readonly member: string; readonly certification: string };

const harborEmail = 'rafael.montoya@harbor.example';
const [climber, foreigner] = [
  demo.memberId(demo.climberEmail),
  demo.memberId(harborEmail, 'harbor-fiber'),
];

const ofHome: Omit<Ids, 'certification' | 'certificationExternalId'> = {
  organization: demo.skylineId,
  member: climber,
  memberEmail: demo.climberEmail,
  memberExternalId: 'SKY-1003',
  certificationType: demo.typeId('night-work'),
  certificationTypeSlug: 'night-work',
  qualification: demo.qualificationId('night-crew'),
  jobRole: demo.jobRoleId('gin-pole-operator'),
};

const ofForeign: typeof ofHome = {
  organization: demo.harborId,
  member: foreigner,
  memberEmail: harborEmail,
  memberExternalId: 'HBR-1005',
  certificationType: demo.typeId('harbor-induction'),
  certificationTypeSlug: 'harbor-induction',
  qualification: demo.qualificationId('splice-lead'),
  jobRole: demo.jobRoleId('splice-crew-lead'),
};

export let home: Ids;
/** Of another organization, which none of the people reach. */
export let foreign: Ids;

/** Starts the application for a test file, and makes the people and the apps. */
export async function startWorld(): Promise<void> {
  app = await startApp({ GRAPHQL_COST_LIMIT: '100000000' });
  const { db } = app;
  for (const email of [strangerEmail, outsiderEmail]) {
    await db.query('insert into users (id, email, display_name) values ($1, $2, $2)', [
      demo.userId(email),
      email,
    ]);
  }
  elsewhereId = await found(db, outsiderEmail);
  const [outsider] = await db.query<{ id: string }>(
    'select id from organization_members where organization_id = $1',
    [elsewhereId],
  );
  outsiderMemberId = outsider?.id ?? '';
  await makeApp(db, 'disabled', { scopes: apiScopes });
  await makeApp(db, 'without scopes', { scopes: [] });
  // Every token is issued while it can be: a disabled app gets none any more.
  for (const [who, { email }] of Object.entries(people)) {
    for (const clientId of Object.keys(apps))
      tokens.set(`${who} ${clientId}`, email && (await app.token(email, clientId)));
  }
  await db.query(`update apps set status = 'disabled' where client_id = 'disabled'`);
  colleague = {
    member: colleagueId,
    certification: (await idOf(demo.skylineId, colleagueId)).certification,
  };
  home = { ...ofHome, ...(await idOf(demo.skylineId, climber)) };
  foreign = { ...ofForeign, ...(await idOf(demo.harborId, foreigner)) };
}

const unused = (number: number) => `0197a3f0-0000-4000-8000-00000000000${number}`;

/** Of nothing. As long as the foreign ones, so that not even a length differs. */
export const missing: Ids = {
  organization: unused(1),
  member: unused(2),
  memberEmail: 'nobody.montoya@harbor.example',
  memberExternalId: 'HBR-9999',
  certification: unused(3),
  certificationExternalId: 'BHR-99999',
  certificationType: unused(4),
  certificationTypeSlug: 'nobody-induction',
  qualification: unused(5),
  jobRole: unused(6),
};

const volatile = /^(date|x-request-id|connection|keep-alive|ratelimit.*)$/;

/**
 * All of a response that may tell anything: status, headers and bytes, but for the request's own id
 * and the rate.
 */
export function traceOf({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Headers;
  text: string;
}): string {
  const told = [...headers]
    .filter(([name]) => !volatile.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  const id = headers.get('x-request-id') ?? '';
  return [status, ...told, text.replaceAll(id, '(request id)')].join('\n');
}

/** One value for all that the database keeps of organizations, their people and their apps. */
export async function digest(): Promise<string> {
  const tables = await app.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
     and table_name not in ('change_listeners', 'migrations') order by 1`,
  );
  const sums = await Promise.all(
    tables.map(({ name }) =>
      app.db.query(
        `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) from ${name} t`,
      ),
    ),
  );
  return createHash('sha256').update(JSON.stringify(sums)).digest('hex');
}
