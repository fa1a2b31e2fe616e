/**
 * Requests are repeated where that is safe, with the same key and bytes, after pauses that grow and
 * vary.
 */
import { LanyardError } from '../../clients/typescript/src/index.js';
import { pauseAfter, readRetryAfter } from '../../clients/typescript/src/retry.js';
import { startApp } from '../support/app.js';
import { marker } from '../support/changes.js';
import { ensure, satisfying } from '../support/expect.js';
import {
  climberEmail,
  jobRoleId,
  managerEmail,
  memberId,
  recordId,
  skylineId,
  typeId,
} from '../support/names.js';
import { type Fault, flaky, lanyardOf } from './lanyard.js';

const app = await startApp();
const path = { organization_id: skylineId };
const certifications = '/v1/organizations/{organization_id}/certifications';
const newRecord = (serial_number: string) => ({
  params: { path },
  body: {
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('rf-awareness'),
    external_source: marker,
    serial_number,
  },
});

/** A client whose first requests go wrong as told. */
const withFaults = (...faults: Fault[]) => {
  const network = flaky(...faults);
  return { lanyard: lanyardOf(app, managerEmail, { fetch: network.fetch }), sent: network.sent };
};
const made = (serial: string) =>
  app.db.query('select id from certifications where serial_number = $1', [serial]);
const unavailable = (retryAfter: string) =>
  new Response(null, { status: 503, headers: { 'retry-after': retryAfter } });

test('a create whose answers are lost is sent again with its key and bytes, and made once', async () => {
  const { lanyard, sent } = withFaults('lost', 'down', 'lost');
  const { data } = await lanyard.post(certifications, newRecord('lost'));
  expect(await made('lost')).toStrictEqual([{ id: data.id }]);
  expect(sent).toHaveLength(4);
  const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
  expect([...keys].join()).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
});

test('the server says that it answered before', async () => {
  const { response } = await withFaults('lost').lanyard.raw.POST(
    certifications,
    newRecord('replayed'),
  );
  expect(response.headers.get('idempotency-replayed')).toBe('true');
});

test('planted: with another key for each try, it is made twice', async () => {
  const { fetch } = flaky('lost');
  const rekeyed: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('idempotency-key', crypto.randomUUID());
    return fetch(input, { ...init, headers });
  };
  await lanyardOf(app, managerEmail, { fetch: rekeyed }).post(certifications, newRecord('rekeyed'));
  expect(await made('rekeyed')).toHaveLength(2);
});

test('two creates have two keys; a key of your own is kept', async () => {
  const { lanyard, sent } = withFaults();
  const first = await lanyard.post(certifications, newRecord('twice'));
  const second = await lanyard.post(certifications, newRecord('twice'));
  expect(first.data.id).not.toBe(second.data.id);
  const own = { ...newRecord('own'), headers: { 'Idempotency-Key': 'hr-4711' } };
  expect(await lanyard.post(certifications, own)).toStrictEqual(
    await lanyard.post(certifications, own),
  );
  expect(sent.at(-1)?.headers.get('idempotency-key')).toBe('hr-4711');
});

test('changes whose answers are lost are made again, and hold', async () => {
  const { lanyard, sent } = withFaults(
    'lost',
    new Response('away', { status: 502 }),
    unavailable('0'),
    new Response(null, { status: 504 }),
  );
  const record = { ...path, certification_id: recordId(climberEmail, 'nwsa-ttt2') };
  const { data } = await lanyard.patch(`${certifications}/{certification_id}`, {
    params: { path: record },
    body: { issuer_name: 'NATE' },
  });
  expect([data.issuer_name, sent.length]).toEqual(['NATE', 5]);

  const role = {
    ...path,
    organization_member_id: memberId(climberEmail),
    job_role_id: jobRoleId('rigger'),
  };
  const assignment =
    '/v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}';
  await withFaults('lost').lanyard.put(assignment, {
    params: { path: role },
    body: { is_primary: false },
  });
  await withFaults('lost').lanyard.delete(assignment, { params: { path: role } });
  expect(
    await app.db.query(
      'select * from member_job_roles where job_role_id = $1 and organization_member_id = $2',
      [role.job_role_id, role.organization_member_id],
    ),
  ).toEqual([]);
});

test('Retry-After is waited for', async () => {
  const limited = new Response(null, { status: 429, headers: { 'retry-after': '1' } });
  const { lanyard, sent } = withFaults(limited, unavailable('1'));
  await lanyard.get('/v1/me');
  const [first, second, third] = sent.map(({ at }) => at) as [number, number, number];
  ensure(second - first >= 990 && third - second >= 990, `${second - first}, ${third - second}`);
});

test('patience has an end: the last answer is the error, and a Retry-After beyond it is not waited for', async () => {
  const { fetch, sent } = flaky(unavailable('60'));
  const started = performance.now();
  const lanyard = lanyardOf(app, managerEmail, { fetch, patience: 1000 });
  await expect(lanyard.get('/v1/me')).rejects.toEqual(
    satisfying((error) => error instanceof LanyardError && error.code === 'http_503'),
  );
  expect(performance.now() - started).toBeLessThan(1000);
  expect(sent).toHaveLength(1);
});

test('what would fail again is not repeated', async () => {
  for (const status of [400, 403, 404, 409, 422, 500]) {
    const { lanyard, sent } = withFaults(new Response(null, { status }));
    await expect(lanyard.post(certifications, newRecord('refused'))).rejects.toMatchObject({
      status,
    });
    expect([String(status), sent.length]).toStrictEqual([expect.any(String), 1]);
  }
});

test('pauses double up to ten seconds, and are random below that', () => {
  const most = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((failed) => pauseAfter(failed, 0, 1));
  expect(most).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
  expect(pauseAfter(3, 0, 0)).toBe(0);
  expect(pauseAfter(3, 2000, 0.5)).toBe(2400);
  expect(new Set(Array.from({ length: 20 }, () => pauseAfter(5, 0))).size).toBeGreaterThan(10);
});

test('Retry-After is seconds or a date', () => {
  expect(readRetryAfter('3')).toBe(3000);
  const inTen = readRetryAfter(new Date(Date.now() + 10_000).toUTCString());
  expect(inTen).toBeGreaterThan(8000);
  expect(inTen).toBeLessThanOrEqual(10_000);
  for (const none of [null, '', 'soon', 'Sun, 06 Nov 1994 08:49:37 GMT'])
    expect(readRetryAfter(none)).toBe(0);
});
