/** Apollo Sandbox, the page of /graphql: empty, or with a query that a link brings. */
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { ApiError } from '../errors.js';

const options = { embed: { runTelemetry: false }, footer: false } as const;

export const emptySandbox = (): ApolloServerPlugin => ApolloServerPluginLandingPageLocalDefault(options);

/**
 * The page with a query in it. Nothing runs before the person says so.
 * @throws {ApiError} `invalid_request` when there is a `<` in it: both stand within a script of the page, where Apollo escapes only the first.
 */
export async function linkedSandbox(document: string, variables: Record<string, unknown> = {}): Promise<string> {
  if (document.includes('<') || JSON.stringify(variables).includes('<'))
    throw new ApiError('invalid_request', 'A link to Sandbox must have no "<" in its document and variables.');
  const plugin: ApolloServerPlugin = ApolloServerPluginLandingPageLocalDefault({ ...options, document, variables });
  const started = await plugin.serverWillStart?.({} as never);
  const page = await started?.renderLandingPage?.();
  if (!page) throw new Error('Apollo has no landing page.');
  return typeof page.html === 'string' ? page.html : page.html();
}
