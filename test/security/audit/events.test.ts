/** Reading the audit, in GraphQL and in the portal, and that nobody can change what is in it. */
import { demoId } from '../../../src/demo/ids.js';
import { demoPassword } from '../../../src/demo/people.js';
import { Browser } from '../../auth/oauth/browser.js';
import { startOAuthApp } from '../../auth/oauth/client.js';
import { makeApp } from '../../support/apps.js';
import { fail } from '../../support/expect.js';
import { graphOf } from '../../support/graph.js';
import {
  adminEmail,
  climberEmail,
  harborId,
  jobRoleId,
  managerEmail,
  skyline,
  skylineId,
  userId,
} from '../../support/names.js';

const app = await startOAuthApp();
const { db } = app;
const admin = graphOf(app, adminEmail);
const [role, dashboard] = [jobRoleId('gin-pole-operator'), demoId('app', 'demo-dashboard')];

interface Event {
  readonly id: string;
  readonly occurredAt: string;
  readonly action: string;
  readonly subjectId: string;
  readonly userId: string;
  readonly requestId: string;
  readonly changes: { property: string; from: string | null; to: string | null }[];
}

const fields =
  'id occurredAt action subjectType subjectId userId userDisplayName appId appName requestId changes { property from to }';
/** The demo data has events of its own, which are older. */
const since = new Date().toISOString();
const sinceStart = (args: string): string =>
  args.includes('occurredFrom') ? args : `${args} occurredFrom: "${since}"`;

const read = async (
  args = '()',
): Promise<{ nodes: Event[]; pageInfo: { nextCursor: string | null } }> =>
  (
    await admin.data(
      `{ organization(id: "${skylineId}") { auditEvents(${sinceStart(args.slice(1, -1))}) { nodes { ${fields} } pageInfo { nextCursor } } } }`,
    )
  ).organization.auditEvents;

beforeAll(async () => {
  for (const [index, who] of [adminEmail, managerEmail, managerEmail].entries()) {
    const token = await app.token(who);
    const headers = { 'x-request-id': `change-${index}` };
    await app.rest('PATCH', `${skyline}/job-roles/${role}`, {
      token,
      body: { description: `Text ${index}` },
      headers,
    });
  }
  const body = { title: 'Roof Work', slug: 'roof-work' };
  await app.rest('POST', `${skyline}/certification-types`, {
    token: await app.token(managerEmail),
    body,
  });
});

