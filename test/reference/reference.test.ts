/** The API reference: every operation is there, as it is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readEndpoints } from '../../src/rest/operations.js';
import { startApp } from '../support/app.js';
import { addressOf, samples } from '../support/cases.js';
import { documentOf } from '../support/twins.js';
import { articleOf, attributesOf, programOf, readPage, textOf, whoRuns } from './pages.js';

const app = await startApp();
const page = await readPage(app, '/docs');

describe('every operation', () => {
  for (const endpoint of readEndpoints()) {
    const { operation, method, path } = endpoint.route;

    test(`${method} ${path}: is there with what it takes and needs, and in the contents`, () => {
      const article = articleOf(page, operation);
      const [, endpointLine = ''] = /<p class="endpoint">(.*?)<\/p>/s.exec(article) ?? [];
      assert.equal(textOf(endpointLine), `${method} ${path}`);
      const scopes = [...article.matchAll(/<code class="scope">(.*?)<\/code>/g)].map(([, scope]) => scope);
      assert.deepEqual(scopes, endpoint.scopes);
      const names = [...article.matchAll(/<dt><code>(.*?)<\/code>/g)].map(([, name]) => name);
      const taken = samples.find((sample) => sample.endpoint.route.operation === operation);
      const expected = [
        ...endpoint.pathVariables,
        ...endpoint.queryVariables.map(({ name }) => name),
        ...Object.keys(taken?.body?.() ?? {}),
      ];
      assert.deepEqual(
        expected.filter((name) => !names.includes(name)),
        [],
      );
      assert.ok(attributesOf(page.slice(0, page.indexOf('<article')), 'href').includes(`#${operation}`));
    });

    test(`${method} ${path}: has its twin, which Sandbox opens and which runs`, async () => {
      const document = programOf(page, `${operation}-document`);
      assert.match(document, new RegExp(`^(query|mutation) ${operation}\\b`));
      assert.deepEqual(document.split('\n\n').sort(), documentOf(endpoint).split('\n\n').sort());
      const variables = JSON.parse(programOf(page, `${operation}-variables`));
      const [link = ''] = attributesOf(articleOf(page, operation), 'href').filter((href) => href.startsWith('/graphql?'));
      const parameters = new URL(link, app.base).searchParams;
      assert.equal(parameters.get('document'), document);
      assert.deepEqual(JSON.parse(parameters.get('variables') ?? ''), variables);
      const { body } = await app.graphql(document, variables, { token: await app.token(whoRuns(operation)) });
      assert.deepEqual(body.errors ?? [], []);
    });
  }
});

test('nothing is said twice, and nothing in it is empty', () => {
  const ids = attributesOf(page, 'id');
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    page.match(/.{0,80}(undefined|\[object|<(\w+)[^>]*>\s*<\/\2>)/g)?.filter((found) => !/<(script|p id="found")[^>]*>/.test(found)) ?? [],
    [],
  );
  assert.equal([...page.matchAll(/<article /g)].length, samples.length);
});

test('the errors are those that the API answers with', async () => {
  const [sample] = samples.filter(({ endpoint }) => endpoint.route.operation === 'GetOrganization');
  assert.ok(sample);
  const { status, body } = await app.rest('GET', addressOf(sample), {});
  assert.equal(status, 401);
  const shown = JSON.parse(programOf(page, `error-${body.error.code}`));
  assert.deepEqual({ ...shown.error, request_id: '' }, { ...body.error, request_id: '' });
});
