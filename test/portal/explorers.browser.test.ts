/**
 * GraphiQL, and Apollo Sandbox: its frame is played here by a page that speaks as Apollo's does,
 * since tests reach no other machine.
 */
import type { Page, Request } from 'playwright-core';
import { enableOwnApp, graphiqlApp } from '../../src/auth/apps/own.js';
import { openPage, openPageOf, signIn, startBrowser, startPortal } from '../support/browser.js';
import { nobody } from '../support/changes.js';
import { inspect } from '../support/inspect.js';
import { managerEmail } from '../support/names.js';

const app = await startPortal();
await enableOwnApp(app.db, nobody, app.config, graphiqlApp);
const browser = await startBrowser();

const sandbox = 'https://sandbox.embed.apollographql.com';
const query =
  'query Mine($first: Int!) {\n  organizations(first: $first) {\n    nodes {\n      name\n    }\n  }\n}';
const link = `?${new URLSearchParams({ document: query, variables: '{"first":3}' })}`;

const isOperation = (request: Request) =>
  new URL(request.url()).pathname === '/graphql' && request.method() === 'POST';

describe('GraphiQL', () => {
  it('signs in through the portal, shows the query of a link, and runs it when told to', async () => {
    const page = await openPage(browser);
    const sent: Request[] = [];
    page.on('request', (request) => isOperation(request) && sent.push(request));
    page.on('request', (request) => expect(new URL(request.url()).origin).toBe(app.origin));
    await page.goto(`${app.origin}/graphiql${link}`);
    await signIn(page, managerEmail);
    await page.getByText('organizations').first().waitFor();
    expect(page.url()).toBe(`${app.origin}/graphiql${link}`);
    await page.getByText('"first"').waitFor();
    await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).waitFor();
    // Nothing but the schema is asked for.
    expect(sent.every((request) => request.postData()?.includes('__schema'))).toBe(true);
    await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).click();
    await page.locator('.graphiql-response').getByText('"Skyline Towers"').waitFor();
    const { authorization, cookie } = (await sent.at(-1)?.allHeaders()) ?? {};
    expect(authorization ?? '').toMatch(/^Bearer /);
    expect(cookie).toBeUndefined();
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(stored).not.toMatch(/eyJ|Bearer/); // no token is kept in the browser
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history-items').getByText('Mine').waitFor();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Root Types').waitFor();
    await page.context().close();
  });

  it('says when the sign-in has ended, and goes on after another', async () => {
    const page = await openPageOf(browser, app, managerEmail);
    await page.goto(`${app.origin}/graphiql${link}`);
    await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).waitFor();
    await app.db.query('delete from grants');
    await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).click();
    await page.locator('#why').getByText('Your sign-in has ended.').waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('"first"').waitFor();
    expect(page.url()).toBe(`${app.origin}/graphiql${link}`);
    await page.context().close();
  });

  it('says what to do where it is not enabled', async () => {
    await app.db.query(`update apps set status = 'disabled' where client_id = $1`, [
      graphiqlApp.clientId,
    ]);
    const page = await openPageOf(browser, app, managerEmail);
    await page.goto(`${app.origin}/graphiql`);
    await page.getByText('lanyard graphiql enable').waitFor();
    await inspect(page, 'graphiql disabled');
    await app.db.query(`update apps set status = 'active' where client_id = $1`, [
      graphiqlApp.clientId,
    ]);
    await page.context().close();
  });
});

/** A frame that asks as Apollo's does, and shows what it is told. */
const played = (
  requests: readonly object[],
) => `<!doctype html><title>Played</title><pre></pre><script>
  addEventListener('message', ({ data, origin }) => {
    document.querySelector('pre').textContent += JSON.stringify({ ...data, from: origin }) + '\\n';
  });
  let mayReach = true;
  try { parent.document } catch { mayReach = false }
  parent.postMessage({ name: 'ExplorerListeningForHandshake' }, '*');
  for (const request of ${JSON.stringify(requests)}) parent.postMessage(request, '*');
  document.querySelector('pre').textContent += JSON.stringify({ name: 'Reach', mayReach }) + '\\n';
</script>`;

