import { readConfig } from '../../src/config.js';

const url = 'postgresql://lanyard@127.0.0.1:5432/lanyard';

for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
  test(`${name} goes with DATABASE_URL alone: beside the embedded PostgreSQL it stops the start`, () => {
    expect(readConfig({ DATABASE_URL: url, [name]: url })[name as 'DATABASE_REPLICA_URL']).toBe(
      url,
    );
    expect(() => readConfig({ [name]: url })).toThrow(
      new RegExp(`^  ${name}: goes with a DATABASE_URL, which is not set$`, 'm'),
    );
  });
