/** The conventions of the wire: how values come in and go out, whatever the route. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.js';
import { clientOf, dataOf, expectError, expectInvalid, expectStamps } from '../support/client.js';
import { climberEmail, managerEmail, recordId, skyline, skylineId, typeId } from '../support/names.js';

const app = await startApp();
const manager = clientOf(app, managerEmail);
const record = `${skyline}/certifications/${recordId(climberEmail, 'osha-10')}`;
const types = `${skyline}/certification-types`;

describe('Paths', () => {
  test('404 for a path that nothing has', async () => {
    for (const path of ['/v1', '/v1/', '/v1/organisations', '/v1/me/', '/v1/ME', '/v2/me']) {
      expectError(await manager.get(path), 404, 'not_found');
    }
  });

  test('a UUID is taken in any case, and given out in lower-case letters', async () => {
    assert.equal(dataOf(await manager.get(`/v1/organizations/${skylineId.toUpperCase()}`)).id, skylineId);
  });

  test('422 for an encoded slash, which parts nothing; 404 for bytes that are not UTF-8', async () => {
    expectError(await manager.get(`/v1/organizations/${skylineId}%2Fjob-roles`), 422, 'validation_error', {
      organization_id: ['must be a UUID'],
    });
    expectError(await manager.get('/v1/organizations/%FF'), 404, 'not_found');
  });
});

describe('Headers', () => {
  test('every answer has a request id and is not to be sniffed', async () => {
    const { headers } = await manager.get('/v1/me');
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  });

  test('a request id stands in the log line', async () => {
    await manager.get('/v1/me', { 'x-request-id': 'find-me' });
    const line = app.log.find((each) => 'requestId' in each && each.requestId === 'find-me');
    assert.partialDeepStrictEqual(line, { method: 'GET', path: '/v1/me', status: 200, operation: 'GetMe', statements: 1 });
  });

  test('a request id of more than 128 characters, or others than A-Z a-z 0-9 . _ -, is replaced', async () => {
    const idFor = async (id: string) => (await manager.get('/v1/me', { 'x-request-id': id })).headers.get('x-request-id');
    assert.equal(await idFor('a'.repeat(128)), 'a'.repeat(128));
    for (const id of ['a'.repeat(129), 'a b', 'a/b', 'ä']) assert.notEqual(await idFor(id), id);
  });

  test('a charset of UTF-8 is fine, in any spelling', async () => {
    for (const type of ['application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"']) {
      dataOf(await manager.patch(record, {}, { 'content-type': type }));
    }
  });

  test('429 with Retry-After, RateLimit and RateLimit-Policy over the rate', async () => {
    const limited = await startApp({ RATE_LIMIT_PER_MINUTE: '2' });
    const client = clientOf(limited, managerEmail);
    const first = await client.get('/v1/me');
    assert.match(first.headers.get('ratelimit') ?? '', /^"caller";r=1;t=\d+$/);
    assert.equal(first.headers.get('ratelimit-policy'), '"caller";q=2;w=60');
    await client.get('/v1/me');
    const refused = await client.get('/v1/me');
    expectError(refused, 429, 'rate_limited');
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(refused.headers.get('ratelimit') ?? '', /^"caller";r=0;t=\d+$/);
    assert.equal((await clientOf(limited, climberEmail).get('/v1/me')).status, 200);
  });
});

describe('Strings', () => {
  const control = 'must not contain control characters or broken surrogates';
  const wrong: [what: string, body: object, problems: Record<string, string>][] = [
    ['NUL', { title: 'a\u0000b' }, { title: control }],
    ['a line feed', { title: 'a\nb' }, { title: control }],
    ['a lone surrogate', { title: 'a\ud800b' }, { title: control }],
    ['only blanks', { title: '  ' }, { title: 'must not be empty' }],
    ['a number', { title: 7 }, { title: 'must be a string' }],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, { title: 'must be at most 200 characters long' }],
    ['a description of 5,001', { title: 'x', description: 'x'.repeat(5001) }, { description: 'must be at most 5000 characters long' }],
    ['a slug of 101', { title: 'x', slug: 'x'.repeat(101) }, { slug: 'must be at most 100 characters long' }],
    [
      'a slug with capitals',
      { title: 'x', slug: 'Ladder' },
      { slug: 'must have only lower-case letters, digits and hyphens (a-z, 0-9, -)' },
    ],
    [
      'two things',
      { slug: '', color: 1 },
      { slug: 'must not be empty', title: 'is required', color: 'is not a known property; known are slug, description, title' },
    ],
  ];
  for (const [what, body, problems] of wrong) {
    test(`422 for ${what}`, async () => expectInvalid(await manager.post(types, body), problems));
  }

  test('surrounding blanks are cut; characters are counted, not code units', async () => {
    const title = '🗼'.repeat(200);
    const data = dataOf(await manager.post(types, { title: ` ${title} `, slug: ' towers ', description: '\tHigh. ' }), 201);
    assert.deepEqual([data.title, data.slug, data.description], [title, 'towers', 'High.']);
  });

  test('external ids have 255 characters at most', async () => {
    expectInvalid(await manager.patch(record, { external_id: 'x'.repeat(256) }), { external_id: 'must be at most 255 characters long' });
    assert.equal(dataOf(await manager.patch(record, { external_id: 'x'.repeat(255) })).external_id.length, 255);
  });

  test('a name like that of an object’s own property is an unknown property', async () => {
    expectInvalid(await manager.patch(record, '{"constructor":1,"toString":1}'), {
      constructor: 'is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number',
      toString: 'is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number',
    });
    expectError(await manager.patch(record, '{"__proto__":{"issuer_name":"x"}}'), 422, 'validation_error', {
      ['__proto__']: ['is not a known property; known are external_id, external_source, issued_on, expires_on, issuer_name, serial_number'],
    });
  });
});

describe('Dates and times', () => {
  const day = 'must be a real calendar day in the form YYYY-MM-DD';
  for (const issued_on of ['2025-02-29', '2025-13-01', '2025-1-1', '2025-01-01T00:00:00Z', '0000-01-01', 20250101]) {
    test(`422 for the date ${issued_on}`, async () => expectInvalid(await manager.patch(record, { issued_on }), { issued_on: day }));
  }

  test('a leap day is a day', async () => {
    assert.equal(dataOf(await manager.patch(record, { issued_on: '2024-02-29' })).issued_on, '2024-02-29');
  });

  const instant = 'must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:30:00Z (in a URL, write "+" as %2B)';
  for (const text of [
    '2025-01-01',
    '2025-01-01T00:00:00',
    '2025-02-30T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:00:00+02:00',
    'now',
  ]) {
    test(`422 for the date-time ${text}, as it stands in the query`, async () =>
      expectInvalid(await manager.get(`${types}?updated_after=${text}`), { updated_after: instant }));
  }

  test('date-times are taken with any offset, and compared to the microsecond', async () => {
    const { updated_at } = dataOf(await manager.patch(record, { serial_number: 'latest' }));
    expectStamps(updated_at);
    const after = async (text: string) =>
      dataOf(await manager.get(`${skyline}/certifications?updated_after=${encodeURIComponent(text)}`)).length;
    const shifted = `${new Date(Date.parse(updated_at) + 2 * 3_600_000).toISOString().slice(0, 19)}${updated_at.slice(19, 26)}+02:00`;
    const before = updated_at.replace(/(\d{6})Z/, (_: string, digits: string) => `${String(Number(digits) - 1).padStart(6, '0')}Z`);
    assert.equal(await after(updated_at), 0);
    assert.equal(await after(shifted), 0);
    assert.equal(await after(updated_at.replace('Z', '999Z').replace('T', 't').toLowerCase()), 0);
    if (!updated_at.endsWith('000000Z')) assert.equal(await after(before), 1);
  });
});

describe('Page cursors', () => {
  const wrong = 'is not a cursor of this list with these filters: send it as you got it, with the same filters';

  test('pages follow each other to the end, which has no next_cursor', async () => {
    const first = await manager.get(`${types}?limit=20`);
    assert.deepEqual([first.body.data.length, first.body.page.has_more], [20, true]);
    const second = await manager.get(`${types}?limit=20&cursor=${first.body.page.next_cursor}`);
    assert.deepEqual(second.body.page, { next_cursor: null, has_more: false });
    const all = [...first.body.data, ...second.body.data];
    assert.deepEqual(all, (await manager.get(types)).body.data);
  });

  test('422 for a cursor of another list, of other filters, or of nothing', async () => {
    const { next_cursor } = (await manager.get(`${skyline}/certifications?limit=1`)).body.page;
    for (const path of [`${types}?`, `${skyline}/certifications?external_source=lms&`, '/v1/certifications?', '/v1/qualifications?']) {
      expectInvalid(await manager.get(`${path}cursor=${next_cursor}`), { cursor: wrong });
    }
    for (const cursor of ['x', `${next_cursor}A`, 'AAAAAAAAAAAAAAAAAAAAAAAA']) {
      expectInvalid(await manager.get(`${skyline}/certifications?cursor=${cursor}`), { cursor: wrong });
    }
    expectInvalid(await manager.get(`${types}?cursor=`), { cursor: 'must not be empty' });
  });
});

test('500 shows nothing of what happened, and the request id finds it', async () => {
  const broken = await startApp();
  const token = await broken.token(managerEmail);
  await broken.db.query('alter table job_roles rename to gone');
  const response = await broken.rest('GET', `${skyline}/job-roles`, { token });
  expectError(response, 500, 'internal_error');
  assert.equal(/job_roles|relation|select/.test(response.text), false);
  const id = response.body.error.request_id;
  assert.ok(broken.log.some((line) => 'requestId' in line && line.requestId === id && 'err' in line));
});

test('the answer to a body of the wrong kind names what must be there', async () => {
  for (const body of ['null', '[]', '"x"', '7']) {
    const response = await manager.post(types, body);
    expectError(response, 422, 'validation_error', { body: [body === 'null' ? 'must not be null' : 'must be an object'] });
  }
  expectInvalid(await manager.post(types, {}), { title: 'is required' });
  expectInvalid(await manager.post(types, { title: null }), { title: 'must not be null' });
  expectInvalid(await manager.post(`${skyline}/certifications`, { certification_type_id: typeId('osha-30'), source: 'API' }), {
    source: 'must be one of manual, import, api, self-reported',
  });
});
