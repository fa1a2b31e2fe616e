/**
 * What decides which records a list shows: memberships, their roles, and what the app was allowed
 * there.
 */
import type { Lanyard } from './client.js';

interface Input {
  readonly params?: { readonly path?: { readonly organization_id?: string } };
  readonly signal?: AbortSignal;
}

/**
 * A text that changes when the reach of a list does. A record that comes into sight keeps its
 * stamp, so nothing that follows stamps would ever bring it; and one that goes out of sight is
 * never heard of again.
 */
export async function readReach(lanyard: Lanyard, { params, signal }: Input): Promise<string> {
  const { data } = await lanyard.get('/v1/me', signal && { signal });
  const { organization_id } = params?.path ?? {};
  const concerned = data.organizations.filter(
    ({ id }) => organization_id === undefined || id === organization_id,
  );
  const facts = concerned.map(({ id, organization_member_id, role, approved_scopes }) => [
    id,
    organization_member_id,
    role,
    approved_scopes.toSorted(),
  ]);
  return digest(JSON.stringify(facts.sort()));
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes).subarray(0, 12), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
