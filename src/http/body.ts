/** Reads JSON bodies, and refuses invalid ones early. */
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { ApiError, messageOf } from '../errors.js';

const maxBytes = 1024 * 1024;
const maxDepth = 32;
/**
 * Maximum number of members of all objects in a body: two bulk upserts of 1,000 rows have fewer.
 * Objects with very many names are slow to parse for their size.
 */
const maxMembers = 30_000;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The raw body of a JSON request.
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`, or `invalid_request` when the
 * client disconnected.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new ApiError('unsupported_media_type');
  return readRaw(request, maxBytes);
}

/**
 * The raw body of a request of any type.
 * @param limit In bytes.
 * @param tooLarge Message for a larger body.
 * @throws {ApiError} Like {@link readBody}.
 */
export async function readRaw(
  request: IncomingMessage,
  limit: number,
  tooLarge = messageOf('payload_too_large'),
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = null } =
    request.headers;
  // A compressed body may be huge when it is inflated.
  if (encoding !== 'identity')
    throw new ApiError(
      'unsupported_media_type',
      'Send the body uncompressed, without Content-Encoding.',
    );
  try {
    return await rawBody(request, { limit, length });
  } catch (error) {
    throw (error as { status?: number }).status === 413
      ? new ApiError('payload_too_large', tooLarge)
      : new ApiError('invalid_request');
  }
}

/**
 * @throws {ApiError} `malformed_json`; `invalid_request` for excessive nesting or duplicate names,
 * which parsers treat differently.
 */
export function parseBody(body: Uint8Array): unknown {
  const { depth, members } = measure(body, maxDepth);
  if (depth > maxDepth)
    throw new ApiError('invalid_request', `The body is nested more than ${maxDepth} levels deep.`);
  if (members > maxMembers)
    throw new ApiError('invalid_request', `The body has more than ${maxMembers} properties.`);
  const value = parse(body);
  // JSON.parse keeps the last member of each name, also with different escapes, so duplicates
  // reduce the count.
  if (countMembers(value) < members)
    throw new ApiError(
      'invalid_request',
      'An object in the body has the same name twice: send each property once.',
    );
  return value;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiError('malformed_json');
  }
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, colon] =
  Buffer.from('"\\[]{}:');

/**
 * The depth of a JSON text, and the number of members of all its objects; of one deeper than
 * `levels`, up to there. Scans the bytes, which is much faster than walking the parsed value. UTF-8
 * has these bytes in no other character.
 */
function measure(json: Uint8Array, levels: number): { depth: number; members: number } {
  let [depth, deepest, members, inString] = [0, 0, 0, false];
  for (let index = 0; index < json.length && deepest <= levels; index++) {
    const byte = json[index];
    if (byte === quote) inString = !inString;
    else if (inString) index += byte === backslash ? 1 : 0;
    else if (byte === openBracket || byte === openBrace) deepest = Math.max(deepest, ++depth);
    else if (byte === closeBracket || byte === closeBrace) depth--;
    else if (byte === colon) members++;
  }
  return { depth: deepest, members };
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += countMembers(each);
    return count;
  }
  for (const name of Object.keys(value))
    count += 1 + countMembers((value as Record<string, unknown>)[name]);
  return count;
}