describe('auditEvents of an organization', () => {
  test('tell who did what, when, through which app, in which request, from what to what; newest first', async () => {
    const { nodes } = await read();
    expect(nodes.map(({ action }) => action)).toEqual(['create', 'update', 'update', 'update']);
    const { id, occurredAt, ...event } = nodes[1] ?? fail();
    expect(occurredAt > (nodes[2]?.occurredAt ?? '') && id).toBeTruthy();
    expect(event).toStrictEqual({
      action: 'update',
      subjectType: 'JobRole',
      subjectId: role,
      userId: userId(managerEmail),
      userDisplayName: 'Marcus Delgado',
      appId: dashboard,
      appName: 'Demo Dashboard',
      requestId: 'change-2',
      changes: [{ property: 'description', from: 'Text 1', to: 'Text 2' }],
    });
  });

  test('are narrowed by subject, person, app, action and time', async () => {
    const requests = async (args: string) =>
      (await read(args)).nodes.map(({ requestId }) =>
        requestId.replace(/^[0-9a-f-]{36}$/, 'created'),
      );
    const all = await read();
    const [, , second] = all.nodes;
    expect(await requests('(subjectType: "JobRole")')).toEqual([
      'change-2',
      'change-1',
      'change-0',
    ]);
    expect(await requests(`(subjectId: "${role}")`)).toEqual(['change-2', 'change-1', 'change-0']);
    expect(await requests(`(userId: "${userId(adminEmail)}")`)).toEqual(['change-0']);
    expect(await requests(`(appId: "${dashboard}", action: "create")`)).toEqual(['created']);
    expect(await requests(`(appId: "${role}")`)).toEqual([]);
    expect(await requests(`(occurredFrom: "${second?.occurredAt}", action: "update")`)).toEqual([
      'change-2',
      'change-1',
    ]);
    expect(await requests(`(occurredBefore: "${second?.occurredAt}")`)).toEqual(['change-0']);
  });

  test('come page by page, none twice and none left out; a cursor is of its filters', async () => {
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(`(first: 1${cursor && `, after: "${cursor}"`})`);
      walked.push(...page.nodes.map(({ id }) => id));
      cursor = page.pageInfo.nextCursor;
    }
    expect(walked).toStrictEqual((await read()).nodes.map(({ id }) => id));
    const { pageInfo } = await read('(first: 1)');
    const other = `{ organization(id: "${skylineId}") { auditEvents(occurredFrom: "${since}", action: "update", after: "${pageInfo.nextCursor}") { nodes { id } } } }`;
    expect((await admin.refusal(other)).code).toBe('VALIDATION_ERROR');
  });

  const query = (id: string) =>
    `{ organization(id: "${id}") { auditEvents(occurredFrom: "${since}") { nodes { id } } } }`;

  test('are for admins alone, and of no other organization', async () => {
    for (const email of [managerEmail, climberEmail])
      expect((await graphOf(app, email).refusal(query(skylineId))).code).toBe('FORBIDDEN');
    expect((await admin.refusal(query(harborId))).code).toBe('FORBIDDEN');
    expect(await graphOf(app, 'admin@harbor.example').data(query(harborId))).toStrictEqual({
      organization: { auditEvents: { nodes: [] } },
    });
  });

  test('need the scope to read every kind of record, since they tell of every kind', async () => {
    for (const family of [
      'organization_members',
      'certification_types',
      'certification_records',
      'qualifications',
      'job_roles',
    ] as const) {
      const scopes = (
        await graphOf(app, adminEmail).data('{ me { apiScopes } }')
      ).me.apiScopes.filter((scope: string) => scope !== `${family}:read`);
      await makeApp(db, `audit-${family}`, { scopes });
      expect(
        (await graphOf(app, adminEmail, `audit-${family}`).refusal(query(skylineId))).details,
      ).toStrictEqual({
        required_scope: `${family}:read`,
      });
    }
  });
});

test('the portal shows the same, with the request', async () => {
  const browser = new Browser(app.base);
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email: adminEmail,
    password: demoPassword,
  });
  const { html } = await browser.get(`/portal/organizations/${skylineId}/audit`);
  expect(html).toMatch(
    /<strong>Marcus Delgado<\/strong> changed [\s\S]*through Demo Dashboard[\s\S]* request <code>change-2<\/code>/,
  );
  expect(html).toMatch(/from <del>Text 1<\/del> to <ins>Text 2<\/ins>/);
});

describe('what is in the audit', () => {
  test('can be changed, deleted or cut off by no statement', async () => {
    const stored = await db.query('select * from audit_events order by id');
    for (const statement of [
      `update audit_events set changes = '{}'`,
      'delete from audit_events',
      `delete from audit_events where false`,
      'truncate audit_events',
      'truncate organizations cascade',
      `insert into audit_events select * from audit_events on conflict (id) do update set action = 'x'`,
    ]) {
      await expect(db.query(statement)).rejects.toThrow(/audit_events is append-only/);
    }
    expect(await db.query('select * from audit_events order by id')).toStrictEqual(stored);
  });

  test('still names an app that was deleted since', async () => {
    await makeApp(db, 'short-lived', { scopes: ['job_roles:read', 'job_roles:write'] });
    const token = await app.token(managerEmail, 'short-lived');
    await app.rest('PATCH', `${skyline}/job-roles/${role}`, {
      token,
      body: { description: 'Last words' },
    });
    const [{ id } = { id: '' }] = await db.query<{ id: string }>(
      `delete from apps where client_id = 'short-lived' returning id`,
    );
    const [event] = (await read('(first: 1)')).nodes as (Event & {
      appId: string;
      appName: string | null;
    })[];
    expect([event?.appId, event?.appName, event?.changes[0]?.to]).toStrictEqual([
      id,
      null,
      'Last words',
    ]);
  });
});
