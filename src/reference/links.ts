/** The home page as JSON, for programs. */
import type { OpenApi } from './openapi.js';

/** The discovery document of OpenID Connect. */
export const discovery = '/auth/v1/oauth/.well-known/openid-configuration';

export const linksOf = ({ info }: OpenApi, baseUrl: string): object => ({
  name: 'Lanyard',
  version: info.version,
  summary: info.summary,
  links: {
    reference: `${baseUrl}/docs`,
    openapi: `${baseUrl}/v1/openapi.json`,
    graphql: `${baseUrl}/graphql`,
    oauth: `${baseUrl}${discovery}`,
    portal: `${baseUrl}/portal`,
    dashboard: `${baseUrl}/dashboard`,
    live: `${baseUrl}/livez`,
    ready: `${baseUrl}/readyz`,
  },
});
