/** The API reference: every operation is there, as it is. */
import { readEndpoints } from '../../src/rest/operations.js';
import { startApp } from '../support/app.js';
import { addressOf, samples } from '../support/cases.js';
import { ensure } from '../support/expect.js';
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
      expect(textOf(endpointLine)).toBe(`${method} ${path}`);
      const scopes = [...article.matchAll(/<code class="scope">(.*?)<\/code>/g)].map(
        ([, scope]) => scope,
      );
      expect(scopes).toStrictEqual(endpoint.scopes);
      const names = [...article.matchAll(/<dt><code>(.*?)<\/code>/g)].map(([, name]) => name);
      const taken = samples.find((sample) => sample.endpoint.route.operation === operation);
      const expected = [
        ...endpoint.pathVariables,
        ...endpoint.queryVariables.map(({ name }) => name),
        ...Object.keys(taken?.body?.() ?? {}),
      ];
      expect(expected.filter((name) => !names.includes(name))).toEqual([]);
      expect(attributesOf(page.slice(0, page.indexOf('<article')), 'href')).toContain(
        `#${operation}`,
      );
    });

    test(`${method} ${path}: has its twin, which Sandbox opens and which runs`, async () => {
      const document = programOf(page, `${operation}-document`);
      expect(document).toMatch(new RegExp(`^(query|mutation) ${operation}\\b`));
      expect(document.split('\n\n').sort()).toStrictEqual(
        documentOf(endpoint).split('\n\n').sort(),
      );
      const variables = JSON.parse(programOf(page, `${operation}-variables`));
      const [link = ''] = attributesOf(articleOf(page, operation), 'href').filter((href) =>
        href.startsWith('/graphql?'),
      );
      const parameters = new URL(link, app.base).searchParams;
      expect(parameters.get('document')).toBe(document);
      expect(JSON.parse(parameters.get('variables') ?? '')).toStrictEqual(variables);
      const { body } = await app.graphql(document, variables, {
        token: await app.token(whoRuns(operation)),
      });
      expect(body.errors ?? []).toEqual([]);
    });
  }
});

test('nothing is said twice, and nothing in it is empty', () => {
  const ids = attributesOf(page, 'id');
  expect(new Set(ids).size).toBe(ids.length);
  expect(
    page
      .match(/.{0,80}(undefined|\[object|<(\w+)[^>]*>\s*<\/\2>)/g)
      ?.filter((found) => !/<(script|p id="found")[^>]*>/.test(found)) ?? [],
  ).toEqual([]);
  expect([...page.matchAll(/<article /g)]).toHaveLength(samples.length);
});

test('the errors are those that the API answers with', async () => {
  const [sample] = samples.filter(({ endpoint }) => endpoint.route.operation === 'GetOrganization');
  ensure(sample);
  const { status, body } = await app.rest('GET', addressOf(sample), {});
  expect(status).toBe(401);
  const shown = JSON.parse(programOf(page, `error-${body.error.code}`));
  expect({ ...shown.error, request_id: '' }).toStrictEqual({ ...body.error, request_id: '' });
});
