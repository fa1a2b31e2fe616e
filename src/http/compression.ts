/**
 * Compression of responses. Each handler chooses it for its own responses: a compressed response
 * that contains a secret beside text of an attacker reveals the secret by its length (BREACH). So
 * pages of the portal and responses of the authorization server are never compressed.
 */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import Negotiator from 'negotiator';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const toZstd = promisify(zstdCompress);

/** Smaller bodies fit in one packet anyway. In bytes, of a text in characters. */
const minSize = 1024;
const {
  BROTLI_PARAM_QUALITY: quality,
  BROTLI_PARAM_LGWIN: window,
  BROTLI_PARAM_SIZE_HINT: sizeHint,
} = constants;
/**
 * Brotli for a single response: a window of 256 KB, because the usual one of 4 MB is allocated for
 * each. A higher quality takes twice as long for one percent less.
 */
const dynamicBrotli = { [quality]: 3, [window]: 18 };
/** Brotli for a body that is compressed once. */
const constantBrotli = { [quality]: 9 };

type Body = string | Buffer;

/** In order of preference. All three make a list about a sixth of its size. */
const dynamicCodings = ['zstd', 'br', 'gzip'] as const;
const constantCodings = ['br', 'gzip'] as const;
/** A content coding of HTTP. */
export type Coding = (typeof dynamicCodings)[number];

const bestOf = (codings: readonly Coding[]) => {
  const preferred = [...codings, 'identity'];
  return (request: Pick<IncomingMessage, 'headers'>): Coding | undefined => {
    if (request.headers['accept-encoding'] === undefined) return undefined;
    const best = new Negotiator(request).encoding(preferred, { preferred });
    return codings.find((coding) => coding === best);
  };
};
const bestDynamic = bestOf(dynamicCodings);
const bestConstant = bestOf(constantCodings);

/** The coding in which the response to a request is sent; undefined for none. */
export const codingFor = (request: IncomingMessage, body: Body): Coding | undefined =>
  body.length < minSize ? undefined : bestDynamic(request);

/** Compresses a body in another thread. */
export function compress(
  body: Body,
  coding: Coding,
  brotli: Readonly<Record<number, number>> = dynamicBrotli,
): Promise<Buffer> {
  if (coding === 'gzip') return toGzip(body);
  if (coding === 'zstd') return toZstd(body);
  const params = { ...brotli, [sizeHint]: Buffer.byteLength(body) };
  return toBrotli(body, { params });
}

interface Compressible {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/**
 * A response, compressed in the coding.
 * @param coding Undefined for none.
 */
export async function encoded<Response extends Compressible>(
  response: Response,
  coding: Coding | undefined,
): Promise<Response> {
  if (!coding) return response;
  const headers = { ...response.headers, 'Content-Encoding': coding };
  return { ...response, headers, body: await compress(response.body, coding) };
}

/**
 * A body that is always the same, compressed at its first use in a coding.
 * @returns A function from a request to its response.
 */
export function constantBody(
  text: string,
): (request: IncomingMessage) => Promise<Compressible> | Compressible {
  const plain: Compressible = { headers: {}, body: text };
  const made = new Map<Coding, Promise<Compressible>>();
  return (request) => {
    const coding = text.length < minSize ? undefined : bestConstant(request);
    if (!coding) return plain;
    const known = made.get(coding);
    if (known) return known;
    const making = compress(text, coding, constantBrotli).then((body) => ({
      headers: { 'Content-Encoding': coding },
      body,
    }));
    made.set(coding, making);
    return making;
  };
}
