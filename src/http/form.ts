/** Form bodies. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.js';
import { readRaw } from './body.js';

const maxBytes = 64 * 1024;

/**
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`, or `invalid_request` when the
 * client disconnected.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new ApiError(
      'unsupported_media_type',
      'Send the form as "Content-Type: application/x-www-form-urlencoded".',
    );
  }
  const text = (await readRaw(request, maxBytes, 'The form is larger than 64 KiB.')).toString();
  refuseNul(text);
  return new URLSearchParams(text);
}

/**
 * Refuses NUL, which PostgreSQL cannot store and no valid value contains.
 * @param query Of a URL or form, still encoded.
 * @throws {ApiError} `invalid_request`.
 */
export function refuseNul(query: string): void {
  if (/%00|\0/.test(query))
    throw new ApiError('invalid_request', 'The request has a NUL character in a value.');
}

/** A value of a path, query or form, if it is a UUID. */
export const uuidOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
    ? value
    : undefined;
