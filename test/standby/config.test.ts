import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.js';

const url = 'postgresql://lanyard@127.0.0.1:5432/lanyard';

for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
  test(`${name} goes with DATABASE_URL alone: beside the embedded PostgreSQL it stops the start`, () => {
    assert.equal(readConfig({ DATABASE_URL: url, [name]: url })[name as 'DATABASE_REPLICA_URL'], url);
    assert.throws(() => readConfig({ [name]: url }), new ConfigError(`${name} goes with DATABASE_URL, which is not set.`));
  });
