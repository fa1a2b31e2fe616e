/** What every route refuses alike, walked over the route table: path, query and body. */
import { startApp } from '../support/app.js';
import { bodyProperties, type Sample } from '../support/cases.js';
import { dataOf, expectError } from '../support/client.js';
import { type Change, everyRoute, sendSample, walk } from '../support/each-route.js';
import { nothing } from '../support/names.js';

const app = await startApp();
const send = (sample: Sample, change?: Change) => sendSample(app, sample, change);
const hasBody = ({ endpoint }: Sample) => endpoint.body;

walk(
  '422 for a path parameter that is not a UUID',
  ({ endpoint }) => endpoint.pathVariables.length > 0,
  async (sample) => {
    for (const name of sample.endpoint.pathVariables) {
      for (const wrong of ['me', '00000000-0000-0000-0000-00000000000g', `${nothing}0`]) {
        expectError(await send(sample, { path: { [name]: wrong } }), 422, 'validation_error', {
          [name]: ['must be a UUID'],
        });
      }
    }
  },
);

walk('422 for an unknown query parameter', everyRoute, async (sample) => {
  const known = sample.endpoint.queryVariables.map(({ name }) => name).join(', ') || 'none';
  expectError(await send(sample, { query: 'Limit=1' }), 422, 'validation_error', {
    Limit: [`is not a known parameter; known are ${known}`],
  });
});

walk(
  '422 for a repeated query parameter',
  ({ endpoint }) => endpoint.queryVariables.length > 0,
  async (sample) => {
    for (const { name } of sample.endpoint.queryVariables) {
      const value = encodeURIComponent(sample.query[name] ?? 'x');
      expectError(
        await send(sample, { query: `${name}=${value}&${name}=${value}` }),
        422,
        'validation_error',
        {
          [name]: ['must be given only once'],
        },
      );
    }
  },
);

walk(
  '422 for a limit that is not from 1 to 200',
  ({ query }) => query.limit,
  async (sample) => {
    for (const limit of ['0', '201', '-1', '1.5', 'ten', '', '1e2']) {
      expectError(await send(sample, { query: `limit=${limit}` }), 422, 'validation_error', {
        limit: ['must be a whole number from 1 to 200'],
      });
    }
    dataOf(await send(sample, { query: 'limit=1' }));
    dataOf(await send(sample, { query: 'limit=200' }));
  },
);

walk('422 for an unknown body property', hasBody, async (sample) => {
  const known = bodyProperties(sample.endpoint).join(', ');
  const response = await send(sample, { body: { ...sample.body?.(), Status: 'active' } });
  expectError(response, 422, 'validation_error', {
    Status: [`is not a known property; known are ${known}`],
  });
});

walk('415 for a body that is not JSON by its Content-Type', hasBody, async (sample) => {
  const body = JSON.stringify(sample.body?.());
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json-patch+json',
  ]) {
    expectError(
      await send(sample, { body, headers: { 'content-type': type } }),
      415,
      'unsupported_media_type',
    );
  }
  expectError(
    await send(sample, { body, headers: { 'content-encoding': 'gzip' } }),
    415,
    'unsupported_media_type',
  );
});

walk('400 for a body that cannot be read', hasBody, async (sample) => {
  for (const body of ['', '{', '{"a":1,}', Buffer.from('7b2261223a22ff227d', 'hex')]) {
    expectError(await send(sample, { body }), 400, 'malformed_json');
  }
  expectError(
    await send(sample, { body: `${'['.repeat(33)}${']'.repeat(33)}` }),
    400,
    'invalid_request',
  );
  expectError(
    await send(sample, { body: `${'['.repeat(32)}${']'.repeat(32)}` }),
    422,
    'validation_error',
    { body: ['must be an object'] },
  );
});

walk('413 for a body over 1 MiB', hasBody, async (sample) => {
  expectError(await send(sample, { body: ' '.repeat(1024 * 1024 + 1) }), 413, 'payload_too_large');
  expectError(await send(sample, { body: ' '.repeat(1024 * 1024) }), 400, 'malformed_json');
});
