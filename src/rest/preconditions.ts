/** Entity tags of responses, and preconditions of requests (RFC 9110, sections 8.8 and 13). */
import { hash } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import type { Context } from '../context.js';
import { ApiError } from '../errors.js';

const digest = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 27);

/**
 * Separates the version in an entity tag from the digest, which changes with the validity at
 * midnight, and from the content coding.
 */
const separator = ';';

/**
 * The entity tag of a read: the version of the record, and a digest of the body. A computed result
 * has a weak tag, which ignores the time of its computation.
 * @param version Version of a set; a record contains its own.
 */
export function etagOf(
  { data }: ExecutionResult,
  body: string | Buffer,
  version: string | undefined,
): string {
  const { evaluated_at: evaluatedAt, ...content } = (data?.data ?? {}) as {
    evaluated_at?: string;
    updated_at?: string;
  };
  if (evaluatedAt !== undefined) return `W/"${digest(JSON.stringify(content))}"`;
  const current = version ?? content.updated_at;
  return current === undefined ? `"${digest(body)}"` : `"${current}${separator}${digest(body)}"`;
}

/**
 * The entity tag of a representation in a content coding. A strong tag is of one sequence of bytes,
 * so each coding has its own (RFC 9110, section 8.8.3.3).
 */
export const etagIn = (etag: string, coding: string | undefined): string =>
  coding === undefined || etag.startsWith('W/')
    ? etag
    : `${etag.slice(0, -1)}${separator}${coding}"`;

const withoutWeakness = (etag: string): string => etag.trim().replace(/^W\//, '');

/** Whether an If-None-Match header contains the entity tag, by weak comparison. */
export const isNamed = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((each) => withoutWeakness(each) === withoutWeakness(etag)));

const entityTag = String.raw`(W/)?"([\x21\x23-\x7e\x80-\xff]*)"`;
const tags = new RegExp(entityTag, 'g');
const list = new RegExp(String.raw`^\s*(?:${entityTag}\s*)?(?:,\s*(?:${entityTag}\s*)?)*$`);

/**
 * The versions in an If-Match header: from entity tags of reads, or `updated_at` in quotes. A weak
 * tag never matches.
 * @throws {ApiError} `invalid_request` when it is malformed.
 */
export function versionsOf(header: string): NonNullable<Context['ifMatch']> {
  if (header.trim() === '*') return '*';
  const named = list.test(header) ? [...header.matchAll(tags)] : [];
  if (named.length > 0)
    return named.flatMap(([, weakness, tag = '']) =>
      weakness ? [] : [tag.split(separator, 1)[0] ?? ''],
    );
  throw new ApiError(
    'invalid_request',
    'If-Match must be "*", or the ETag of the record or its updated_at, in double quotes.',
  );
}
