/** The API reference: every operation is there, as it is. */
import { mistakeIn } from '../../src/reference/failure.js';
import type { Schema } from '../../src/reference/openapi.js';
import { pathExamples } from '../../src/rest/openapi/demo.js';
import { readEndpoints } from '../../src/rest/operations.js';
import { type Body, startApp } from '../support/app.js';
import { addressOf, samples } from '../support/cases.js';
import { ensure } from '../support/expect.js';
import { managerEmail, qualificationId, skyline, skylineId } from '../support/names.js';
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

const { paths, components } = (await (await fetch(`${app.base}/v1/openapi.json`)).json()) as Body;
const manager = await app.token(managerEmail);

describe('the errors beside an example are those that the server sends', () => {
  const errorOf = (operation: string, code: string) =>
    JSON.parse(programOf(page, `${operation}-${code}`)).error;

  for (const { route, pathVariables, scopes } of readEndpoints()) {
    const { operation, method } = route;
    const content =
      paths[route.path][method.toLowerCase()].requestBody?.content['application/json'];
    const schema: Schema | undefined =
      content && components.schemas[content.schema.$ref.split('/').at(-1)];

    test(`${operation}: validation_error`, async () => {
      const parameters = Object.fromEntries(
        pathVariables.map((name) => [name, pathExamples[name] ?? '']),
      );
      const query = route.reply === 'page' ? { limit: 20 } : {};
      const { path, method } = route;
      const request = { baseUrl: '', method, path, parameters, query, headers: {} };
      const mistake = mistakeIn({ ...request, body: content?.example }, schema);
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => mistake.path[name] ?? '');
      const { status, body } = await app.rest(method, `${address}?${mistake.query}`, {
        token: manager,
        ...(content && { body: mistake.body }),
      });
      expect(status).toBe(422);
      expect({ ...errorOf(operation, 'validation_error'), request_id: '' }).toStrictEqual({
        ...body.error,
        request_id: '',
      });
    });

    if (scopes.length > 0)
      test(`${operation}: insufficient_scope`, () =>
        expect(scopes).toContain(errorOf(operation, 'insufficient_scope').details.required_scope));
  }
});

test("the example of a manager's create makes a record that counts", async () => {
  const [, sent = ''] = /-d '(.*)'$/s.exec(programOf(page, 'CreateCertification-curl')) ?? [];
  const input = JSON.parse(sent);
  const met = async (): Promise<boolean> => {
    const { body } = await app.graphql(
      `query Met($organizationId: ID!, $memberId: ID!, $qualificationId: ID!) {
        qualificationResult(organizationId: $organizationId, organizationMemberId: $memberId, qualificationId: $qualificationId) {
          requirements { isMet certificationType { id } }
        }
      }`,
      {
        organizationId: skylineId,
        memberId: input.organization_member_id,
        qualificationId: qualificationId('lead-climber'),
      },
      { token: manager },
    );
    return body.data.qualificationResult.requirements.find(
      ({ certificationType }: Body) => certificationType.id === input.certification_type_id,
    ).isMet;
  };
  await app.db.query(
    `update certifications set lifecycle_status = 'archived' where organization_member_id = $1 and certification_type_id = $2`,
    [input.organization_member_id, input.certification_type_id],
  );
  expect(await met()).toBe(false);
  await app.rest('POST', `${skyline}/certifications`, { token: manager, body: input });
  expect(await met()).toBe(true);
});

test('operations are grouped by resource, and each is in one group', () => {
  const groups = [...page.matchAll(/<section id="group-(\w+)" class="group">(.*?)<\/section>/gs)];
  const members = new Map(
    groups.map(([, resource, section = '']) => [
      resource,
      [...section.matchAll(/<article class="operation" id="(\w+)"/g)].map(([, name]) => name),
    ]),
  );
  expect(members.get('JobRoleAssignment')).toEqual(['AssignJobRole', 'RemoveJobRole']);
  expect(members.get('Certification')).toHaveLength(6);
  expect([...members.values()].flat().toSorted()).toStrictEqual(
    readEndpoints()
      .map(({ route }) => route.operation)
      .toSorted(),
  );
});

test('code has colours, and the same text', () => {
  expect(page).toContain('<span class="hljs-attr">&quot;data&quot;</span>');
  expect(page).toContain('<span class="hljs-keyword">import</span>');
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
