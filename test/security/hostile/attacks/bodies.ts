/** Bodies that no honest client sends. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Attack, type Attacker, bytesOf, postJson, request, times } from '../attack.js';

const bomb = Buffer.alloc(10 * 1024 * 1024, ' ');
const deep = 100_000;

/** Refused by whatever reads a JSON body. */
// biome-ignore format: a table
const everywhere: readonly (readonly [name: string, status: number, body: string | Uint8Array, ...fields: string[]])[] = [
  ['no body', 400, ''],
  ['arrays 100,000 deep', 400, '['.repeat(deep) + ']'.repeat(deep)],
  ['objects 100,000 deep', 400, `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`],
  ['100,000 arrays without an end', 400, '['.repeat(deep)],
  ['bytes that are not UTF-8', 400, bytesOf('{"title":"\xff\xfe"}')],
  ['an overlong NUL', 400, bytesOf('{"title":"\xc0\x80"}')],
  ['UTF-16', 400, Buffer.from('{"title":"a"}', 'utf16le')],
  ['a byte order mark', 400, '\ufeff{"title":"a"}'],
  ['not a number', 400, '{"title":NaN}'],
  ['a number in octal', 400, '{"title":01}'],
  ['a list of requests', 400, '[{"query":"{ __typename }"},{"query":"{ __typename }"}]'],
  ['a bomb in gzip', 415, gzipSync(bomb), 'Content-Encoding: gzip'],
  ['a bomb in deflate', 415, deflateSync(bomb), 'Content-Encoding: deflate'],
  ['a bomb in brotli', 415, brotliCompressSync(bomb), 'Content-Encoding: br'],
  ['one coding after another', 415, '{}', 'Content-Encoding: identity, gzip'],
  ['two types', 400, '{}', 'Content-Type: text/plain'],
  ['1 MiB and a byte', 413, ' '.repeat(1024 * 1024 + 1)],
];

const types = [
  '',
  'Content-Type: text/plain',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: application/jsonp',
];

const typesPath = ({ organization }: Attacker) => `${organization}/certification-types`;

/** Of a REST create. */
// biome-ignore format: a table
const bodies: readonly (readonly [name: string, status: number, body: string, isHeavy?: boolean])[] = [
  ['a list of requests', 422, '[{"title":"a"},{"title":"b"}]'],
  ['__proto__ and constructor', 422, '{"__proto__":{"title":"a"},"constructor":{"prototype":{"slug":"a"}},"title":"polluted"}'],
  ['toString as a property', 422, '{"toString":1,"hasOwnProperty":2,"title":"polluted"}'],
  ['NUL in a key', 422, '{"\\u0000":1,"title":"polluted"}'],
  ['half a surrogate in a key', 422, '{"\\ud800":1,"title":"polluted"}'],
  ['NUL in a value', 422, '{"title":"a\\u0000"}'],
  ['half a surrogate in a value', 422, '{"title":"\\udfff\\ud800"}'],
  ...['1e400', '-1e400', '18446744073709551616', '-0', '9'.repeat(100_000), `0.${'1'.repeat(100_000)}`, '1E-400'].map((number) => [`the number ${number.slice(0, 25)}`, 422, `{"title":${number}}`] as const),
  ['90,000 unknown properties', 400, `{${times(90_000, (index) => `"k${index}":1`, ',')}}`, true],
  ['a title of 1 MB', 422, `{"title":"${'a'.repeat(1_000_000)}"}`, true],
];

// biome-ignore format: a table
const requirements: readonly (readonly [name: string, body: string])[] = [
  ['500,000 numbers for a list of objects', `{"requirements":[${'1,'.repeat(499_999)}1]}`],
  ['300,000 empty objects', `{"requirements":[${'{},'.repeat(299_999)}{}]}`],
  ['11,000 requirements', `{"requirements":[${times(11_000, (index) => `{"certification_type_id":"00000000-0000-4000-8000-${String(index).padStart(12, '0')}"}`, ',')}]}`],
];

const keys = ['', ' ', 'a b', 'a'.repeat(256), '\xe9', 'a, b', 'x\ty'];

export const bodyAttacks: readonly Attack[] = [
  ...everywhere.flatMap(([name, status, body, ...fields]): Attack[] =>
    [typesPath, () => '/graphql', () => '/graphql/stream'].flatMap((path, index) =>
      name === 'a list of requests' && index === 0
        ? []
        : [
            {
              name: `${['REST', '/graphql', '/graphql/stream'][index]}: ${name}`,
              status,
              isHeavy: body.length > 100_000,
              bytes: (attacker) => postJson(path(attacker), attacker, body, ...fields),
            },
          ],
    ),
  ),
  ...types.flatMap((type): Attack[] =>
    [typesPath, () => '/graphql', () => '/graphql/stream'].map((path, index) => ({
      name: `${['REST', '/graphql', '/graphql/stream'][index]}: ${type || 'no Content-Type'}`,
      status: 415,
      bytes: (attacker) =>
        request(
          'POST',
          path(attacker),
          attacker,
          type ? [type] : [],
          '{"query":"{ __typename }","title":"polluted"}',
        ),
    })),
  ),
  ...bodies.map(
    ([name, status, body, isHeavy = false]): Attack => ({
      name: `REST: ${name}`,
      status,
      isHeavy,
      bytes: (attacker) => postJson(typesPath(attacker), attacker, body),
    }),
  ),
  ...requirements.map(
    ([name, body]): Attack => ({
      name: `REST: ${name}`,
      status: 422,
      isHeavy: true,
      bytes: (attacker) =>
        request(
          'PUT',
          `${attacker.qualification}/requirements`,
          attacker,
          ['Content-Type: application/json'],
          body,
        ),
    }),
  ),
  ...keys.map(
    (key): Attack => ({
      name: `the idempotency key "${key.slice(0, 20)}"`,
      status: 422,
      bytes: (attacker) =>
        postJson(typesPath(attacker), attacker, '{"title":"polluted"}', `Idempotency-Key: ${key}`),
    }),
  ),
  {
    name: 'two idempotency keys',
    status: 422,
    bytes: (attacker) =>
      postJson(
        typesPath(attacker),
        attacker,
        '{"title":"polluted"}',
        'Idempotency-Key: a',
        'Idempotency-Key: b',
      ),
  },
];
