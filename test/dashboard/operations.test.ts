/** What the dashboard asks of the API, and how it is served. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Kind, parse, print, validate } from 'graphql';
import { dashboardClientId, enableDashboard } from '../../src/auth/apps/dashboard.js';
import { dayAfter, today } from '../../src/entities/day.js';
import { schema } from '../../src/graph/schema.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { nobody } from '../support/changes.js';
import * as demo from '../support/names.js';

const app = await startApp();
await enableDashboard(app.db, nobody, app.config);
const token = await app.token(demo.managerEmail, dashboardClientId);

const folder = join(packageRoot, 'dashboard/operations');
const documents = readdirSync(folder).flatMap((file) => {
  const { definitions } = parse(readFileSync(join(folder, file), 'utf8'));
  return definitions.map((definition) => {
    assert.ok(definition.kind === Kind.OPERATION_DEFINITION && definition.name);
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
  Readiness: { jobRoleId: demo.jobRoleId('tower-foreman'), asOf: today() },
  Standing: { memberId: demo.memberId(demo.climberEmail) },
  Why: { memberId: demo.memberId(demo.climberEmail), qualificationId: demo.qualificationId('lead-climber') },
  ExpiryCounts: Object.fromEntries(days),
  Expiries: { from: today(), until: dayAfter(today(), 90) },
  Losses: {},
  Crew: {
    day: today(),
    needs: ['lead-climber', 'site-foreman', 'pim-tester'].map((slug) => ({ qualificationId: demo.qualificationId(slug), count: 100 })),
  },
};

describe('the operations of the dashboard', () => {
  it('are those listed here', () => {
    assert.deepEqual(documents.map(({ name }) => name).sort(), Object.keys(variables).sort());
  });
  for (const { name, text } of documents) {
    it(`${name} fits the schema, the scopes of the app, and the limit on the cost`, async (t) => {
      assert.deepEqual(validate(schema, parse(text)), []);
      const given = name === 'Me' ? {} : { organizationId: demo.skylineId, ...variables[name] };
      const { status, body } = await app.graphql(text, given, { token });
      assert.deepEqual([status, body.errors], [200, undefined]);
      const { requested, limit } = body.extensions.cost;
      t.diagnostic(`costs ${requested} of ${limit}`);
      assert.ok(requested > 0 && requested <= limit);
    });
  }
});

describe('GET /dashboard', () => {
  const get = (path: string) => fetch(app.base + path);

  it('is a page that runs nothing but its own scripts, and asks nobody else', async () => {
    const response = await get('/dashboard');
    assert.equal(response.status, 200);
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    for (const directive of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(directive), directive);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const page = await response.text();
    assert.doesNotMatch(page, /<script(?![^>]* src="\/assets\/)|<style| style=| on\w+=/);
  });

  it('loads a script and a style sheet that browsers may keep for good, as their names change with the content', async () => {
    const page = await (await get('/dashboard')).text();
    const paths = [...page.matchAll(/"(\/assets\/dashboard\/main-\w+\.(?:js|css))"/g)].map(([, path = '']) => path);
    assert.deepEqual(paths.map((path) => path.replace(/-\w+/, '')).sort(), ['/assets/dashboard/main.css', '/assets/dashboard/main.js']);
    for (const path of paths) {
      const response = await get(path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'max-age=31536000,immutable');
      await response.arrayBuffer();
    }
    assert.equal((await get('/assets/dashboard/main-never.js')).status, 404);
    assert.equal((await get('/dashboard/')).status, 404);
  });
});

describe('enableDashboard', () => {
  it('changes nothing the second time, and follows a change of the address', async () => {
    assert.equal(await enableDashboard(app.db, nobody, app.config), false);
    const elsewhere = { ...app.config, BASE_URL: 'https://crews.example' };
    assert.equal(await enableDashboard(app.db, nobody, elsewhere), true);
    assert.equal((await fetch(`${app.base}/dashboard`)).status, 404, 'the old address is not registered any more');
    const [row] = await app.db.query<object>(
      `select redirect_uris as "redirectUris", is_first_party as "isFirstParty", token_endpoint_auth_method as method,
         exists (select from unnest(api_scopes) s where s not like '%:read') as writes from apps where client_id = $1`,
      [dashboardClientId],
    );
    assert.deepEqual(row, { redirectUris: ['https://crews.example/dashboard'], isFirstParty: true, method: 'none', writes: false });
    assert.equal(await enableDashboard(app.db, nobody, app.config), true);
  });
});
