/** What is posted and linked to the authorization server and to the portal. */
import { type Attack, type Attacker, anonymous, request, times } from '../attack.js';

const urlencoded = 'Content-Type: application/x-www-form-urlencoded';
const oauth = '/auth/v1/oauth';

// biome-ignore format: a table
const forms: readonly (readonly [name: string, form: string | Uint8Array])[] = [
  ['nothing', ''],
  ['a key 5,000 deep', `grant_type${'[a]'.repeat(5000)}=1`],
  ['everything twice', 'grant_type=a&grant_type=b&client_id=x&client_id=y&email=a&email=b&token=a&token=b'],
  ['__proto__ and constructor', '__proto__=1&constructor=2&grant_type=__proto__&client_id=constructor&toString=1&token=x'],
  ['half a surrogate', 'client_id=%ED%A0%80&grant_type=refresh_token&refresh_token=%ED%A0%80&token=%FF'],
  ['bytes', Buffer.from('grant_type=\xff\xfe&token=\xff', 'latin1')],
  ['5,000 keys', times(5000, (index) => `k${index}=1`, '&')],
  ['60,000 ampersands', '&'.repeat(60_000)],
  ['60,000 per cent signs', '%'.repeat(60_000)],
  ['a token of 50 KB', `grant_type=refresh_token&client_id=nobody&refresh_token=${'a'.repeat(50_000)}&token=${'a'.repeat(1000)}`],
];
/** Refused wherever forms are read. */
// biome-ignore format: a table
const unreadable: readonly (readonly [name: string, status: number, fields: readonly string[], form: string])[] = [
  ['NUL', 400, [urlencoded], 'grant_type=refresh_token&client_id=%00&email=%00&password=%00&token=%00'],
  ['70 KB', 413, [urlencoded], `a=${'b'.repeat(70_000)}`],
  ['a length over the limit', 413, [urlencoded, 'Content-Length: 99999999'], 'a='],
  ['gzip', 415, [urlencoded, 'Content-Encoding: gzip'], 'a=b'],
];
// biome-ignore format: a table
const clients: readonly (readonly [name: string, status: number, authorization: string])[] = [
  ['nothing', 400, 'Basic'], ['no base64', 400, 'Basic %%%'], ['no secret', 400, 'Basic YQ=='], ['a token', 400, 'Bearer x'],
  ...['%zz:%zz', '\0:\0', '%00:%00', '%ED%A0%80:x'].map((pair) => [JSON.stringify(pair), 400, `Basic ${Buffer.from(pair).toString('base64')}`] as const),
];
const links = [
  '',
  'client_id=%00',
  'client_id=__proto__',
  'client_id=a&client_id=b',
  'client_id=demo-dashboard&redirect_uri=%00&response_type=code',
  'client_id=demo-dashboard&response_type=__proto__',
  'client_id=demo-dashboard&claims={',
  'request=a.b.c&client_id=demo-dashboard',
  'request_uri=http://127.0.0.1:1/&client_id=demo-dashboard',
  `client_id=demo-dashboard&scope=${'a%20'.repeat(3000)}`,
  'scope[]=a',
  'client_id=%ED%A0%80',
  'a=%',
];

const ofBrowser = ({ host, cookie }: Attacker) => [
  urlencoded,
  `Origin: http://${host}`,
  `Cookie: ${cookie}`,
  anonymous,
];
const post = (
  path: string,
  attacker: Attacker,
  fields: readonly string[],
  form: string | Uint8Array,
) => request('POST', path, attacker, fields, form);
const endpoints = ['token', 'revoke', 'introspect'];

/** The statuses of the endpoints for a client that is unknown, or not named: 401 or 400. */
const unknownClient = new Set([
  '__proto__ and constructor',
  'half a surrogate',
  'a token of 50 KB',
]);

export const formAttacks: readonly Attack[] = [
  ...endpoints.flatMap((endpoint): Attack[] => [
    ...forms.map(
      ([name, form]): Attack => ({
        name: `${endpoint}: ${name}`,
        status: unknownClient.has(name) ? 401 : 400,
        isHeavy: form.length > 10_000,
        bytes: (attacker) => post(`${oauth}/${endpoint}`, attacker, [urlencoded, anonymous], form),
      }),
    ),
    ...unreadable.map(
      ([name, status, fields, form]): Attack => ({
        name: `${endpoint}: ${name}`,
        status,
        bytes: (attacker) => post(`${oauth}/${endpoint}`, attacker, [...fields, anonymous], form),
      }),
    ),
    ...clients.map(
      ([name, status, authorization]): Attack => ({
        name: `${endpoint}: the client ${name}`,
        status,
        bytes: (attacker) =>
          post(
            `${oauth}/${endpoint}`,
            attacker,
            [urlencoded, `Authorization: ${authorization}`],
            'grant_type=refresh_token&refresh_token=x&token=x',
          ),
      }),
    ),
    {
      name: `${endpoint}: JSON`,
      status: 400,
      bytes: (attacker) =>
        post(
          `${oauth}/${endpoint}`,
          attacker,
          ['Content-Type: application/json', anonymous],
          '['.repeat(50_000),
        ),
    },
  ]),
  ...links.map(
    (query): Attack => ({
      name: `authorize?${query.slice(0, 60)}`,
      status: 400,
      bytes: (attacker) => request('GET', `${oauth}/authorize?${query}`, attacker, [anonymous]),
    }),
  ),
  ...['/portal/sign-in', '/portal/sign-in/passkey', '/portal/apps', '/portal/links/abc'].flatMap(
    (path): Attack[] => [
      ...forms.map(
        ([name, form]): Attack => ({
          name: `${path}: ${name}`,
          status: 403,
          bytes: (attacker) => post(path, attacker, ofBrowser(attacker), form),
        }),
      ),
      ...unreadable.map(
        ([name, status, [, ...fields], form]): Attack => ({
          name: `${path}: ${name}`,
          status,
          bytes: (attacker) => post(path, attacker, [...ofBrowser(attacker), ...fields], form),
        }),
      ),
      {
        name: `${path}: JSON`,
        status: 415,
        bytes: (attacker) =>
          post(path, attacker, ['Content-Type: application/json', anonymous], '{}'),
      },
      {
        name: `${path}: from elsewhere`,
        status: 403,
        bytes: (attacker) =>
          post(
            path,
            attacker,
            [urlencoded, 'Origin: https://evil.example', `Cookie: ${attacker.cookie}`, anonymous],
            `csrf=${attacker.csrf}`,
          ),
      },
    ],
  ),
  ...[
    `csrf=CSRF&credential=${'['.repeat(50_000)}`,
    'csrf=CSRF&credential={"id":{},"response":[]}',
    'csrf=CSRF&credential={"__proto__":{"id":1}}',
  ].map(
    (form): Attack => ({
      name: `a passkey: ${form.slice(0, 40)}`,
      status: 422,
      bytes: (attacker) =>
        post(
          '/portal/sign-in/passkey',
          attacker,
          ofBrowser(attacker),
          form.replace('CSRF', attacker.csrf),
        ),
    }),
  ),
];
