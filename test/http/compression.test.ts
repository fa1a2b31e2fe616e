/** Compression of responses: which are compressed, how, and their entity tags. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { openSession } from '../../src/auth/accounts/sessions.js';
import { codingFor } from '../../src/http/compression.js';
import { bundled } from '../../src/pages/bundle.js';
import { etagIn } from '../../src/rest/preconditions.js';
import { startApp } from '../support/app.js';
import * as demo from '../support/names.js';

const app = await startApp();
const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

interface Asked {
  readonly accept?: string | undefined;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH';
  readonly headers?: Record<string, string>;
  readonly body?: object | string;
  /** Left out: that of a manager; null: none. */
  readonly token?: string | null;
}

/** A response as it was sent, and its decoded text. */
async function ask(
  path: string,
  { accept, method = 'GET', headers = {}, body, token }: Asked = {},
) {
  const bearer = token === undefined ? await app.token(demo.managerEmail) : token;
  const isText = typeof body === 'string';
  const response = await request(app.base + path, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(accept !== undefined && { 'accept-encoding': accept }),
      ...(body && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const header = (name: string) => response.headers[name]?.toString();
  const coding = header('content-encoding');
  const decode = coding === undefined ? undefined : decoders[coding];
  const text = String(decode && bytes.length > 0 ? decode(bytes) : bytes);
  return { status: response.statusCode, header, coding, bytes, text };
}

const list = `${demo.skyline}/certifications?limit=50`;
const query = `{ organizations { nodes { id name } } __schema { types { name description } } }`;
const codings = ['br', 'gzip', 'zstd'] as const;

const compressible: [what: string, path: string, asked: Asked][] = [
  ['a list', list, {}],
  ['GraphQL by POST', '/graphql', { method: 'POST', body: { query } }],
  ['GraphQL by GET', `/graphql?${new URLSearchParams({ query })}`, {}],
  [
    'introspection without a token',
    '/graphql',
    {
      method: 'POST',
      body: { query: '{ __schema { types { name description } } }' },
      token: null,
    },
  ],
];

for (const [what, path, asked] of compressible) {
  test(`${what} is compressed if the client accepts it, and decodes to the same`, async () => {
    const plain = await ask(path, asked);
    expect([plain.status, plain.coding]).toStrictEqual([200, undefined]);
    expect(plain.bytes.length).toBeGreaterThan(4096);
    for (const accept of codings) {
      const { coding, bytes, text, header } = await ask(path, { ...asked, accept });
      expect(coding).toBe(accept);
      expect(text).toBe(plain.text);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2.5);
      expect(header('content-length')).toBe(String(bytes.length));
      expect(header('content-type')).toBe(plain.header('content-type'));
      expect(header('vary')).toBe('Accept-Encoding, Origin');
    }
    expect(plain.header('vary')).toBe('Accept-Encoding, Origin');
  });
}

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['br;q=0.5, gzip', 'gzip'],
  ['*', 'zstd'],
  ['br;q=0, *', 'zstd'],
  ['br;q=0, zstd;q=0, *', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['gzip;q=0', undefined],
  ['deflate', undefined],
  ['', undefined],
  ['br'.repeat(5000), undefined],
])('Accept-Encoding: %.30s: %s', (accept, coding) => {
  const request = { headers: { 'accept-encoding': accept } } as Parameters<typeof codingFor>[0];
  expect(codingFor(request, 'x'.repeat(1024))).toBe(coding);
  expect(codingFor(request, 'x'.repeat(1023))).toBeUndefined();
});

