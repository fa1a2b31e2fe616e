/**
 * docs/errors.md is true: errors that are easy to make answer as it shows, and every code is in it.
 */
import { type ErrorCode, errorCodes, statusOf } from '../../src/errors.js';
import { readGuide } from '../../src/reference/guides.js';
import { type RequestOptions, type Response, startApp } from '../support/app.js';
import { blocksOf } from '../support/markdown.js';
import { climberEmail, managerEmail, nothing, recordId, skyline } from '../support/names.js';

const app = await startApp();
const page = readGuide('errors');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(2)
    .map((text) => [text.split('`')[1] ?? '', text]),
);
const token = await app.token(managerEmail);
const members = `${skyline}/organization-members`;
const record = `${skyline}/certifications/${recordId(climberEmail, 'osha-10')}`;

const call = (method: string, path: string, options: RequestOptions = {}) =>
  app.rest(method, path, { token, ...options });
const create = (email: string, key: string) =>
  call('POST', members, { body: { email }, headers: { 'Idempotency-Key': key } });

const twice = {
  body: '{"email":"a@b.example","email":"c@d.example"}',
  headers: { 'content-type': 'application/json' },
};

const made: Partial<Record<ErrorCode, () => Promise<Response>>> = {
  malformed_json: () =>
    call('POST', members, { body: '{', headers: { 'content-type': 'application/json' } }),
  invalid_request: () => call('POST', members, twice),
  unauthenticated: () => app.rest('GET', '/v1/me'),
  insufficient_scope: async () =>
    call('POST', members, {
      token: await app.token(managerEmail, 'demo-reader'),
      body: { email: 'a@skyline.example' },
    }),
  forbidden: () => call('GET', `/v1/organizations/${nothing}`),
  not_found: () => call('GET', `/v1/certification-types/${nothing}`),
  method_not_allowed: () => call('DELETE', '/v1/me'),
  conflict: () => create(managerEmail, 'conflict-1'),
  idempotency_key_reused: async () => {
    expect((await create('first@skyline.example', 'reused-1')).status).toBe(201);
    return create('second@skyline.example', 'reused-1');
  },
  precondition_failed: () =>
    call('PATCH', record, { body: {}, headers: { 'if-match': '"2001-01-01T00:00:00.000000Z"' } }),
  payload_too_large: () => call('POST', members, { body: { email: 'a'.repeat(1024 * 1024) } }),
  unsupported_media_type: () =>
    call('POST', members, {
      body: 'email=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  validation_error: () => call('POST', members, { body: { email: 'no address' } }),
};

test('has every code, and no other', () => expect([...sections.keys()]).toStrictEqual(errorCodes));

describe('answers as it shows', () => {
  for (const [code, make] of Object.entries(made)) {
    test(code, async () => {
      const { status, body } = await make();
      const text = sections.get(code) ?? '';
      const shown = JSON.parse(blocksOf(text)[0]?.text ?? '');
      expect(text).toMatch(
        new RegExp(`^Status ${status}, in GraphQL \`${code.toUpperCase()}\``, 'm'),
      );
      expect([status, body.error.code]).toStrictEqual([
        statusOf(code as ErrorCode),
        shown.error.code,
      ]);
      expect(Object.keys(body.error)).toStrictEqual(Object.keys(shown.error));
      // The paths of a validation error are those of the request.
      if (code !== 'validation_error')
        expect(Object.keys(body.error.details ?? {})).toStrictEqual(
          Object.keys(shown.error.details ?? {}),
        );
    });
  }
});

test('names every cause of an unreadable request', async () => {
  const causes: readonly (readonly [named: RegExp, make: () => Promise<Response>])[] = [
    [/a property twice/, () => call('POST', members, twice)],
    [
      /`If-Match` is malformed/,
      () => call('PATCH', record, { body: {}, headers: { 'if-match': 'unquoted' } }),
    ],
  ];
  for (const [named, make] of causes) {
    expect((await make()).body.error.code).toBe('invalid_request');
    expect(sections.get('invalid_request') ?? '').toMatch(named);
  }
  expect(sections.get('rate_limited') ?? '').toMatch(/too many in progress/);
});
