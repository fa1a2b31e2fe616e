/** The Postman collection: every operation, with values that the demo data answer to. */
import type { buildPostman } from '../../src/cli/generate/postman.js';
import { routes } from '../../src/rest/routes.js';
import { startApp } from '../support/app.js';
import { clientOf, dataOf } from '../support/client.js';
import { readText } from '../support/markdown.js';
import { climberEmail, managerEmail } from '../support/names.js';

type Collection = ReturnType<typeof buildPostman>;
const collection: Collection = JSON.parse(readText('schema/postman.json'));
const requests = collection.item.flatMap(({ item }) => item);
const app = await startApp();

test('it has a request for every route', () => {
  const pathOf = ({ url }: (typeof requests)[number]['request']) =>
    `/${url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`;
  expect(
    requests.map(({ request }) => `${request.method} ${pathOf(request)}`).sort(),
  ).toStrictEqual(
    routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
  );
});

/** The text with the variables of the collection. */
const resolve = (text: string): string =>
  text.replace(
    /\{\{(\w+)\}\}/g,
    (_, name) => collection.variable.find(({ key }) => key === name)?.value ?? '',
  );

for (const { name, request } of requests.filter(({ request }) => request.method !== 'DELETE')) {
  test(`${name}: the request succeeds as it stands`, async () => {
    const values = new Map(request.url.variable.map(({ key, value }) => [`:${key}`, value]));
    const path = request.url.path.map((part) => resolve(values.get(part) ?? part)).join('/');
    const headers = {
      authorization: `Bearer ${await app.token(managerEmail)}`,
      ...(request.body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(request.header.map(({ key }) => [key, crypto.randomUUID()])),
    };
    const response = await fetch(`${app.base}/${path}`, {
      ...{ method: request.method, headers },
      ...(request.body && { body: request.body.raw }),
    });
    expect([response.status, await response.text()]).toStrictEqual([
      request.header.length > 0 ? 201 : 200,
      expect.any(String),
    ]);
  });
}

test("the list of the caller's certifications stores the id of the first", async () => {
  const [script] = requests.flatMap(({ event = [] }) => event.map((each) => each.script.exec));
  const list = await clientOf(app, climberEmail).get('/v1/certifications?limit=1');
  const stored: Record<string, string> = {};
  const pm = {
    response: { json: () => list.body },
    collectionVariables: {
      set: (name: string, value: string) => Object.assign(stored, { [name]: value }),
    },
  };
  new Function('pm', script?.join('\n') ?? '')(pm);
  expect(stored).toStrictEqual({ own_certification_id: dataOf(list)[0].id });
});
