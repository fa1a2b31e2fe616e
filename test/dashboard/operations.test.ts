/** What the dashboard asks of the API, and how it is served. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print, validate } from 'graphql';
import { dashboardApp, enableOwnApp } from '../../src/auth/apps/own.js';
import { schema } from '../../src/graph/schema.js';
import { packageRoot } from '../../src/root.js';
import { dayAfter, today } from '../../src/scalars/day.js';
import { startApp } from '../support/app.js';
import { nobody } from '../support/changes.js';
import { ensure } from '../support/expect.js';
import * as demo from '../support/names.js';

const app = await startApp();
await enableOwnApp(app.db, nobody, app.config, dashboardApp);
const token = await app.token(demo.managerEmail, dashboardApp.clientId);

const folder = join(packageRoot, 'dashboard/operations');
const documents = readdirSync(folder).flatMap((file) => {
  const { definitions } = parse(readFileSync(join(folder, file), 'utf8'));
  return definitions.map((definition) => {
    ensure(definition.kind === Kind.OPERATION_DEFINITION && definition.name);
    return { name: definition.name.value, text: print(definition) };
  });
});

const days = Array.from({ length: 13 }, (_, week) => [
  [`from${week}`, dayAfter(today(), week * 7)],
  [`until${week}`, dayAfter(today(), week * 7 + 6)],
]).flat();

/** The most that the page sends, by operation. */
const variables: Readonly<Record<string, object>> = {
  Me: {},
  Choices: {},
  Readiness: { jobRoleId: demo.jobRoleId('tower-foreman'), asOf: dayAfter(today(), -1) },
  ReadinessStart: { jobRoleId: demo.jobRoleId('tower-foreman'), asOf: dayAfter(today(), -1) },
  Summary: { from: today(), until: dayAfter(today(), 30) },
  FindPeople: { q: 'a' },
  Person: { memberId: demo.memberId(demo.climberEmail), asOf: dayAfter(today(), -1) },
  Unverified: { jobRoleId: demo.jobRoleId('tower-foreman') },
  Why: {
    memberId: demo.memberId(demo.climberEmail),
    qualificationId: demo.qualificationId('lead-climber'),
  },
  ExpiryCounts: Object.fromEntries(days),
  Expiries: { from: today(), until: dayAfter(today(), 90) },
  Losses: {},
  Crew: {
    day: today(),
    needs: ['lead-climber', 'site-foreman', 'pim-tester'].map((slug) => ({
      qualificationId: demo.qualificationId(slug),
      count: 100,
    })),
  },
};

describe('the operations of the dashboard', () => {
  it('are those listed here', () => {
    expect(documents.map(({ name }) => name).sort()).toStrictEqual(Object.keys(variables).sort());
  });
  for (const { name, text } of documents) {
    it(`${name} fits the schema, the scopes of the app, and the limit on the cost`, async () => {
      expect(validate(schema, parse(text))).toEqual([]);
      const given = name === 'Me' ? {} : { organizationId: demo.skylineId, ...variables[name] };
      const { status, body } = await app.graphql(text, given, { token });
      expect([status, body.errors]).toStrictEqual([200, undefined]);
      const { requested, limit } = body.extensions.cost;
      console.info(`costs ${requested} of ${limit}`);
      expect(requested > 0 && requested <= limit).toBe(true);
    });
  }
});

describe('GET /dashboard', () => {
  const get = (path: string) => fetch(app.base + path);

  it('is a page that runs nothing but its own scripts, and asks nobody else', async () => {
    const response = await get('/dashboard');
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      ensure(policy.includes(directive), directive);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style| style=| on\w+=/);
  });

  it('loads a script and a style sheet that browsers may keep for good, as their names change with the content', async () => {
    const page = await (await get('/dashboard')).text();
    const paths = [...page.matchAll(/"(\/assets\/browser\/dashboard-\w+\.(?:js|css))"/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.map((path) => path.replace(/-\w+/, '')).sort()).toEqual([
      '/assets/browser/dashboard.css',
      '/assets/browser/dashboard.js',
    ]);
    for (const path of paths) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('max-age=31536000,immutable');
      await response.arrayBuffer();
    }
    expect((await get('/assets/browser/dashboard-never.js')).status).toBe(404);
    expect((await get('/dashboard/')).status).toBe(404);
  });
});

describe('enableOwnApp', () => {
  it('changes nothing the second time, and follows a change of the address', async () => {
    expect(await enableOwnApp(app.db, nobody, app.config, dashboardApp)).toBe(false);
    const elsewhere = { ...app.config, BASE_URL: 'https://crews.example' };
    expect(await enableOwnApp(app.db, nobody, elsewhere, dashboardApp)).toBe(true);
    // The old address is not registered any more.
    expect((await fetch(`${app.base}/dashboard`)).status).toBe(404);
    const [row] = await app.db.query<object>(
      `select redirect_uris as "redirectUris", is_first_party as "isFirstParty", token_endpoint_auth_method as method,
         exists (select from unnest(api_scopes) s where s not like '%:read') as writes from apps where client_id = $1`,
      [dashboardApp.clientId],
    );
    expect(row).toStrictEqual({
      redirectUris: ['https://crews.example/dashboard'],
      isFirstParty: true,
      method: 'none',
      writes: false,
    });
    expect(await enableOwnApp(app.db, nobody, app.config, dashboardApp)).toBe(true);
  });
});
