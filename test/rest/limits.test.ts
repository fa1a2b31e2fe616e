/**
 * The limits in OpenAPI and those of the server are the same: each parameter and property is sent
 * values at and beyond its limits, and of other types.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Response, startApp } from '../support/app.js';
import { type Sample, samples } from '../support/cases.js';
import { document, type Part } from '../support/contract.js';
import { sendSample } from '../support/each-route.js';
import { ensure } from '../support/expect.js';
import { adminEmail } from '../support/names.js';

const app = await startApp();

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: false });
formats.default(ajv);
ajv.addSchema({ ...document, $id: 'openapi.json' });

/** With references from the root of the document. */
const absolute = (part: Part): Part =>
  JSON.parse(JSON.stringify(part).replaceAll('"#/', '"openapi.json#/'));
const resolve = (schema: Part): Part =>
  schema.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((part: Part, key: string) => part[key], document)
    : schema;

/** Text with what the rule of all text refuses, or keeps in another form. */
const odd = [
  '',
  ' ',
  '\t',
  '\u200b',
  '\u2800',
  'a\u0000b',
  'a\u0001b',
  'a\nb',
  'a\tb',
  'a\r\nb',
  'a\rb',
  'a\u007fb',
  'a\u0085b',
  'a\u2028b',
  'a\u202eb',
  'a\u2066b',
  'a\u200db',
  'e\u0301',
  '🗼',
  '__proto__',
  '%',
  "'",
];
const otherTypes = [null, 7, -1, 1.5, true, [], {}, [null], ['x'], { a: 1 }];

/** Values at and beyond the limits of a schema. */
function valuesFor(schema: Part, example: unknown): unknown[] {
  const {
    minLength = 0,
    maxLength,
    maxItems,
    minimum,
    maximum,
    enum: allowed,
    format,
    anyOf,
  } = schema;
  if (anyOf) return anyOf.flatMap((each: Part) => valuesFor(resolve(each), example));
  const values: unknown[] = [example, ...otherTypes, ...odd];
  if (maxLength !== undefined) {
    const sized = (length: number) =>
      String(example).includes('@') ? `${'x'.repeat(length - 10)}@x.example` : 'x'.repeat(length);
    values.push(
      ...[minLength, maxLength, maxLength + 1].filter((length) => length > 10).map(sized),
      '🗼'.repeat(maxLength),
      '🗼'.repeat(maxLength + 1),
    );
    values.push('A', 'a-b', '-', 'a b', 'a@b', 'a@b.example', 'a\u200b@b.example');
  }
  if (minimum !== undefined)
    values.push(minimum, minimum - 1, maximum, maximum + 1, String(minimum), 1e21);
  if (allowed)
    values.push(
      ...allowed,
      ...allowed.map((each: unknown) => String(each).toUpperCase()),
      'nothing',
    );
  if (format === 'uuid')
    values.push(
      String(example).toUpperCase(),
      `${example}0`,
      `{${example}}`,
      String(example).replaceAll('-', ''),
    );
  if (format === 'date')
    values.push('9999-12-31', '10000-01-01', '2025-02-29', '2025-1-1', '2025-01-01T00:00:00Z');
  if (format === 'date-time')
    values.push(
      '2025-01-01T00:00:00-23:59',
      '2025-01-01T00:00:00+23:59',
      '2025-01-01T00:00:00+24:00',
      '2025-01-01',
      '2016-12-31T23:59:60Z',
    );
  if (maxItems !== undefined && Array.isArray(example))
    values.push(Array(maxItems + 1).fill(example[0]), [], 'x', [7]);
  return values;
}

/** What is wrong with a value that has the right form: what it refers to, or how it fits others. */
const aboutRecords =
  /^(is not (a member|an active certification type)|is required for|must not be before|is the same as|is there twice|is not a cursor)/;
const isNamed = ({ status, body }: Response, name: string): boolean =>
  status === 422 &&
  Object.entries<string[]>(body.error.details).some(
    ([path, [sentence = '']]) =>
      (path === name || path.startsWith(`${name}.`)) &&
      !aboutRecords.test(sentence) &&
      !/twice/.test(sentence),
  );

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);

/** Sends each value, and compares what the document says of it with what the server does. */
async function compare(
  name: string,
  schema: Part,
  values: readonly unknown[],
  read: (value: unknown) => unknown,
  send: (value: unknown) => Promise<Response>,
) {
  const fits = ajv.compile(absolute(schema));
  const problems: string[] = [];
  for (const value of values) {
    const response = await send(value);
    ensure(response.status < 500, `${name} = ${show(value)}: ${response.status} ${response.text}`);
    const isFit = fits(read(value)) as boolean;
    const isTaken = !isNamed(response, name);
    if (isFit !== isTaken)
      problems.push(
        `${name} = ${show(value)}: fits ${isFit}, ${response.status} ${response.text.slice(0, 200)}`,
      );
  }
  expect(problems).toEqual([]);
}

const operationOf = ({ endpoint: { route } }: Sample): Part =>
  document.paths[route.path][route.method.toLowerCase()];
const who = { token: await app.token(adminEmail) };

describe('A body property is taken when it fits its schema, and only then', () => {
  for (const sample of samples) {
    const content = operationOf(sample).requestBody?.content['application/json'];
    if (!content) continue;
    const { properties } = resolve(content.schema);
    for (const [name, schema] of Object.entries<Part>(properties)) {
      test(`${sample.title}: ${name}`, async () => {
        const example = sample.body?.()[name];
        // A record of one's own is for the person of the sample.
        const token = sample.path.organization_id ? who : {};
        await compare(
          name,
          schema,
          valuesFor(schema, example),
          (value) => value,
          (value) =>
            sendSample(app, sample, { ...token, body: { ...sample.body?.(), [name]: value } }),
        );
      });
    }
  }
});

describe('A query parameter is taken when it fits its schema, and only then', () => {
  for (const sample of samples) {
    for (const { name, in: place, schema } of operationOf(sample).parameters.filter(
      (each: Part) => each.in === 'query',
    )) {
      test(`${sample.title}: ${place} ${name}`, async () => {
        const values = valuesFor(schema, sample.query[name] ?? 'x').filter((value) =>
          ['string', 'number'].includes(typeof value),
        );
        const read = (value: unknown) =>
          schema.type === 'integer' && /^-?\d{1,15}$/.test(String(value))
            ? Number(value)
            : String(value);
        await compare(name, schema, values.map(String), read, (value) =>
          sendSample(app, sample, {
            query: new URLSearchParams({ [name]: String(value) }).toString(),
          }),
        );
      });
    }
  }
});