async function openSandbox(
  requests: readonly object[],
): Promise<{ readonly page: Page; readonly sent: Request[]; told(): Promise<Message[]> }> {
  const page = await openPageOf(browser, app, managerEmail);
  const sent: Request[] = [];
  page.on('request', (request) => isOperation(request) && sent.push(request));
  await page.route(`${sandbox}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: played(requests) }),
  );
  await page.goto(`${app.origin}/graphql${link}`);
  const text = page.frameLocator('iframe[title="Apollo Sandbox"]').locator('pre');
  await text.getByText('"Reach"').waitFor();
  return {
    page,
    sent,
    told: async () =>
      (await text.innerText())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

type Message = { readonly name: string; readonly [key: string]: unknown };

describe('Apollo Sandbox', () => {
  const token = () => app.token(managerEmail);
  const request = {
    name: 'ExplorerRequest',
    operation: query,
    operationName: 'Mine',
    variables: { first: 3 },
  };

  it('has the query of the link, and asks through this page without its cookies', async () => {
    const { page, sent, told } = await openSandbox([
      {
        ...request,
        operationId: 'anonymous',
        endpointUrl: `${app.origin}/graphql`,
        includeCookies: true,
      },
      {
        ...request,
        operationId: 'signed-in',
        headers: { authorization: `Bearer ${await token()}` },
      },
      {
        name: 'IntrospectionQueryWithHeaders',
        operationId: 'schema',
        introspectionRequestBody: '{"query":"{__schema{queryType{name}}}"}',
      },
    ]);
    const frame = page.locator('iframe[title="Apollo Sandbox"]');
    const { searchParams } = new URL((await frame.getAttribute('src')) ?? '');
    expect(searchParams.get('defaultDocument')).toBe(query);
    expect(searchParams.get('defaultVariables')).toBe('{"first":3}');
    expect(searchParams.get('endpoint')).toBe(`${app.origin}/graphql`);
    expect((await frame.getAttribute('sandbox')) ?? '').not.toMatch(/allow-top-navigation/);
    await page.frameLocator('iframe').locator('pre').getByText('"schema"').waitFor();
    await page.frameLocator('iframe').locator('pre').getByText('"signed-in"').waitFor();
    await page.frameLocator('iframe').locator('pre').getByText('"anonymous"').waitFor();
    const answers = new Map(
      (await told()).map((message) => [message.operationId ?? message.name, message]),
    );
    expect(answers.get('Reach')?.mayReach).toBe(false);
    expect(answers.get('HandshakeResponse')?.from).toBe(app.origin);
    const responseOf = (id: string) =>
      answers.get(id)?.response as { status: number; data?: { organizations: object } | null };
    // The person is signed in to the portal, and that counts for nothing.
    expect(responseOf('anonymous').status).toBe(401);
    expect(responseOf('signed-in').status).toBe(200);
    expect(responseOf('signed-in').data?.organizations).toBeTruthy();
    expect(answers.get('schema')?.schema).toStrictEqual({
      __schema: { queryType: { name: 'Query' } },
    });
    expect(sent).toHaveLength(3);
    for (const each of sent) expect((await each.allHeaders()).cookie).toBeUndefined();
    await page.context().close();
  });

  it('reaches nothing but the GraphQL endpoint, whatever address it names', async () => {
    const elsewhere = `${app.origin}/portal/sign-out`;
    const asked: string[] = [];
    const names = ['endpointUrl', 'sandboxEndpointUrl', 'subscriptionUrl'];
    const { page, told } = await openSandbox([
      {
        ...request,
        operationId: 'elsewhere',
        ...Object.fromEntries(names.map((name) => [name, elsewhere])),
      },
      {
        name: 'ExplorerSubscriptionRequest',
        operationId: 'stream',
        operation: 'subscription { a }',
        subscriptionUrl: elsewhere,
        protocol: 'graphql-ws',
      },
      { name: 'PreflightOAuthRequest', oauthUrl: elsewhere },
      { name: 'SetPartialAuthenticationTokenForParent', localStorageKey: 'a', partialToken: 'b' },
    ]);
    page.on('request', (each) => asked.push(each.url()));
    await page.frameLocator('iframe').locator('pre').getByText('"elsewhere"').waitFor();
    // A subscription is refused with a reason.
    expect((await told()).some(({ operationId }) => operationId === 'stream')).toBe(true);
    expect(asked).not.toContain(elsewhere);
    expect(page.context().pages()).toHaveLength(1);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.context().close();
  });

  it('hears nobody but its own frame', async () => {
    const { page, sent } = await openSandbox([]);
    await page.evaluate((message) => window.postMessage(message, '*'), {
      ...request,
      operationId: 'forged',
    });
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(sent).toHaveLength(0);
    await page.context().close();
  });

  it('where it can not be reached, GraphiQL opens with the same query', async () => {
    const page = await openPageOf(browser, app, managerEmail);
    await page.route(`${sandbox}/**`, (route) => route.abort('namenotresolved'));
    await page.goto(`${app.origin}/graphql${link}`);
    await page.getByText('Loading Apollo Sandbox').waitFor();
    await page.getByText('Apollo Sandbox could not be reached').waitFor();
    await page.getByText('"first"').waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('document')]).toStrictEqual(['/graphiql', query]);
    const back = new URL(
      (await page.getByRole('link', { name: 'Apollo Sandbox' }).getAttribute('href')) ?? '',
      app.origin,
    );
    expect([back.pathname, back.searchParams.get('document')]).toStrictEqual(['/graphql', query]);
    await page.context().close();
  });
});
