/** The conventions of the wire: how values come in and go out, whatever the route. */
import { openApp, startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectInvalid, expectStamps } from '../support/client.js';
import { ensure } from '../support/expect.js';
import {
  climberEmail,
  managerEmail,
  recordId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, managerEmail);
const record = `${skyline}/certifications/${recordId(climberEmail, 'osha-10')}`;
const types = `${skyline}/certification-types`;

describe('Paths', () => {
  test('404 for a path that nothing has', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/organisations',
      '/v1/me/',
      '/v1/ME',
      '/v2/me',
      '/v1/organizations/',
      '/v1/organizations//certifications',
      `${skyline}/`,
      `${types}/`,
      // Letters that are percent-encoded are no letters of a route.
      '/v1/m%65',
      '/v1%2Fme',
      `${skyline}/certification%2Dtypes`,
    ]) {
      expectError(await manager.get(path), 404, 'not_found');
    }
  });

  test('a UUID is taken in any case, and given out in lower-case letters', async () => {
    expect(dataOf(await manager.get(`/v1/organizations/${skylineId.toUpperCase()}`)).id).toBe(
      skylineId,
    );
  });

  test('404 for a slash at the end, with any method', async () => {
    for (const path of ['/v1/organizations/', '/v1/me/', `${types}/`])
      expectError(await manager.post(path, {}), 404, 'not_found');
  });

  test('422 for an id that is an encoded slash, which parts nothing, bytes that are not UTF-8, or very long', async () => {
    expectError(
      await manager.get(`/v1/organizations/${skylineId}%2Fjob-roles`),
      422,
      'validation_error',
      {
        organization_id: ['must be a UUID'],
      },
    );
    for (const id of [
      '%FF',
      '%',
      '%zz',
      `${skylineId}%FF`,
      '%C0%AF',
      'a'.repeat(1001),
      'a'.repeat(8000),
    ]) {
      expectInvalid(await manager.get(`/v1/organizations/${id}`), {
        organization_id: 'must be a UUID',
      });
      expectInvalid(await manager.get(`/v1/organizations/${id}/certification-types`), {
        organization_id: 'must be a UUID',
      });
    }
    // The time to find a path grows with its length, not with the square of it: then these would
    // take half a minute.
    const { user } = process.cpuUsage();
    for (let count = 0; count < 30; count++)
      expectError(await manager.get(`/v1/${'a'.repeat(12_000)}`), 404, 'not_found');
    const milliseconds = (process.cpuUsage().user - user) / 1000;
    ensure(milliseconds < 3000, `${milliseconds} ms of processor time`);
    expectError(await manager.get('/v1/%FF'), 404, 'not_found');
    expectError(await manager.get(`/v1/organizations/${skylineId}/%FF`), 404, 'not_found');
  });
});

