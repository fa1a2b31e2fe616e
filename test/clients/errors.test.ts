/**
 * Whatever goes wrong is a LanyardError that says what, and aborting is not something that goes
 * wrong.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLanyard, LanyardError } from '../../clients/typescript/src/index.js';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { climberEmail, harborId, managerEmail, nothing, skylineId } from '../support/names.js';
import { lanyardOf } from './lanyard.js';

const app = await startApp();
const lanyard = lanyardOf(app, managerEmail);
const path = { organization_id: skylineId };

/** A server that takes requests and does with them what it is told. */
const server = createServer((_, response) => behave(response)).listen(0, '127.0.0.1');
await once(server, 'listening');
let behave: (response: import('node:http').ServerResponse) => void = () => {};
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function failure(work: Promise<unknown>): Promise<LanyardError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  ensure(error instanceof LanyardError, String(error));
  return error;
}

test('an error of the API has its status, code, message, details and request id', async () => {
  const record = { ...path, certification_type_id: nothing };
  const missing = await failure(
    lanyard.get('/v1/organizations/{organization_id}/certification-types/{certification_type_id}', {
      params: { path: record },
    }),
  );
  expect([missing.status, missing.code, missing.details]).toStrictEqual([
    404,
    'not_found',
    undefined,
  ]);
  expect(missing.message).toBe('There is no such record.');

  const headers = { 'x-request-id': 'asked-by-a-test' };
  const body = { certification_type_id: 'rf-awareness', issued_on: '2026-02-30' };
  const invalid = await failure(
    lanyard.post('/v1/organizations/{organization_id}/certifications', {
      params: { path },
      body,
      headers,
    }),
  );
  expect([invalid.status, invalid.code, invalid.requestId]).toEqual([
    422,
    'validation_error',
    'asked-by-a-test',
  ]);
  expect(Object.keys(invalid.details ?? {}).sort()).toEqual(['certification_type_id', 'issued_on']);

  const elsewhere = { params: { path: { organization_id: harborId } } };
  const forbidden = await failure(
    lanyardOf(app, climberEmail).get('/v1/organizations/{organization_id}', elsewhere),
  );
  expect([forbidden.status, forbidden.code]).toEqual([403, 'forbidden']);
});

test('a token that stays refused is refused once, not for ever', async () => {
  const refused = createLanyard({ baseUrl: app.base, token: () => 'not-a-token' });
  const { status, code } = await failure(refused.get('/v1/me'));
  expect([status, code]).toEqual([401, 'unauthenticated']);
});

test('the answer of something in between has its status for a code', async () => {
  behave = (response) =>
    response.writeHead(418, { 'content-type': 'text/html' }).end('<h1>Teapot</h1>');
  const { status, code, requestId } = await failure(
    createLanyard({ baseUrl, token: () => 'token' }).get('/v1/me'),
  );
  expect([status, code, requestId]).toStrictEqual([418, 'http_418', undefined]);
});

test('no server: no_response, with the cause', async () => {
  const { status, code, cause, message } = await failure(
    createLanyard({ baseUrl: 'http://127.0.0.1:1', token: () => 'token', patience: 0 }).get(
      '/v1/me',
    ),
  );
  expect([status, code, message]).toEqual([
    0,
    'no_response',
    'No answer from http://127.0.0.1:1/v1/me.',
  ]);
  expect(cause).toBeInstanceOf(TypeError);
});

test('a server that never answers: no_response when the time is over, the body included', async () => {
  const impatient = createLanyard({ baseUrl, token: () => 'token', timeout: 100, patience: 0 });
  behave = () => {};
  expect((await failure(impatient.get('/v1/me'))).code).toBe('no_response');
  behave = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":');
  expect((await failure(impatient.get('/v1/me'))).code).toBe('no_response');
});

test('a signal ends a request with its reason: before it, during it, and in the pause before the next try', async () => {
  const hanging = createLanyard({ baseUrl, token: () => 'token' });
  await expect(hanging.get('/v1/me', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  behave = () => {};
  await expect(hanging.get('/v1/me', { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  behave = (response) => response.writeHead(503, { 'retry-after': '30' }).end();
  const started = performance.now();
  await expect(hanging.get('/v1/me', { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(performance.now() - started).toBeLessThan(5000);
});

test('a signal ends the wait for a token, not the refresh that others wait for', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = createLanyard({ baseUrl: app.base, token: () => promise });
  const patient = waiting.get('/v1/me');
  await expect(waiting.get('/v1/me', { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  resolve(await app.token(managerEmail));
  expect((await patient).data.user.email).toBe(managerEmail);
});
