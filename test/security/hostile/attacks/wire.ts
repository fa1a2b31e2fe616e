/** What is no HTTP, or not the HTTP that everyone on the way would read alike. */
import { type Attack, type Attacker, bytesOf, request } from '../attack.js';

type Raw = readonly [name: string, status: number, text: (attacker: Attacker) => string];
type Field = readonly [name: string, status: number, ...fields: string[]];

const raw = ([name, status, text]: Raw): Attack => ({
  name,
  status,
  bytes: (attacker) => bytesOf(text(attacker)),
});
const withFields = ([name, status, ...fields]: Field): Attack => ({
  name,
  status,
  bytes: (attacker) => request('GET', '/v1/me', attacker, fields),
});
const withTarget = (target: string, status: number): Attack => ({
  name: `target ${target.slice(0, 60)}`,
  status,
  bytes: (attacker) => request('GET', target, attacker),
});
const withMethod = (method: string, target: string, status: number): Attack => ({
  name: `${method} ${target}`,
  status,
  bytes: (attacker) => request(method, target, attacker),
});
const post = ({ host, token }: Attacker, version: string, fields: string, body: string): string =>
  `POST /v1/certifications HTTP/${version}\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${fields}\r\n\r\n${body}`;
const chunked = '2\r\n{}\r\n0\r\n\r\n';

