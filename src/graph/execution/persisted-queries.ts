/**
 * Automatic persisted queries (Apollo's protocol): a client sends the SHA-256 of a document that it
 * has sent before, instead of its text. Apollo Server's own cache is shared by all callers, so that
 * one of them could evict the documents of all others.
 */
import { hash } from 'node:crypto';
import type { GraphQLFormattedError } from 'graphql';
import type { Principal } from '../../auth/policy.js';
import { ApiError } from '../../errors.js';
import type { Documents, GraphRequest, PersistedQuery } from './request.js';

/** Limits in characters; a document counts at least {@link overhead}. */
export interface PersistedLimits {
  readonly caller: number;
  readonly total: number;
}

/** A caller can register a hundred documents of 4,000 characters. In total 10 to 20 MB. */
const usualLimits: PersistedLimits = { caller: 400_000, total: 10_000_000 };
/** What an entry costs beside its text. */
const overhead = 500;

/** The errors that make a client send the text: it recognizes their messages or codes. */
const answers = {
  PERSISTED_QUERY_NOT_FOUND: 'PersistedQueryNotFound',
  PERSISTED_QUERY_NOT_SUPPORTED: 'PersistedQueryNotSupported',
} as const;

/** A request whose hash is of no known document. Its status is 200, as in Apollo's protocol. */
export class UnknownQuery extends Error {
  constructor(private readonly code: keyof typeof answers) {
    super(answers[code]);
  }

  toError(requestId: string): GraphQLFormattedError {
    return { message: this.message, extensions: { code: this.code, request_id: requestId } };
  }
}

/** The documents that one user registered through one app, the least recently used first. */
interface Share {
  readonly texts: Map<string, string>;
  size: number;
}

interface Organization {
  readonly shares: Map<string, Share>;
  /** The share that has a document, by app and hash. */
  readonly index: Map<string, Share>;
  size: number;
}

/**
 * The documents of this process. Users of an organization share those of an app. When the total is
 * reached, the largest share of the largest organization loses a document: who registers many
 * evicts only their own.
 */
export class PersistedQueries implements Documents {
  readonly #organizations = new Map<string, Organization>();
  #size = 0;

  constructor(private readonly limits: PersistedLimits = usualLimits) {}

  /** The number of characters that are kept, with the overhead of entries. */
  get size(): number {
    return this.#size;
  }

  /**
   * The text of the request, or that of the hash for the caller's app and organization. A request
   * without a token has no other document than its own text.
   */
  textOf({ query, persisted }: GraphRequest, principal: Principal | undefined): string {
    if (query) {
      if (persisted) requireHash(persisted, query);
      return query;
    }
    if (!persisted) throw new ApiError('invalid_request', 'The request has no query.');
    if (!principal) throw new UnknownQuery('PERSISTED_QUERY_NOT_SUPPORTED');
    const text = this.#find(principal, persisted.hash);
    if (text === undefined) throw new UnknownQuery('PERSISTED_QUERY_NOT_FOUND');
    return text;
  }

  /** A request with a text and its hash registers a document, if it has a token. */
  register({ query, persisted }: GraphRequest, principal: Principal | undefined): void {
    if (!query || !persisted || !principal) return;
    const id = idOf(principal, persisted.hash);
    const organization = this.#organizationOf(principal);
    if (organization.index.has(id)) return;
    const caller = `${principal.appId} ${principal.userId}`;
    const share = organization.shares.get(caller) ?? { texts: new Map(), size: 0 };
    organization.shares.set(caller, share);
    organization.index.set(id, share);
    share.texts.set(id, query);
    this.#resize(organization, share, sizeOf(query));
    while (share.size > this.limits.caller) this.#dropOldest(organization, share);
    while (this.#size > this.limits.total) this.#dropFairly();
  }

  #find(principal: Principal, hash: string): string | undefined {
    const id = idOf(principal, hash);
    const share = this.#organizations.get(organizationOf(principal))?.index.get(id);
    const text = share?.texts.get(id);
    if (!share || text === undefined) return undefined;
    share.texts.delete(id);
    share.texts.set(id, text);
    return text;
  }

  #organizationOf(principal: Principal): Organization {
    const id = organizationOf(principal);
    const found = this.#organizations.get(id);
    if (found) return found;
    const created: Organization = { shares: new Map(), index: new Map(), size: 0 };
    this.#organizations.set(id, created);
    return created;
  }

  #resize(organization: Organization, share: Share, by: number): void {
    share.size += by;
    organization.size += by;
    this.#size += by;
  }

  #dropFairly(): void {
    const organization = largestOf(this.#organizations);
    this.#dropOldest(organization, largestOf(organization.shares));
  }

  #dropOldest(organization: Organization, share: Share): void {
    const [[id, text] = ['', '']] = share.texts;
    share.texts.delete(id);
    organization.index.delete(id);
    this.#resize(organization, share, -sizeOf(text));
    if (share.texts.size === 0) removeFrom(organization.shares, share);
    if (organization.shares.size === 0) removeFrom(this.#organizations, organization);
  }
}

const sizeOf = (text: string): number => text.length + overhead;
const idOf = ({ appId }: Principal, sha256: string): string => `${appId} ${sha256}`;
/** The documents of a person without memberships are their own. */
const organizationOf = ({ memberships: [main], userId }: Principal): string =>
  main?.organizationId ?? userId;

function largestOf<Sized extends { size: number }>(all: ReadonlyMap<string, Sized>): Sized {
  return [...all.values()].reduce((one, other) => (other.size > one.size ? other : one));
}

function removeFrom<Value>(all: Map<string, Value>, value: Value): void {
  for (const [key, each] of all) if (each === value) all.delete(key);
}

function requireHash({ hash: given }: PersistedQuery, text: string): void {
  if (hash('sha256', text) !== given)
    throw new ApiError(
      'invalid_request',
      'extensions.persistedQuery.sha256Hash must be the SHA-256 of the query in hexadecimal digits.',
    );
}
