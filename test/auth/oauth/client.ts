/**
 * Third-party apps against the real application: `oauth4webapi`, strict as it is, and a browser for
 * the person.
 */
import { createServer } from 'node:net';
import * as oauth from 'oauth4webapi';
import { demoRedirectUri, demoSyncSecret } from '../../../src/demo/apps.js';
import { demoPassword } from '../../../src/demo/people.js';
import { startApp, type TestApp } from '../../support/app.js';
import { Browser, type Visit } from './browser.js';

export const climber = 'climber@skyline.example';
export const admin = 'admin@skyline.example';

/** The application under its own base URL, which the authorization server insists on. */
export async function startOAuthApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const port = await freePort();
  return startApp({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ...environment });
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

export const insecure = { [oauth.allowInsecureRequests]: true } as const;

export interface Issued {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly token_type: string;
}

/** A code, with what is needed to redeem it. */
export interface Authorized {
  readonly callback: URLSearchParams;
  readonly code: string;
  readonly verifier: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever came back; tests say what they expect of it
  readonly body: any;
}

/** An app as its developer would write it, with the steps one by one. */
export class ThirdParty {
  readonly issuer: string;

  constructor(
    readonly base: string,
    readonly clientId: string,
    readonly redirectUri = demoRedirectUri,
    readonly secret?: string,
  ) {
    this.issuer = `${base}/auth/v1/oauth`;
  }

  static readonly reader = (base: string) => new ThirdParty(base, 'demo-reader');
  static readonly sync = (base: string) =>
    new ThirdParty(base, 'demo-sync', demoRedirectUri, demoSyncSecret);

  get client(): oauth.Client {
    return { client_id: this.clientId };
  }

  get authentication(): oauth.ClientAuth {
    return this.secret ? oauth.ClientSecretBasic(this.secret) : oauth.None();
  }

  async discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.issuer);
    return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  }

  /** The parameters of an authorization request; undefined takes one away. */
  async request(verifier: string, change: Record<string, string | undefined> = {}): Promise<URL> {
    const url = new URL(`${this.issuer}/authorize`);
    const parameters = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'openid profile email',
      ...change,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  /** Through sign-in and consent to a code. */
  async authorize(
    browser: Browser,
    email: string,
    change: Record<string, string | undefined> = {},
  ): Promise<Authorized> {
    const verifier = oauth.generateRandomCodeVerifier();
    const end = await allow(
      browser,
      await signIn(browser, await browser.get(await this.request(verifier, change)), email),
    );
    const callback = end.url.searchParams;
    const code = callback.get('code');
    if (!code) throw new Error(`No code at ${end.url}`);
    return { callback, code, verifier };
  }

  /** One POST to the token endpoint, as it comes. */
  async token(
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return postForm(
      `${this.issuer}/token`,
      this.secret ? fields : { client_id: this.clientId, ...fields },
      {
        ...(this.secret && { authorization: basic(this.clientId, this.secret) }),
        ...headers,
      },
    );
  }

  redeem({ code, verifier }: Authorized, change: Record<string, string> = {}): Promise<Answer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: this.redirectUri,
      ...change,
    });
  }

  refresh(refreshToken: string, change: Record<string, string> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...change });
  }

  /** From nothing to tokens. */
  async signIn(email: string, change: Record<string, string | undefined> = {}): Promise<Issued> {
    const answer = await this.redeem(await this.authorize(new Browser(this.base), email, change));
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }
}

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

export async function postForm(
  url: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text ? JSON.parse(text) : undefined,
  };
}

/** Fills in the sign-in form, where that is what the browser shows. */
export const signIn = async (browser: Browser, at: Visit, email: string): Promise<Visit> =>
  at.html.includes('name="password"')
    ? browser.submit(at, '/sign-in', { email, password: demoPassword })
    : at;

/** Agrees, where the consent page is what the browser shows. */
export const allow = async (browser: Browser, at: Visit): Promise<Visit> =>
  at.html.includes('/allow"') ? browser.submit(at, '/allow') : at;

/** The status of `GET /v1/me` with the token. */
export async function meStatus(base: string, token: string): Promise<number> {
  const response = await fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}
