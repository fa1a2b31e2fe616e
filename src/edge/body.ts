/** JSON bodies: read whole, and refused early when they can't be what they claim. */
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { ApiError, messageOf } from '../errors.js';

const maxBytes = 1024 * 1024;
const maxDepth = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The raw body of a JSON request.
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`, or `invalid_request` when the client broke off.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) throw new ApiError('unsupported_media_type');
  return readRaw(request, maxBytes);
}

/**
 * A body of any type.
 * @param limit Bytes.
 * @param tooLarge What to say of a larger one.
 * @throws {ApiError} As {@link readBody}.
 */
export async function readRaw(request: IncomingMessage, limit: number, tooLarge = messageOf('payload_too_large')): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = null } = request.headers;
  // What is small as it comes may be huge once it is inflated.
  if (encoding !== 'identity') throw new ApiError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  try {
    return await rawBody(request, { limit, length });
  } catch (error) {
    throw (error as { status?: number }).status === 413 ? new ApiError('payload_too_large', tooLarge) : new ApiError('invalid_request');
  }
}

/** @throws {ApiError} `malformed_json`, or `invalid_request` when nested too deep. */
export function parseBody(body: Uint8Array): unknown {
  if (isDeeper(body, maxDepth)) throw new ApiError('invalid_request', `The body is nested more than ${maxDepth} levels deep.`);
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiError('malformed_json');
  }
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

/** Looks at the text, which costs a fraction of looking at what is made of it. In UTF-8 no other character has these bytes. */
function isDeeper(json: Uint8Array, levels: number): boolean {
  let [depth, inString] = [0, false];
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (byte === quote) inString = !inString;
    else if (inString) index += byte === backslash ? 1 : 0;
    else if ((byte === openBracket || byte === openBrace) && ++depth > levels) return true;
    else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return false;
}
