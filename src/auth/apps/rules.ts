/** What an app may be registered as. Pure rules: no database, no HTTP. */
import { invalid, type Problems } from '../../errors.js';
import { type ApiScope, apiScopes, parseScope } from '../scopes.js';

/** How an app proves at the token endpoint who it is: `none` for a public app, which can keep no secret. */
const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** What an owner may set, as somebody typed it. */
export interface AppInput {
  readonly name: string;
  readonly tokenEndpointAuthMethod: string;
  readonly redirectUris: readonly string[];
  /** Any spelling that {@link parseScope} takes. */
  readonly apiScopes: readonly string[];
}

/** What an owner may set, checked. */
export interface AppSettings {
  readonly name: string;
  readonly tokenEndpointAuthMethod: AuthMethod;
  readonly redirectUris: readonly string[];
  readonly apiScopes: readonly ApiScope[];
}

const longestName = 100;
const mostRedirectUris = 20;
const longestRedirectUri = 2000;

/** @throws {ApiError} `validation_error` that says of each value what is wrong with it. */
export function checkSettings(input: AppInput): AppSettings {
  const name = input.name.trim();
  const method = authMethods.find((each) => each === input.tokenEndpointAuthMethod);
  const parsed = input.apiScopes.map((text) => parseScope(text));
  const problems: [path: string, problem: string | undefined][] = [
    ['name', nameProblem(name)],
    ['tokenEndpointAuthMethod', method ? undefined : `Choose one of ${authMethods.join(', ')}.`],
    ['redirectUris', redirectUrisProblem(input.redirectUris)],
    ...input.redirectUris.map((uri, index): [string, string | undefined] => [`redirectUris.${index}`, redirectUriProblem(uri)]),
    ...parsed.map((scope, index): [string, string | undefined] => [
      `apiScopes.${index}`,
      scope ? undefined : `There is no API scope “${input.apiScopes[index]}”.`,
    ]),
  ];
  const found: Problems = Object.fromEntries(problems.flatMap(([path, problem]) => (problem ? [[path, [problem]]] : [])));
  if (!method || Object.keys(found).length > 0) throw invalid(found);
  return {
    name,
    tokenEndpointAuthMethod: method,
    redirectUris: [...input.redirectUris],
    apiScopes: apiScopes.filter((scope) => parsed.includes(scope)),
  };
}

/** People read the name on the consent page: nothing invisible in it, nor anything that turns the text around. */
function nameProblem(name: string): string | undefined {
  if (name === '') return 'Give the app a name: people see it when they sign in.';
  if (name.length > longestName) return `The name may have at most ${longestName} characters.`;
  return /\p{C}/u.test(name) ? 'The name may have no invisible characters.' : undefined;
}

function redirectUrisProblem(uris: readonly string[]): string | undefined {
  if (uris.length === 0) return 'Give at least one redirect URI: where the browser goes after sign-in.';
  if (uris.length > mostRedirectUris) return `An app may have at most ${mostRedirectUris} redirect URIs.`;
  return new Set(uris).size < uris.length ? 'A redirect URI stands here twice.' : undefined;
}

/** Plain http carries the code in the clear, so it may not leave the machine (RFC 8252, 7.3). */
const loopback = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

/** Why a redirect URI can't be registered, or undefined when it can. It is compared character by character, so nothing about it is mended here. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > longestRedirectUri) return `A redirect URI may have at most ${longestRedirectUri} characters.`;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(uri) || !URL.canParse(uri))
    return 'A redirect URI must be absolute, such as https://app.example/callback.';
  if (!/^[!-~]+$/.test(uri) || /["<>\\^`{|}]/.test(uri))
    return 'A redirect URI may have no spaces or other characters that URLs must encode.';
  if (uri.includes('#')) return 'A redirect URI may have no fragment: leave out “#” and what follows.';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username || password || uri.split('/')[2]?.includes('@')) return 'A redirect URI may have no user name or password.';
  if (hostname.includes('*')) return 'Wildcards are not supported: register each redirect URI in full.';
  if (protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))) return undefined;
  return 'A redirect URI must begin with https://; http:// only for 127.0.0.1, [::1] or localhost.';
}

/** The scopes of `to` that `from` doesn't have. */
export const addedScopes = <Scope extends string>(from: readonly string[], to: readonly Scope[]): Scope[] =>
  to.filter((scope) => !from.includes(scope));

export type ApprovalStatus = 'requested' | 'approved' | 'widened' | 'revoked';

export interface ApprovalFacts {
  readonly apiScopes: readonly string[];
  readonly approvedScopes: readonly string[];
  readonly approvedAt: string | null;
  readonly revokedAt: string | null;
}

/** Where an app stands in an organization; `widened` means that what was approved works, and what came since waits. */
export function approvalStatus({ apiScopes, approvedScopes, approvedAt, revokedAt }: ApprovalFacts): ApprovalStatus {
  if (revokedAt !== null) return 'revoked';
  if (approvedAt === null) return 'requested';
  return addedScopes(approvedScopes, apiScopes).length > 0 ? 'widened' : 'approved';
}
