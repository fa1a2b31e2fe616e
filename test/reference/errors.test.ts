/** docs/errors.md is true: errors that are easy to make answer as it shows, and every code is in it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, errorCodes, statusOf } from '../../src/errors.js';
import { readGuide } from '../../src/reference/guides.js';
import { type RequestOptions, type Response, startApp } from '../support/app.js';
import { blocksOf } from '../support/markdown.js';
import { managerEmail, nothing, skyline } from '../support/names.js';

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

const call = (method: string, path: string, options: RequestOptions = {}) => app.rest(method, path, { token, ...options });
const create = (email: string, key: string) => call('POST', members, { body: { email }, headers: { 'Idempotency-Key': key } });

const made: Partial<Record<ErrorCode, () => Promise<Response>>> = {
  malformed_json: () => call('POST', members, { body: '{', headers: { 'content-type': 'application/json' } }),
  unauthenticated: () => app.rest('GET', '/v1/me'),
  insufficient_scope: async () =>
    call('POST', members, { token: await app.token(managerEmail, 'demo-reader'), body: { email: 'a@skyline.example' } }),
  forbidden: () => call('GET', `/v1/organizations/${nothing}`),
  not_found: () => call('GET', `/v1/certification-types/${nothing}`),
  method_not_allowed: () => call('DELETE', '/v1/me'),
  conflict: () => create(managerEmail, 'conflict-1'),
  idempotency_key_reused: async () => {
    assert.equal((await create('first@skyline.example', 'reused-1')).status, 201);
    return create('second@skyline.example', 'reused-1');
  },
  payload_too_large: () => call('POST', members, { body: { email: 'a'.repeat(1024 * 1024) } }),
  unsupported_media_type: () =>
    call('POST', members, { body: 'email=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  validation_error: () => call('POST', members, { body: { email: 'no address' } }),
};

test('has every code, and no other', () => assert.deepEqual([...sections.keys()], errorCodes));

describe('answers as it shows', () => {
  for (const [code, make] of Object.entries(made)) {
    test(code, async () => {
      const { status, body } = await make();
      const text = sections.get(code) ?? '';
      const shown = JSON.parse(blocksOf(text)[0]?.text ?? '');
      assert.match(text, new RegExp(`^Status ${status}, in GraphQL \`${code.toUpperCase()}\``, 'm'));
      assert.deepEqual([status, body.error.code], [statusOf(code as ErrorCode), shown.error.code]);
      assert.deepEqual(Object.keys(body.error), Object.keys(shown.error));
      // The paths of a validation error are those of the request.
      if (code !== 'validation_error') assert.deepEqual(Object.keys(body.error.details ?? {}), Object.keys(shown.error.details ?? {}));
    });
  }
});
