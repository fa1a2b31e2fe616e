/**
 * What the pages of the GraphQL explorers may load, and what they may not, beside the cookie of the
 * portal.
 */
import { enableOwnApp, graphiqlApp } from '../../../src/auth/apps/own.js';
import { readConfig } from '../../../src/config.js';
import { openApp, startApp } from '../../support/app.js';
import { nobody } from '../../support/changes.js';
import { fail } from '../../support/expect.js';

const app = await startApp();
await enableOwnApp(app.db, nobody, app.config, graphiqlApp);

const sandbox = 'https://sandbox.embed.apollographql.com';
const link = `?${new URLSearchParams({ document: '{ me { user { id } } }', variables: '{"a":"</script><script>alert(1)</script>"}' })}`;

const open = (base: string, path: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
  fetch(base + path, { headers: { accept }, redirect: 'manual' });

/** The directives of a policy by name. */
const policyOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

describe('the pages of the explorers', () => {
  for (const path of ['/graphql', '/graphiql', `/graphql${link}`, `/graphiql${link}`]) {
    it(`${path.slice(0, 40)} run scripts of this server alone`, async () => {
      const response = await open(app.base, path);
      const page = await response.text();
      expect(response.status).toBe(200);
      const policy = policyOf(response);
      expect(policy['default-src']).toBe("'none'");
      expect(policy['script-src']).toBe("'self'");
      expect(policy['connect-src']).toBe("'self'");
      expect(policy['base-uri']).toBe("'none'");
      expect(policy['form-action']).toBe("'self'");
      expect(policy['frame-ancestors']).toBe("'none'");
      expect(JSON.stringify(policy)).not.toContain('unsafe');
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      const scripts = [...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
      expect(scripts.length).toBeGreaterThan(0);
      for (const tag of scripts)
        expect(tag).toMatch(/^<script type="module" src="\/assets\/[\w./-]+">$/);
      expect(page).not.toMatch(/(src|href)="(https?:)?\/\//); // nothing is loaded from elsewhere
    });
  }

  it('let Apollo Sandbox into a frame of its own origin, and GraphiQL into none', async () => {
    expect(policyOf(await open(app.base, '/graphql'))['frame-src']).toBe(sandbox);
    expect(policyOf(await open(app.base, '/graphiql'))['frame-src']).toBeUndefined();
  });

  it('keep the query in the link to the other, and nothing else of the address', async () => {
    const address = `/graphiql${link}&code=secret-code&state=secret-state`;
    const page = await (await open(app.base, address)).text();
    const [, href = ''] = /href="(\/graphql\?[^"]*)"/.exec(page) ?? fail('no link to Sandbox');
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'), app.base);
    expect(searchParams).toStrictEqual(new URLSearchParams(link));
    expect(page).not.toMatch(/secret-/);
  });

  it('show no token, and answer programs as before', async () => {
    const response = await open(app.base, '/graphql?query={__typename}');
    expect(response.headers.get('content-type') ?? '').toMatch(/json/);
    const json = await open(app.base, '/graphql', 'application/json');
    expect(json.status).toBe(400);
    expect(json.headers.get('content-type') ?? '').toMatch(/json/);
  });
});

describe('GRAPHQL_SANDBOX', () => {
  it('is on in development and off in production, unless it is set', () => {
    expect(readConfig({}).GRAPHQL_SANDBOX).toBe(true);
    expect(
      readConfig({ DATABASE_URL: 'postgres://x/y', NODE_ENV: 'production' }).GRAPHQL_SANDBOX,
    ).toBe(false);
    expect(
      readConfig({
        DATABASE_URL: 'postgres://x/y',
        NODE_ENV: 'production',
        GRAPHQL_SANDBOX: 'true',
      }).GRAPHQL_SANDBOX,
    ).toBe(true);
    expect(readConfig({ GRAPHQL_SANDBOX: 'false' }).GRAPHQL_SANDBOX).toBe(false);
  });

  it('off: /graphql leads to GraphiQL with the same query, and no page names Sandbox', async () => {
    await using off = await openApp({ GRAPHQL_SANDBOX: 'false' });
    const response = await open(off.base, `/graphql${link}`);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/graphiql${link}`);
    expect((await open(off.base, '/graphiql')).status).toBe(404); // not enabled here
    await enableOwnApp(off.db, nobody, off.config, graphiqlApp);
    const page = await open(off.base, '/graphiql');
    expect(page.status).toBe(200);
    expect((await page.text()) + page.headers.get('content-security-policy')).not.toMatch(
      /apollo/i,
    );
  });
});
