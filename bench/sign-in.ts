/** Refresh tokens, come by as an app does: sign-in, consent, code. */
import { ThirdParty } from '../test/auth/oauth/client.js';
import { clientId, redirectUri } from './seed/statements.js';

/** @param base The base URL of a Lanyard. */
export async function refreshTokens(base: string, count: number): Promise<string[]> {
  const app = new ThirdParty(base, clientId, redirectUri);
  const tokens: string[] = [];
  for (let number = 1; number <= count; number++) {
    const { refresh_token } = await app.signIn(`person-${1 + (number % 40)}@bench.example`, {
      scope: 'profile email',
    });
    tokens.push(refresh_token);
  }
  return tokens;
}