test('another origin gets both names in Vary', async () => {
  const { header } = await ask(list, { accept: 'br', headers: { origin: 'https://a.example' } });
  expect(header('vary')?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
});

describe('the entity tag of a compressed record', () => {
  const id = demo.recordId(demo.climberEmail, 'osha-10');
  const path = `${demo.skyline}/certifications/${id}`;
  const own = `/v1/certifications/${id}`;
  const climber = () => app.token(demo.climberEmail);
  const read = async (asked: Asked) => ask(own, { ...asked, token: await climber() });
  const change = (serial: string, headers: Record<string, string> = {}, accept?: string) =>
    ask(path, {
      method: 'PATCH',
      body: { serial_number: serial, issuer_name: 'é'.repeat(200), external_id: 'x'.repeat(200) },
      headers,
      accept,
    });

  test('is of its coding, returns 304 in this coding alone, and is accepted by If-Match', async () => {
    expect((await change('first')).status).toBe(200);
    const plain = await read({});
    expect(plain.bytes.length).toBeGreaterThan(1024);
    const tags = new Set([plain.header('etag')]);
    for (const accept of codings) {
      const { coding, header } = await read({ accept });
      expect(coding).toBe(accept);
      const etag = header('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      tags.add(etag);
      const again = await read({ accept, headers: { 'if-none-match': etag } });
      expect([again.status, again.bytes.length, again.header('etag'), again.coding]).toStrictEqual([
        304,
        0,
        etag,
        undefined,
      ]);
      expect(again.header('vary')).toBe('Accept-Encoding, Origin');
      const weak = await read({ accept, headers: { 'if-none-match': `W/${etag}` } });
      expect(weak.status).toBe(304);
      expect((await read({ headers: { 'if-none-match': etag } })).status).toBe(200);
      const changed = await change(`by ${accept}`, { 'if-match': etag }, accept);
      expect([changed.status, changed.coding]).toEqual([200, accept]);
      const stale = await change('never', { 'if-match': etag });
      expect(stale.status).toBe(412);
    }
    expect(tags.size).toBe(4);
  });

  test('HEAD has the header fields of GET', async () => {
    for (const accept of [...codings, undefined]) {
      const [get, head] = [await read({ accept }), await read({ accept, method: 'HEAD' })];
      expect(head.bytes.length).toBe(0);
      for (const name of ['etag', 'content-encoding', 'content-length', 'vary', 'content-type'])
        expect([name, head.header(name)]).toStrictEqual([name, get.header(name)]);
    }
  });

  test('is the same in every coding if it is weak', () => {
    expect(etagIn('W/"digest"', 'br')).toBe('W/"digest"');
    expect(etagIn('"digest"', 'br')).toBe('"digest;br"');
    expect(etagIn('"digest"', undefined)).toBe('"digest"');
  });
});

describe('constant documents are compressed once', () => {
  for (const path of ['/v1/openapi.json', '/docs', '/docs/quickstart']) {
    test(path, async () => {
      const plain = await ask(path, { token: null });
      expect([plain.status, plain.coding]).toStrictEqual([200, undefined]);
      for (const accept of ['br', 'gzip']) {
        const answers = [
          await ask(path, { accept, token: null }),
          await ask(path, { accept, token: null }),
        ];
        for (const { coding, text, header } of answers) {
          expect([coding, text]).toStrictEqual([accept, plain.text]);
          expect(header('vary')).toMatch(/Accept-Encoding/);
          expect(header('content-type')).toBe(plain.header('content-type'));
        }
      }
    });
  }

  test('files of the pages were compressed by the build', async () => {
    const script = `/assets/${bundled('dashboard', '.js')}`;
    const plain = await ask(script, { token: null });
    expect(plain.bytes.length).toBeGreaterThan(100_000);
    for (const accept of ['br', 'gzip']) {
      const { coding, text, header } = await ask(script, { accept, token: null });
      expect([coding, text, header('vary')]).toStrictEqual([accept, plain.text, 'Accept-Encoding']);
    }
  });
});

describe('never compressed is', () => {
  const accept = 'gzip, deflate, br, zstd';

  test('a stream', async () => {
    const body = {
      query: `subscription { changes(organizationId: "${demo.nothing}") { nodes { kind } } }`,
    };
    const { coding, text, header } = await ask('/graphql/stream', { method: 'POST', body, accept });
    expect([coding, header('content-type')?.split(';')[0]]).toEqual([
      undefined,
      'text/event-stream',
    ]);
    expect(text).toMatch(/^event: next/);
  });

  // Each has a secret of the browser or of the caller, or repeats the request.
  const secrets: [path: string, asked: Asked][] = [
    [`/portal/sign-in?next=${'x'.repeat(2000)}`, {}],
    [`/docs/search?q=${'x'.repeat(2000)}`, {}],
    [`/portal/none-${'x'.repeat(2000)}`, { headers: { accept: 'text/html' } }],
    [`/auth/v1/oauth/authorize?client_id=${'x'.repeat(2000)}`, {}],
    [
      '/auth/v1/oauth/token',
      {
        method: 'POST',
        body: `grant_type=refresh_token&refresh_token=${'x'.repeat(2000)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
  ];
  for (const [path, asked] of secrets) {
    test(path.slice(0, 40), async () => {
      const { coding } = await ask(path, { ...asked, accept, token: null });
      expect(coding).toBeUndefined();
    });
  }

  for (const path of ['/portal', '/portal/apps', '/portal/account', '/graphql']) {
    test(`${path} of a signed-in person`, async () => {
      const headers = { ...(await signedIn()), accept: 'text/html' };
      const { coding, status, bytes } = await ask(path, { headers, accept, token: null });
      expect([coding, status]).toStrictEqual([undefined, 200]);
      expect(bytes.length).toBeGreaterThan(500);
    });
  }
});

/** The cookie of a session of the manager. */
async function signedIn(): Promise<Record<string, string>> {
  const browser = { userAgent: 'test', address: '127.0.0.1' };
  const id = demo.userId(demo.managerEmail);
  return { cookie: `lanyard_session=${await openSession(app.db.em, id, 'password', browser)}` };
}
