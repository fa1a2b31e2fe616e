/** The OpenAPI document. */
import type { Endpoint } from './operations.js';

export const buildOpenApi = (endpoints: readonly Endpoint[], baseUrl: string): object => ({
  openapi: '3.1.0',
  servers: [{ url: baseUrl }],
  paths: Object.fromEntries(endpoints.map(({ route }) => [route.path, {}])),
});
