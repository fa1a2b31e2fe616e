/** How a request is made of a sample. */
import type { Request } from './load/protocol.js';
import type { Sample, World } from './world.js';

/** @param index By turns 0 and 1, for requests that must change something each time. */
export type Ask = (sample: Sample, world: World, index: number) => Request;

export const get =
  (path: (sample: Sample) => string, who: 'holder' | 'manager' = 'manager'): Ask =>
  (sample, world) => ({
    method: 'GET',
    path: path(sample),
    headers: { authorization: world.authorization(sample[who]) },
  });

export const send =
  (
    method: 'POST' | 'PUT',
    path: (sample: Sample) => string,
    body: (sample: Sample, index: number) => object,
    headers: Record<string, string> = {},
  ): Ask =>
  (sample, world, index) => ({
    method,
    path: path(sample),
    headers: {
      authorization: world.authorization(sample.manager),
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body(sample, index)),
  });

export type Variables = (sample: Sample) => object;
export const ofOrganization: Variables = ({ organizationId }) => ({ organizationId });

export const ask =
  (
    operationName: string,
    query: string,
    variables: Variables = ofOrganization,
    who: 'holder' | 'manager' = 'manager',
    headers: Record<string, string> = {},
  ): Ask =>
  (sample, world) => ({
    method: 'POST',
    path: '/graphql',
    headers: {
      authorization: world.authorization(sample[who]),
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ operationName, query, variables: variables(sample) }),
  });
