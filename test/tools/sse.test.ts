/** The client of graphql-sse, as its documentation shows it, at /graphql/stream. */
import { createClient } from 'graphql-sse';
import type { Body } from '../support/app.js';
import { collect, documents, organizationId, recordOfClimber, serveTools } from './served.js';
import { describeTool } from './works.js';

const served = await serveTools();

describeTool('graphql-sse', (works) => {
  works('subscription', async () => {
    const { add, fail, first, all } = collect<Body>(2);
    const stop = served.sse.subscribe(
      { query: documents.changes, variables: { organizationId } },
      { next: add, error: fail, complete: () => {} },
    );
    await first;
    await served.change('graphql-sse hears of it');
    const [position, event] = await all;
    expect(position.data.changes.nodes).toEqual([]);
    expect(event.data.changes.nodes).toMatchObject([
      { kind: 'UPDATED', resourceType: 'CERTIFICATION', resourceId: recordOfClimber },
    ]);
    stop();
  });

  works('error', async () => {
    const refused = async (query: string, variables: Record<string, unknown>) => {
      const results: Body[] = [];
      for await (const result of served.sse.iterate({ query, variables })) results.push(result);
      return results.map(({ errors }) => errors[0].extensions.code);
    };
    const other = '00000000-0000-4000-8000-000000000000';
    expect(await refused(documents.changes, { organizationId: other })).toEqual(['FORBIDDEN']);
    expect(await refused('subscription { nothing }', {})).toEqual(['INVALID_REQUEST']);
    expect(await refused('{ __typename }', {})).toEqual(['INVALID_REQUEST']);
  });
});

test('its single connection mode is refused: a stream is one request', async () => {
  const client = createClient({
    url: `${served.url}/stream`,
    headers: served.headers,
    singleConnection: true,
    retryAttempts: 0,
  });
  const { promise, reject } = Promise.withResolvers<never>();
  client.subscribe(
    { query: documents.changes, variables: { organizationId } },
    { next: () => {}, error: reject, complete: () => {} },
  );
  // It reserves a connection by PUT.
  await expect(promise).rejects.toThrow(/405|Method Not Allowed/);
  client.dispose();
});
