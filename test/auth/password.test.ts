import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashPassword, verifyPassword } from '../../src/auth/password.js';

describe('hashPassword', () => {
  it('gives a PHC string of argon2id with 19 MiB, two passes, one lane, 16 bytes of salt and 32 of tag', async () => {
    assert.match(await hashPassword('climb'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('takes another salt each time', async () => {
    assert.notEqual(await hashPassword('climb'), await hashPassword('climb'));
  });
});

describe('verifyPassword', () => {
  it('takes the hashed password and no other', async () => {
    const hash = await hashPassword('climb');
    assert.equal(await verifyPassword(hash, 'climb'), true);
    assert.equal(await verifyPassword(hash, 'Climb'), false);
    assert.equal(await verifyPassword(hash, ''), false);
  });

  it('knows hashes of another cost, as made by the reference implementation', async () => {
    // echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32: a published test vector.
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    assert.equal(await verifyPassword(hash, 'password'), true);
    assert.equal(await verifyPassword(hash, 'passwort'), false);
  });

  it('does not care how accents are composed', async () => {
    assert.equal(await verifyPassword(await hashPassword('gr\u00fcn'), 'gru\u0308n'), true);
  });

  it('answers false without a hash, or with one that it cannot read', async () => {
    for (const hash of [undefined, null, '', 'climb', '$2b$10$abc', '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA'])
      assert.equal(await verifyPassword(hash, 'climb'), false, String(hash));
  });

  it('takes about the same time for an unknown user', async () => {
    const hash = await hashPassword('climb');
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      known.push(await timed(() => verifyPassword(hash, 'wrong')));
      unknown.push(await timed(() => verifyPassword(undefined, 'wrong')));
    }
    const ratio = Math.min(...unknown) / Math.min(...known);
    assert.ok(ratio > 0.5 && ratio < 1.5, `${known} ms and ${unknown} ms`);
  });

  it('answers everyone when many ask at once', async () => {
    const hash = await hashPassword('climb');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => verifyPassword(hash, index % 2 ? 'climb' : 'wrong')));
    assert.deepEqual(
      answers,
      Array.from({ length: 12 }, (_, index) => index % 2 === 1),
    );
  });
});

/** Milliseconds of the process's own time that it takes: others that use the machine don't count. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
