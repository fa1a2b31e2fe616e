/** JSON bodies: read whole, and refused early when they can't be what they claim. */
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { ApiError } from '../errors.js';

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
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ApiError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  }
  try {
    return await rawBody(request, { limit: maxBytes, length: request.headers['content-length'] ?? null });
  } catch (error) {
    throw new ApiError((error as { status?: number }).status === 413 ? 'payload_too_large' : 'invalid_request');
  }
}

/** @throws {ApiError} `malformed_json`, or `invalid_request` when nested too deep. */
export function parseBody(body: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiError('malformed_json');
  }
  if (isDeeper(value, maxDepth)) throw new ApiError('invalid_request', `The body is nested more than ${maxDepth} levels deep.`);
  return value;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));
