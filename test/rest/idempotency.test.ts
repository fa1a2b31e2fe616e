/** Idempotency-Key on every create, walked over the route table. */
import { demoId } from '../../src/demo/ids.js';
import { startApp } from '../support/app.js';
import { addressOf, samples } from '../support/cases.js';
import { clientOf, dataOf, expectError, expectInvalid } from '../support/client.js';
import { adminEmail, managerEmail, skyline, typeId, userId } from '../support/names.js';

const app = await startApp();
const creates = samples.filter(({ endpoint }) => endpoint.route.reply === 'created');
const headers = (key: string) => ({ 'idempotency-key': key });

for (const sample of creates) {
  const client = clientOf(app, sample.who);
  const path = addressOf(sample);
  const key = sample.endpoint.route.operation;

  describe(`${sample.title} with Idempotency-Key`, () => {
    test('201: a retry gets the same bytes and makes nothing', async () => {
      const body = JSON.stringify(sample.body?.());
      const first = await client.post(path, body, headers(key));
      const { id } = dataOf(first, 201);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      for (const _ of [1, 2]) {
        const again = await client.post(path, body, headers(key));
        expect([again.status, again.text]).toStrictEqual([201, first.text]);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        for (const name of ['content-type', 'location'])
          expect([name, again.headers.get(name)]).toStrictEqual([name, first.headers.get(name)]);
      }
      const made = await app.db.query(
        `select from audit_events where action = 'create' and subject_id = $1`,
        [id],
      );
      expect(made).toHaveLength(1);
    });

    test('409 for the same key with another body, even if it means the same', async () => {
      const body = JSON.stringify(sample.body?.());
      dataOf(await client.post(path, body, headers(`${key}-2`)), 201);
      expectError(
        await client.post(path, `${body} `, headers(`${key}-2`)),
        409,
        'idempotency_key_reused',
      );
    });

    test('201 for the same key of another caller', async () => {
      dataOf(await client.post(path, sample.body?.(), headers(`${key}-3`)), 201);
      const other =
        sample.who === managerEmail
          ? clientOf(app, adminEmail)
          : clientOf(app, sample.who, 'demo-sync');
      dataOf(await other.post(path, sample.body?.(), headers(`${key}-3`)), 201);
    });

    test('a failed create leaves the key free', async () => {
      expectError(
        await client.post(path, {}, headers(`${key}-4`)),
        422,
        'validation_error',
        missingIn((await client.post(path, {})).body),
      );
      dataOf(await client.post(path, sample.body?.(), headers(`${key}-4`)), 201);
    });

    test('503 with Retry-After while another process works on the key; then it is free', async () => {
      const body = sample.body?.();
      await app.db.transaction(async (tx) => {
        const lock = `${demoId('app', 'demo-dashboard')} ${userId(sample.who)} ${key}-5`;
        await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
        const busy = await client.post(path, body, headers(`${key}-5`));
        expectError(busy, 503, 'idempotency_in_progress');
        expect(busy.headers.get('retry-after')).toBe('1');
      });
      dataOf(await client.post(path, body, headers(`${key}-5`)), 201);
    });

    test('422 for a key that is not 1 to 255 visible ASCII characters', async () => {
      for (const wrong of ['', 'a b', 'x'.repeat(256), 'schlüssel']) {
        expectInvalid(await client.post(path, sample.body?.(), headers(wrong)), {
          'Idempotency-Key': 'must be 1 to 255 characters of visible ASCII, without blanks',
        });
      }
      dataOf(
        await client.post(path, sample.body?.(), headers('x'.repeat(255 - key.length) + key)),
        201,
      );
    });
  });
}

const missingIn = (body: { error: { details: object } }) => body.error.details;

test('409 for the same key and body on another route', async () => {
  const manager = clientOf(app, managerEmail);
  const body = { certification_type_id: typeId('osha-30'), source: 'self-reported' };
  dataOf(await manager.post(`${skyline}/certifications`, body, headers('elsewhere')), 201);
  expectError(
    await manager.post('/v1/certifications', body, headers('elsewhere')),
    409,
    'idempotency_key_reused',
  );
});

test('a key means nothing where nothing is created', async () => {
  const manager = clientOf(app, managerEmail);
  expect((await manager.get('/v1/me', headers('a b'))).status).toBe(200);
});