describe('Headers', () => {
  test('every answer has a request id and is not to be sniffed', async () => {
    const { headers } = await manager.get('/v1/me');
    expect(headers.get('x-request-id') ?? '').toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('a request id stands in the log line', async () => {
    await manager.get('/v1/me', { 'x-request-id': 'find-me' });
    const line = app.log.find((each) => 'requestId' in each && each.requestId === 'find-me');
    expect(line).toMatchObject({
      method: 'GET',
      path: '/v1/me',
      status: 200,
      operation: 'GetMe',
      statements: 1,
    });
  });

  test('a request id of more than 128 characters, or others than A-Z a-z 0-9 . _ -, is replaced', async () => {
    const idFor = async (id: string) =>
      (await manager.get('/v1/me', { 'x-request-id': id })).headers.get('x-request-id');
    expect(await idFor('a'.repeat(128))).toBe('a'.repeat(128));
    for (const id of ['a'.repeat(129), 'a b', 'a/b', 'ä']) expect(await idFor(id)).not.toBe(id);
  });

  test('a charset of UTF-8 is fine, in any spelling', async () => {
    for (const type of ['application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"']) {
      dataOf(await manager.patch(record, {}, { 'content-type': type }));
    }
  });

  test('429 with Retry-After, RateLimit and RateLimit-Policy over the rate', async () => {
    await using limited = await openApp({ RATE_LIMIT_PER_MINUTE: '2' });
    const client = clientOf(limited, managerEmail);
    const first = await client.get('/v1/me');
    expect(first.headers.get('ratelimit') ?? '').toMatch(/^"caller";r=1;t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toBe('"caller";q=2;w=60');
    await client.get('/v1/me');
    const refused = await client.get('/v1/me');
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers.get('retry-after') ?? '').toMatch(/^\d+$/);
    expect(refused.headers.get('ratelimit') ?? '').toMatch(/^"caller";r=0;t=\d+$/);
    expect((await clientOf(limited, climberEmail).get('/v1/me')).status).toBe(200);
  });
});

describe('Strings', () => {
  const control = 'must not contain control characters or line breaks';
  const wrong: [what: string, body: object, problems: Record<string, string>][] = [
    ['NUL', { title: 'a\u0000b' }, { title: control }],
    ['a line feed', { title: 'a\nb' }, { title: control }],
    ['a lone surrogate', { title: 'a\ud800b' }, { title: 'must not contain unpaired surrogates' }],
    ['only blanks', { title: '  ' }, { title: 'must not be empty' }],
    ['a number', { title: 7 }, { title: 'must be a string' }],
    [
      'a title of 201 characters',
      { title: 'x'.repeat(201) },
      { title: 'must be at most 200 characters long' },
    ],
    [
      'a description of 5,001',
      { title: 'x', description: 'x'.repeat(5001) },
      { description: 'must be at most 5000 characters long' },
    ],
    [
      'a slug of 101',
      { title: 'x', slug: 'x'.repeat(101) },
      { slug: 'must be at most 100 characters long' },
    ],
    [
      'a slug with capitals',
      { title: 'x', slug: 'Ladder' },
      { slug: 'must have only lower-case letters, digits and hyphens (a-z, 0-9, -)' },
    ],
    [
      'two things',
      { slug: 'A', color: 1 },
      {
        slug: 'must have only lower-case letters, digits and hyphens (a-z, 0-9, -)',
        title: 'is required',
        color: 'is not a known property; known are slug, description, title',
      },
    ],
  ];
  for (const [what, body, problems] of wrong) {
    test(`422 for ${what}`, async () => expectInvalid(await manager.post(types, body), problems));
  }

  test('surrounding blanks are cut; characters are counted, not code units', async () => {
    const title = '🗼'.repeat(200);
    const data = dataOf(
      await manager.post(types, { title: ` ${title} `, slug: ' towers ', description: '\tHigh. ' }),
      201,
    );
    expect([data.title, data.slug, data.description]).toStrictEqual([title, 'towers', 'High.']);
  });

  test('external ids have 255 characters at most', async () => {
    expectInvalid(await manager.patch(record, { external_id: 'x'.repeat(256) }), {
      external_id: 'must be at most 255 characters long',
    });
    expect(
      dataOf(await manager.patch(record, { external_id: 'x'.repeat(255) })).external_id,
    ).toHaveLength(255);
  });

  test('text is kept in NFC, and counted so', async () => {
    const title = 'Cafe\u0301 '.repeat(40);
    expect(dataOf(await manager.post(types, { title }), 201).title).toBe(
      title.normalize('NFC').trim(),
    );
    expect(dataOf(await manager.post(types, { title: 'e\u0301'.repeat(200) }), 201).title).toBe(
      '\u00e9'.repeat(200),
    );
    const kept = dataOf(await manager.patch(record, { external_id: 'cafe\u0301-1' })).external_id;
    expect(kept).toBe('caf\u00e9-1');
    const found = await manager.get(
      `${skyline}/certifications?external_id=${encodeURIComponent('cafe\u0301-1')}`,
    );
    expect(dataOf(found)).toHaveLength(1);
  });

  test('line breaks are for descriptions, and line feeds there', async () => {
    const { description } = dataOf(
      await manager.post(types, {
        title: 'Lines',
        description: 'One.\r\nTwo.\rThree.\u2028Four.\n',
      }),
      201,
    );
    expect(description).toBe('One.\nTwo.\nThree.\nFour.');
    for (const wrong of ['a\tb', 'a\u0000b', 'a\u001bb', 'a\u202eb']) {
      expectError(
        await manager.post(types, { title: 'x', description: wrong }),
        422,
        'validation_error',
        {
          description: [
            wrong.includes('\u202e')
              ? 'must not contain bidirectional controls'
              : 'must not contain control characters other than line breaks',
          ],
        },
      );
    }
  });

  test('blank text is null where null is allowed, and empty where it is not', async () => {
    const blank = {
      external_id: ' ',
      external_source: '',
      issuer_name: '\t',
      serial_number: '\u00a0',
    };
    const none = {
      external_id: null,
      external_source: null,
      issuer_name: null,
      serial_number: null,
    };
    dataOf(
      await manager.patch(record, {
        external_id: 'a',
        external_source: 'b',
        issuer_name: 'c',
        serial_number: 'd',
      }),
    );
    expect(dataOf(await manager.patch(record, blank))).toMatchObject(none);
    const type = dataOf(
      await manager.post(types, { title: 'Blank Slug', slug: ' ', description: ' ' }),
      201,
    );
    expect([type.slug, type.description]).toEqual(['blank-slug', '']);
    expectInvalid(await manager.get(`${skyline}/certifications?external_id=%20`), {
      external_id: 'must not be empty',
    });
  });

  test('400 for a body that gives a property twice, in any spelling and at any depth', async () => {
    for (const body of [
      '{"title":"a","title":"b"}',
      '{"title":"a","title":"a"}',
      '{"title":"a","\\u0074itle":"b"}',
      '{"title":"a","color":{"a":1,"a":2}}',
      '{"title":"a","color":[{"a":[{"b":1,"\\u0062":2}]}]}',
      '{"__proto__":1,"__proto__":2}',
    ]) {
      expectError(await manager.post(types, body), 400, 'invalid_request');
      const variables = `{"query":"{ __typename }","variables":${body}}`;
      const answer = await app.graphql(
        '',
        {},
        { token: await app.token(managerEmail), body: variables },
      );
      expect([body, [answer.status, answer.body.errors?.[0].extensions.code]]).toStrictEqual([
        body,
        [400, 'INVALID_REQUEST'],
      ]);
    }
    expect(
      (await manager.post(types, '{"query":{"title":1},"title":{"query":":{\\":"}}')).status,
    ).toBe(422);
    dataOf(
      await manager.post(types, '{"title":"a: b","description":"{\\"title\\":1,\\"title\\":2}"}'),
      201,
    );
  });

  test('a name like that of an object’s own property is an unknown property', async () => {
    expectInvalid(await manager.patch(record, '{"constructor":1,"toString":1}'), {
      constructor:
        'is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number',
      toString:
        'is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number',
    });
    expectError(
      await manager.patch(record, '{"__proto__":{"issuer_name":"x"}}'),
      422,
      'validation_error',
      {
        ['__proto__']: [
          'is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number',
        ],
      },
    );
  });
});

describe('Dates and times', () => {
  const day = 'must be a real calendar day in the form YYYY-MM-DD, from 0001-01-01 to 9999-12-31';
  for (const issued_on of [
    '2025-02-29',
    '2025-13-01',
    '2025-1-1',
    '2025-01-01T00:00:00Z',
    '0000-01-01',
    20250101,
  ]) {
    test(`422 for the date ${issued_on}`, async () =>
      expectInvalid(await manager.patch(record, { issued_on }), { issued_on: day }));
  }

  test('a leap day is a day', async () => {
    expect(dataOf(await manager.patch(record, { issued_on: '2024-02-29' })).issued_on).toBe(
      '2024-02-29',
    );
  });

  const instant =
    'must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:30:00Z (in a URL, write "+" as %2B)';
  for (const text of [
    '2025-01-01',
    '2025-01-01T00:00:00',
    '2025-02-30T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:00:00+02:00',
    'now',
  ]) {
    test(`422 for the date-time ${text}, as it stands in the query`, async () =>
      expectInvalid(await manager.get(`${types}?updated_after=${text}`), {
        updated_after: instant,
      }));
  }

  const within = 'must be from 0001-01-01T00:00:00.000000Z to 9999-12-31T23:59:59.999999Z';
  for (const text of [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '9999-12-31T23:59:60Z',
  ]) {
    test(`422 with the range for ${text}`, async () =>
      expectInvalid(await manager.get(`${types}?updated_after=${encodeURIComponent(text)}`), {
        updated_after: within,
      }));
  }

  test('every offset of RFC 3339 is taken, in REST and GraphQL alike', async () => {
    const token = await app.token('admin@skyline.example');
    const offsets = [
      '+15:59',
      '+16:00',
      '-16:00',
      '+18:30',
      '-23:59',
      '+23:59',
      '-00:00',
      'z',
      'Z',
    ];
    for (const text of offsets.map((offset) => `2020-01-01t00:00:00${offset}`)) {
      dataOf(await manager.get(`${types}?limit=1&updated_after=${encodeURIComponent(text)}`));
      const query = `{
        certificationTypes(organizationId: "${skylineId}", updatedAfter: "${text}") { nodes { id } }
        changes(organizationId: "${skylineId}", changedAfter: "${new Date().toISOString().slice(0, 10)}${text.slice(10)}") { nodes { kind } }
        organization(id: "${skylineId}") { auditEvents(occurredFrom: "${text}", occurredBefore: "${text}") { nodes { id } } }
        readiness(organizationId: "${skylineId}", knownAt: "${text}") { memberCount }
      }`;
      const { body } = await app.graphql(query, {}, { token });
      expect([`${text}: ${JSON.stringify(body.errors)}`, body.errors]).toStrictEqual([
        expect.any(String),
        undefined,
      ]);
    }
  });

  test('date-times are taken with any offset, and compared to the microsecond', async () => {
    const { updated_at } = dataOf(await manager.patch(record, { serial_number: 'latest' }));
    expectStamps(updated_at);
    const countAfter = async (text: string) =>
      dataOf(
        await manager.get(`${skyline}/certifications?updated_after=${encodeURIComponent(text)}`),
      ).length;
    const shifted = `${new Date(Date.parse(updated_at) + 2 * 3_600_000).toISOString().slice(0, 19)}${updated_at.slice(19, 26)}+02:00`;
    const before = updated_at.replace(
      /(\d{6})Z/,
      (_: string, digits: string) => `${String(Number(digits) - 1).padStart(6, '0')}Z`,
    );
    expect(await countAfter(updated_at)).toBe(0);
    expect(await countAfter(shifted)).toBe(0);
    expect(await countAfter(updated_at.replace('Z', '999Z').replace('T', 't').toLowerCase())).toBe(
      0,
    );
    if (!updated_at.endsWith('000000Z')) expect(await countAfter(before)).toBe(1);
  });
});

describe('Page cursors', () => {
  const wrong =
    'is not a cursor of this list with these filters: send the cursor as returned, with the same filters';

  test('pages follow each other to the end, which has no next_cursor', async () => {
    const first = await manager.get(`${types}?limit=20`);
    expect([first.body.data.length, first.body.page.has_more]).toEqual([20, true]);
    const second = await manager.get(`${types}?limit=20&cursor=${first.body.page.next_cursor}`);
    expect(second.body.page).toStrictEqual({ next_cursor: null, has_more: false });
    const all = [...first.body.data, ...second.body.data];
    expect(all).toStrictEqual((await manager.get(types)).body.data);
  });

  test('422 for a cursor of another list, of other filters, or of nothing', async () => {
    const { next_cursor } = (await manager.get(`${skyline}/certifications?limit=1`)).body.page;
    for (const path of [
      `${types}?`,
      `${skyline}/certifications?external_source=lms&`,
      '/v1/certifications?',
      '/v1/qualifications?',
    ]) {
      expectInvalid(await manager.get(`${path}cursor=${next_cursor}`), { cursor: wrong });
    }
    for (const cursor of ['x', `${next_cursor}A`, 'AAAAAAAAAAAAAAAAAAAAAAAA']) {
      expectInvalid(await manager.get(`${skyline}/certifications?cursor=${cursor}`), {
        cursor: wrong,
      });
    }
    expectInvalid(await manager.get(`${types}?cursor=`), { cursor: 'must not be empty' });
  });
});

test('500 shows nothing of what happened, and the request id finds it', async () => {
  await using broken = await openApp();
  const token = await broken.token(managerEmail);
  await broken.db.query('alter table job_roles rename to gone');
  const response = await broken.rest('GET', `${skyline}/job-roles`, { token });
  expectError(response, 500, 'internal_error');
  expect(/job_roles|relation|select/.test(response.text)).toBe(false);
  const id = response.body.error.request_id;
  expect(
    broken.log.some((line) => 'requestId' in line && line.requestId === id && 'err' in line),
  ).toBe(true);
});

test('the answer to a body of the wrong kind names what must be there', async () => {
  for (const body of ['null', '[]', '"x"', '7']) {
    const response = await manager.post(types, body);
    expectError(response, 422, 'validation_error', {
      body: [body === 'null' ? 'must not be null' : 'must be an object'],
    });
  }
  expectInvalid(await manager.post(types, {}), { title: 'is required' });
  expectInvalid(await manager.post(types, { title: null }), { title: 'must not be null' });
  expectInvalid(
    await manager.post(`${skyline}/certifications`, {
      certification_type_id: typeId('osha-30'),
      source: 'API',
    }),
    {
      source: 'must be one of manual, import, api, self-reported',
    },
  );
});
