/** The length of a response is limited, whatever its cost. */
import { maxResponseLength } from '../../../src/graph/execution/response-size.js';
import { startApp } from '../../support/app.js';
import { managerEmail, skylineId } from '../../support/names.js';

const app = await startApp();
const ask = async (query: string, variables: object) =>
  app.graphql(query, variables, { token: await app.token(managerEmail) });

const times = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ');
const description = `${'"\n'.repeat(2499)}""`;
/** The same long text under 58 names. */
const repeated = times(58, (index) => `d${index}: description`);
const creates = (title: string, count: number, selection: string) =>
  `mutation ($o: ID!, $d: Description) { ${times(
    count,
    (index) =>
      `c${index}: createQualification(organizationId: $o, input: { name: "${title} ${index}", description: $d }) { ${selection} }`,
  )} }`;
const list = `query ($o: ID!, $n: Int!, $q: Text) {
  qualifications(organizationId: $o, first: $n, q: $q) { nodes { id ${repeated} } } }`;

test('a query over it gets an error that says what to do, and a smaller page works', async () => {
  for (const title of ['Long one', 'Long two'])
    expect(
      (await ask(creates(title, 20, 'id'), { o: skylineId, d: description })).body.errors,
    ).toBe(undefined);
  const { status, body } = await ask(list, { o: skylineId, n: 40, q: 'Long' });
  expect([status, body.data]).toEqual([200, null]);
  expect(body.errors).toMatchObject([
    {
      message:
        'The response is longer than 10,000,000 characters: use smaller pages, or select fewer or shorter fields.',
      extensions: { code: 'INVALID_REQUEST', details: { max_characters: maxResponseLength } },
    },
  ]);
  const smaller = await ask(list, { o: skylineId, n: 13, q: 'Long' });
  expect(smaller.body.data.qualifications.nodes).toHaveLength(13);
  expect(smaller.body.data.qualifications.nodes[0].d57).toBe(description);
});

test('a mutation over it writes nothing', async () => {
  const wide = '字'.repeat(5000);
  const { body } = await ask(creates('Never', 20, repeated), { o: skylineId, d: wide });
  expect(body.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
  const found = await ask(list, { o: skylineId, n: 1, q: 'Never' });
  expect(found.body.data.qualifications.nodes).toEqual([]);
});
