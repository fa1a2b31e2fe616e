/**
 * Apollo Sandbox in a frame of its own origin. Its code never runs on this page: it asks by
 * messages, and this page sends its requests to this server's GraphQL endpoint and nowhere else,
 * without cookies. The messages are those of the package @apollo/sandbox 2.7.
 */
const sandboxOrigin = 'https://sandbox.embed.apollographql.com';

/**
 * Time that Sandbox has for its first message: after its frame has loaded (an error page loads,
 * too), and in all.
 */
const loadedTimeoutMs = 4000;
const silentTimeoutMs = 15_000;

type Message = Readonly<Record<string, unknown>>;

const asked = new URLSearchParams(location.search);
const frame = document.createElement('iframe');
frame.title = 'Apollo Sandbox';
frame.referrerPolicy = 'no-referrer';
// Without allow-top-navigation it can't lead this page elsewhere. Its origin is another, so that
// allow-same-origin opens nothing here.
frame.setAttribute(
  'sandbox',
  'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox',
);
const settings: Readonly<Record<string, string | null>> = {
  version: '2.7.4',
  endpoint: location.origin + location.pathname,
  endpointIsEditable: 'false',
  hideCookieToggle: 'true',
  runTelemetry: 'false',
  sendOperationHeadersInIntrospection: 'true',
  shouldDefaultAutoupdateSchema: 'false',
  defaultDocument: asked.get('document'),
  defaultVariables: asked.get('variables'),
};
const query = Object.entries(settings).flatMap(([name, value]) =>
  value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
);
frame.src = `${sandboxOrigin}/sandbox/explorer?${query.join('&')}`;

const tell = (message: Message): void => frame.contentWindow?.postMessage(message, sandboxOrigin);

/** @param headers What the person typed in Sandbox, a bearer token among them. */
async function post(
  body: object,
  headers: unknown,
): Promise<{ readonly response: Response; readonly json: object }> {
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: 'omit',
    headers: { ...(headers as Record<string, string>), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { response, json: (await response.json()) as object };
}

const problemOf = (error: unknown) => ({
  message: error instanceof Error ? error.message : String(error),
});

async function introspect({
  operationId,
  introspectionRequestBody,
  introspectionRequestHeaders,
}: Message): Promise<void> {
  try {
    const { query, operationName } = JSON.parse(String(introspectionRequestBody)) as Message;
    const { data, errors } = (await post({ query, operationName }, introspectionRequestHeaders))
      .json as Message;
    if (errors) tell({ name: 'SchemaError', errors, operationId });
    tell({ name: 'SchemaResponse', schema: data, operationId });
  } catch (error) {
    tell({ name: 'SchemaError', error: problemOf(error), operationId });
  }
}

async function run({
  operationId,
  operation,
  operationName,
  variables,
  headers,
}: Message): Promise<void> {
  const answer = (response: object) =>
    tell({ name: 'ExplorerResponse', operationId, response: { ...response, hasNext: false } });
  try {
    const { response, json } = await post({ query: operation, operationName, variables }, headers);
    answer({ ...json, status: response.status, headers: Object.fromEntries(response.headers) });
  } catch (error) {
    answer({ data: null, error: problemOf(error) });
  }
}

const noStream = {
  message: 'Subscriptions are served at /graphql/stream, which Sandbox does not speak.',
};

let isAlive = false;
addEventListener('message', ({ origin, source, data }: MessageEvent<Message | null>) => {
  if (origin !== sandboxOrigin || source !== frame.contentWindow) return;
  isAlive = true;
  if (data?.name === 'ExplorerListeningForHandshake')
    tell({ name: 'HandshakeResponse', parentHref: location.href });
  else if (data?.name === 'IntrospectionQueryWithHeaders') void introspect(data);
  else if (data?.name === 'ExplorerRequest') void run(data);
  else if (data?.name === 'ExplorerSubscriptionRequest')
    tell({
      name: 'ExplorerSubscriptionResponse',
      operationId: data.operationId,
      response: { error: noStream },
    });
});

/** Where Sandbox can't be reached, GraphiQL shows the same query. */
function giveUp(): void {
  if (isAlive) return;
  const query = new URLSearchParams(location.search);
  query.set('unreachable', 'sandbox');
  location.replace(`/graphiql?${query}`);
}

frame.addEventListener('load', () => setTimeout(giveUp, loadedTimeoutMs), { once: true });
setTimeout(giveUp, silentTimeoutMs);
document.getElementById('sandbox')?.append(frame);
