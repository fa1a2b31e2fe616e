/**
 * Interfaces of oidc-provider that are not documented, verified against oidc-provider 9.13.3. Only
 * this file uses them; test/auth/oauth/oidc-provider-internals.test.ts fails when one of them is
 * gone.
 */
import type { ParameterizedContext } from 'koa';
import type Provider from 'oidc-provider';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { 'oidc-provider': '9.13.3' } as const;

export type Session = InstanceType<Provider['Session']>;

/** Members of the session class that its types lack. */
interface SessionClass {
  /** Called for each request that needs the session of the browser. */
  get(ctx: ParameterizedContext): Promise<Session>;
  /** @param payload Given for a session that replaces a stored one. */
  instantiate(payload?: object): Session;
}

export const sessionsOf = (provider: Provider): SessionClass =>
  provider.Session as unknown as SessionClass;

/** Marks a session as changed: oidc-provider stores only those at the end of a request. */
export const markChanged = (session: Session): void =>
  void Object.assign(session, { touched: true });

/** A client whose secret is compared. */
export interface ComparedClient {
  readonly clientId: string;
  readonly tokenEndpointAuthMethod: string;
}

/** Replaces the comparison of client secrets; the provider's own knows one secret, in plain text. */
export function compareSecretsBy(
  { Client }: Provider,
  compare: (client: ComparedClient, secret: string) => Promise<boolean>,
): void {
  const prototype = Client.prototype as unknown as {
    compareClientSecret(this: ComparedClient, secret: string): Promise<boolean>;
  };
  prototype.compareClientSecret = function compareClientSecret(secret) {
    return compare(this, secret);
  };
}