// biome-ignore format: a table
const lines: readonly Raw[] = [
  ['no request line', 400, () => 'HELLO\r\n\r\n'],
  ['a TLS greeting', 400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['the preface of HTTP/2', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version that there is not', 400, ({ host }) => `GET /v1/me HTTP/3.9\r\nHost: ${host}\r\n\r\n`],
  ['no Host', 400, ({ token }) => `GET /v1/me HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`],
  ['bare line feeds', 400, ({ host }) => `GET /v1/me HTTP/1.1\nHost: ${host}\n\n`],
  ['length and chunks', 400, (who) => post(who, '1.1', 'Content-Length: 4\r\nTransfer-Encoding: chunked', chunked)],
  ['two lengths', 400, (who) => post(who, '1.1', 'Content-Length: 2\r\nContent-Length: 3', '{} ')],
  ['a list of lengths', 400, (who) => post(who, '1.1', 'Content-Length: 2, 2', '{}')],
  ['a signed length', 400, (who) => post(who, '1.1', 'Content-Length: +2', '{}')],
  ['a length below zero', 400, (who) => post(who, '1.1', 'Content-Length: -2', '{}')],
  ['a length over the limit', 413, (who) => post(who, '1.1', 'Content-Length: 99999999999', '{')],
  ['two codings', 400, (who) => post(who, '1.1', 'Transfer-Encoding: gzip, chunked', chunked)],
  ['two fields of codings', 400, (who) => post(who, '1.1', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', chunked)],
  ['a coding that there is not', 400, (who) => post(who, '1.1', 'Transfer-Encoding: xchunked', chunked)],
  ['chunks that are not last', 400, (who) => post(who, '1.1', 'Transfer-Encoding: chunked, identity', chunked)],
  ['chunks in HTTP/1.0', 400, (who) => post(who, '1.0', 'Transfer-Encoding: chunked', chunked)],
  ['a chunk without a size', 400, (who) => post(who, '1.1', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n')],
  ['a chunk of 2^80 bytes', 400, (who) => post(who, '1.1', 'Transfer-Encoding: chunked', 'ffffffffffffffffffff\r\n{}\r\n0\r\n\r\n')],
  ['an extension of 20 KB to a chunk', 413, (who) => post(who, '1.1', 'Transfer-Encoding: chunked', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)],
  ['40 KB of trailers', 431, (who) => post(who, '1.1', 'Transfer-Encoding: chunked', `2\r\n{}\r\n0\r\n${'X-A: b\r\n'.repeat(5000)}\r\n`)],
  ['chunks over the limit', 413, (who) => post(who, '1.1', 'Transfer-Encoding: chunked', `${`8000\r\n${' '.repeat(0x8000)}\r\n`.repeat(33)}0\r\n\r\n`)],
];

// biome-ignore format: a table
const fields: readonly Field[] = [
  ['two hosts', 400, 'Host: 127.0.0.1', 'Host: evil.example'],
  ['a host with a path', 400, 'Host: evil.example/..?#'],
  ['a host with somebody in front', 400, 'Host: a@b'],
  ['a host without an end', 400, 'Host: [::1'],
  ['two tokens', 400, 'Authorization: Bearer a', 'Authorization: Bearer b'],
  ['a folded field', 400, 'X-A: a\r\n b'],
  ['a blank before the colon', 400, 'X-A : a'],
  ['a line feed in a field', 400, 'X-A: a\nX-B: b'],
  ['a carriage return in a field', 400, 'X-A: a\rb'],
  ['NUL in a field', 400, 'X-A: a\0b'],
  ['a field of 20 KB', 431, `X-A: ${'a'.repeat(20_000)}`],
  ['4,000 fields', 400, ...Array<string>(4000).fill('a: b')],
  ['an expectation that there is not', 200, 'Expect: 200-maybe'],
  ['a token of 12 KB', 401, `Authorization: Bearer ${'a'.repeat(12_000)}`],
  ['a token of bytes', 401, 'Authorization: Bearer \xff\xfe'],
  ['a token whose key id is NUL', 401, `Authorization: Bearer ${Buffer.from('{"alg":"ES256","kid":"\\u0000"}').toString('base64url')}.e30.aa`],
  ['a token whose key id is an object', 401, `Authorization: Bearer ${Buffer.from('{"alg":"ES256","kid":{}}').toString('base64url')}.e30.aa`],
  ['a token whose key id is __proto__', 401, `Authorization: Bearer ${Buffer.from('{"alg":"ES256","kid":"__proto__"}').toString('base64url')}.e30.aa`],
];

// biome-ignore format: a table
const targets: readonly (readonly [string, number])[] = [
  ['http:///v1/me', 400], ['http://:80/v1/me', 400], ['http://a@b/v1/me', 400], ['http://evil.example\\@b/v1/me', 400], ['http://evil.example#/v1/me', 400],
  ['http://evil.example/auth/v1/oauth/jwks', 421], ['http://evil.example//v1/me', 404], ['ftp:///v1/me', 400], ['ftp://evil.example/v1/me', 400], ['*', 400], ['?x', 400], ['http:', 400], ['http://', 400], ['https://', 400], ['http://?x', 400], ['ftp://', 400], ['/v1/\xff\xfe', 400], ['/v1/me\0', 400], ['/v1/me\tx', 400],
  ['//v1/me', 404], ['/v1//me', 404], ['/v1/../v1/me', 404], ['/v1/./me', 404], ['/v1/%2e%2e/me', 404], ['/v1%2fme', 404], ['/v1/me%00', 404], ['/v1/me/', 404],
  ['/V1/ME', 404], ['/v1/me;x=1', 404], ['/v1/me%', 404], ['/v1/%zz', 404], ['//evil.example/', 404], ['/\\evil.example', 404], ['/%2f%2fevil.example', 404],
  ['/../../etc/passwd', 404], ['/assets/../../package.json', 404], ['/assets/%2e%2e/%2e%2e/package.json', 404], ['/assets/..%2f..%2fpackage.json', 404], ['/assets/%00', 404],
  ['/__proto__', 404], ['/constructor', 404], ['/toString', 404], ['/graphql/', 404], ['/GRAPHQL', 404], ['/graphql/../v1/me', 404],
  ['/auth/v1/oauth/__proto__', 404], ['/auth/v1/oauth//token', 404], ['/auth/v1/oauth/%00', 404], ['/auth/v1/oauth/../oauth/jwks', 404], ['/portal/%00', 404], ['/portal/%ff', 404],
  ['/portal/links/%00', 404], ['/v1/organizations/%00', 422], ['/v1/organizations/__proto__', 422], ['/v1/organizations/constructor', 422],
  [`/v1/organizations/${'a'.repeat(2000)}`, 422], [`/v1/${'a'.repeat(12_000)}`, 404], [`/v1/${'a'.repeat(20_000)}`, 431],
];

// biome-ignore format: a table
const queries: readonly (readonly [string, number])[] = [
  ['q=%00', 422], ['%00=1', 422], ['cursor=%00', 422], ['cursor=AAAA', 422], ['cursor=%ED%A0%80', 422], ['updated_after=%00', 422], ['limit=%00', 422], ['limit=1e400', 422],
  ['limit=-0', 422], ['limit=18446744073709551616', 422], [`limit=${'9'.repeat(1000)}`, 422], ['__proto__=1', 422], ['constructor=1&toString=2', 422], ['limit[]=1', 422],
  ['limit=1&limit=2', 422], ['a=1&'.repeat(3000), 422], [Array.from({ length: 2500 }, (_, index) => `a${index}`).join('&'), 422], ['%', 422], ['%zz=1', 422], [`q=${'a'.repeat(12_000)}`, 422],
  ['limit=5;q=1', 422],
];

const others = ['TRACE', 'PROPFIND', 'PURGE', 'LINK', 'M-SEARCH', 'PATCH', 'DELETE'];

export const wireAttacks: readonly Attack[] = [
  ...lines.map(raw),
  ...fields.map(withFields),
  ...targets.map((target) => withTarget(...target)),
  ...queries.map(([query, status]) => withTarget(`/v1/qualifications?${query}`, status)),
  ...['get', 'Get', 'FOO', 'G\0T', 'GET'.repeat(50)].map((method) =>
    withMethod(method, '/v1/me', 400),
  ),
  ...others.flatMap((method) =>
    ['/v1/me', '/graphql', '/graphql/stream', '/livez', '/auth/v1/oauth/token'].map((target) =>
      withMethod(method, target, 405),
    ),
  ),
  withMethod('CONNECT', 'evil.example:443', 405),
  {
    name: 'a second request that is none, after one that is answered',
    status: 404,
    bytes: (attacker) =>
      Buffer.concat([request('GET', '/nowhere', attacker), bytesOf('GARBAGE\r\n\r\n')]),
  },
  {
    name: 'an end before the body',
    status: 0,
    bytes: (attacker) =>
      request(
        'POST',
        '/v1/certifications',
        attacker,
        ['Content-Type: application/json', 'Content-Length: 9'],
        '{',
      ),
  },
];
