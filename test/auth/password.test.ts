import { hashPassword, verifyPassword } from '../../src/auth/password.js';
import { ensure } from '../support/expect.js';

describe('hashPassword', () => {
  it('gives a PHC string of argon2id with 19 MiB, two passes, one lane, 16 bytes of salt and 32 of tag', async () => {
    expect(await hashPassword('climb')).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('takes another salt each time', async () => {
    expect(await hashPassword('climb')).not.toBe(await hashPassword('climb'));
  });
});

describe('verifyPassword', () => {
  it('takes the hashed password and no other', async () => {
    const hash = await hashPassword('climb');
    expect(await verifyPassword(hash, 'climb')).toBe(true);
    expect(await verifyPassword(hash, 'Climb')).toBe(false);
    expect(await verifyPassword(hash, '')).toBe(false);
  });

  it('knows hashes of another cost, as made by the reference implementation', async () => {
    // echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32: a published test vector.
    const hash =
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await verifyPassword(hash, 'password')).toBe(true);
    expect(await verifyPassword(hash, 'passwort')).toBe(false);
  });

  it('does not care how accents are composed', async () => {
    expect(await verifyPassword(await hashPassword('gr\u00fcn'), 'gru\u0308n')).toBe(true);
  });

  it('answers false without a hash, or with one that it cannot read', async () => {
    for (const hash of [
      undefined,
      null,
      '',
      'climb',
      '$2b$10$abc',
      '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA',
    ])
      expect([String(hash), await verifyPassword(hash, 'climb')]).toStrictEqual([
        expect.any(String),
        false,
      ]);
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
    ensure(ratio > 0.5 && ratio < 1.5, `${known} ms and ${unknown} ms`);
  });

  it('answers everyone when many ask at once', async () => {
    const hash = await hashPassword('climb');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => verifyPassword(hash, index % 2 ? 'climb' : 'wrong')),
    );
    expect(answers).toStrictEqual(Array.from({ length: 12 }, (_, index) => index % 2 === 1));
  });
});

/**
 * Milliseconds of the process's own time that it takes: others that use the machine don't count.
 */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
