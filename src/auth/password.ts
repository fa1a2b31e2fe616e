/**
 * Passwords: hashed by argon2id with the parameters that OWASP recommends, stored as PHC strings.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Hash {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;

/** The hash to compare with when there is none: takes the same time, and matches no password. */
const unknownUser: Hash = { ...cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) };

/**
 * Each hash takes one of the four threads of libuv's pool; the others stay free for files and DNS.
 */
const maxAtOnce = 2;
const waiting: (() => void)[] = [];
let running = 0;

/** @returns A PHC string, `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, with a new salt each time. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await derive(password, { ...cost, salt, tag: Buffer.alloc(tagBytes) });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(tag)}`;
}

/**
 * Whether the password matches the hash. Takes as long, and returns false, when there is no hash or
 * it is malformed.
 * @param hash From {@link hashPassword}; null or undefined for an unknown user, or one without a
 * password.
 */
export async function verifyPassword(
  hash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const known = parse(hash ?? '');
  const expected = known ?? unknownUser;
  const same = timingSafeEqual(await derive(password, expected), expected.tag);
  return same && known !== undefined;
}

/**
 * Derives the tag of a password. Unicode normalization makes composed and decomposed accents equal.
 */
const derive = (
  password: string,
  { memory, passes, parallelism, salt, tag }: Hash,
): Promise<Buffer> =>
  inTurn(() =>
    promisify(argon2)('argon2id', {
      message: password.normalize('NFKC'),
      nonce: salt,
      memory,
      passes,
      parallelism,
      tagLength: tag.length,
    }),
  );

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < maxAtOnce) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function parse(text: string): Hash | undefined {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(text) ?? [];
  if (!memory || !passes || !parallelism || !salt || !tag) return undefined;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
