/** Rules for the registration of an app. No database, no HTTP. */

import type { Config } from '../../config.js';
import { invalid, type Problems } from '../../errors.js';
import { readText, TextError } from '../../scalars/text.js';
import { type ApiScope, apiScopes, parseScope } from '../scopes.js';

/**
 * How an app authenticates at the token endpoint: `none` for a public app, which cannot keep a
 * secret.
 */
const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The settings of an app, as the owner entered them. */
export interface AppInput {
  readonly name: string;
  readonly tokenEndpointAuthMethod: string;
  readonly redirectUris: readonly string[];
  /** Any spelling that {@link parseScope} accepts. */
  readonly apiScopes: readonly string[];
}

/** The settings of an app, validated. */
export interface AppSettings {
  readonly name: string;
  readonly tokenEndpointAuthMethod: AuthMethod;
  readonly redirectUris: readonly string[];
  readonly apiScopes: readonly ApiScope[];
}

const longestName = 100;
const maxRedirectUris = 20;
const longestRedirectUri = 2000;

/** The path of the page where a developer tries an app; it may be among its redirect URIs. */
export const tryPathOf = (appId: string): string => `/portal/apps/${appId}/try`;

/**
 * @param app The registered app, if there is one.
 * @throws {ApiError} `validation_error` with the problem of each value.
 */
export function checkSettings(
  input: AppInput,
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  app?: { readonly id: string; readonly isFirstParty: boolean },
): AppSettings {
  const { name, problem: nameProblem } = readName(input.name, app?.isFirstParty ?? false);
  const tryUri = app && BASE_URL + tryPathOf(app.id);
  const method = authMethods.find((each) => each === input.tokenEndpointAuthMethod);
  const parsed = input.apiScopes.map((text) => parseScope(text));
  const problems: [path: string, problem: string | undefined][] = [
    ['name', nameProblem],
    ['tokenEndpointAuthMethod', method ? undefined : `Choose one of ${authMethods.join(', ')}.`],
    ['redirectUris', redirectUrisProblem(input.redirectUris)],
    ...input.redirectUris.map((uri, index): [string, string | undefined] => [
      `redirectUris.${index}`,
      redirectUriProblem(uri) ?? (uri === tryUri ? undefined : ownOriginProblem(uri, BASE_URL)),
    ]),
    ...parsed.map((scope, index): [string, string | undefined] => [
      `apiScopes.${index}`,
      scope ? undefined : `There is no API scope “${input.apiScopes[index]}”.`,
    ]),
  ];
  const found: Problems = Object.fromEntries(
    problems.flatMap(([path, problem]) => (problem ? [[path, [problem]]] : [])),
  );
  if (!method || Object.keys(found).length > 0) throw invalid(found);
  return {
    name,
    tokenEndpointAuthMethod: method,
    redirectUris: [...input.redirectUris],
    apiScopes: apiScopes.filter((scope) => parsed.includes(scope)),
  };
}

/** The consent page shows the name, so invisible and direction-changing characters are refused. */
function readName(
  given: string,
  isFirstParty: boolean,
): { readonly name: string; readonly problem?: string } {
  try {
    const name = readText(given, { min: 0, max: longestName });
    if (name === '')
      return { name, problem: 'Give the app a name: people see it when they sign in.' };
    if (/\p{C}/u.test(name))
      return { name, problem: 'The name must not have invisible characters.' };
    return !isFirstParty && isProductName(name)
      ? { name, problem: 'The name must not begin with “Lanyard”: only apps of this server may.' }
      : { name };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return { name: '', problem: `The name ${error.message}.` };
  }
}

/**
 * Whether people could take the app for a part of the product: compatibility forms, case, spaces and
 * punctuation are ignored.
 */
const isProductName = (name: string): boolean =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .startsWith('lanyard');

function redirectUrisProblem(uris: readonly string[]): string | undefined {
  if (uris.length === 0)
    return 'Give at least one redirect URI: where the browser goes after sign-in.';
  if (uris.length > maxRedirectUris)
    return `An app may have at most ${maxRedirectUris} redirect URIs.`;
  return new Set(uris).size < uris.length ? 'A redirect URI stands here twice.' : undefined;
}

/** Plain http sends the code unencrypted, so it must not leave the machine (RFC 8252, 7.3). */
const loopback = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

/**
 * The reason why a redirect URI cannot be registered, or undefined. URIs are compared character by
 * character, so none is normalized.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > longestRedirectUri)
    return `A redirect URI may have at most ${longestRedirectUri} characters.`;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(uri) || !URL.canParse(uri))
    return 'A redirect URI must be absolute, such as https://app.example/callback.';
  if (!/^[!-~]+$/.test(uri) || /["<>\\^`{|}]/.test(uri))
    return 'A redirect URI may have no spaces or other characters that URLs must encode.';
  if (uri.includes('#'))
    return 'A redirect URI may have no fragment: leave out “#” and what follows.';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username || password || uri.split('/')[2]?.includes('@'))
    return 'A redirect URI may have no user name or password.';
  if (hostname.includes('*'))
    return 'Wildcards are not supported: register each redirect URI in full.';
  if (protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))) return undefined;
  return 'A redirect URI must begin with https://; http:// only for 127.0.0.1, [::1] or localhost.';
}

/** An app that returns to a page of this server would seem to be a part of it. */
const ownOriginProblem = (uri: string, baseUrl: string): string | undefined =>
  URL.canParse(uri) && originOf(uri) === originOf(baseUrl)
    ? 'A redirect URI must not be an address of this server.'
    : undefined;

/** The final dot of a host name changes nothing about where it leads. */
function originOf(uri: string): string {
  const { protocol, hostname, port } = new URL(uri);
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port}`;
}

/** The scopes of `to` that `from` lacks. */
export const addedScopes = <Scope extends string>(
  from: readonly string[],
  to: readonly Scope[],
): Scope[] => to.filter((scope) => !from.includes(scope));

export type ApprovalStatus = 'requested' | 'approved' | 'widened' | 'revoked';

export interface ApprovalFacts {
  readonly apiScopes: readonly string[];
  readonly approvedScopes: readonly string[];
  readonly approvedAt: string | null;
  readonly revokedAt: string | null;
}

/**
 * The approval status of an app in an organization; `widened`: approved scopes work, and newer ones
 * await approval.
 */
export function approvalStatus({
  apiScopes,
  approvedScopes,
  approvedAt,
  revokedAt,
}: ApprovalFacts): ApprovalStatus {
  if (revokedAt !== null) return 'revoked';
  if (approvedAt === null) return 'requested';
  return addedScopes(approvedScopes, apiScopes).length > 0 ? 'widened' : 'approved';
}
