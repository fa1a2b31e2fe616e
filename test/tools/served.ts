/** The application as a tool reaches it: an address, a token, and changes to look at. */
import { createClient } from 'graphql-sse';
import { type Body, startApp, type TestApp } from '../support/app.js';
import { climberEmail, managerEmail, memberId, recordId, skylineId } from '../support/names.js';

export interface Served {
  readonly app: TestApp;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A client of graphql-sse for the stream. */
  readonly sse: ReturnType<typeof createClient>;
  /** Changes a certification through another client. */
  readonly change: (issuerName: string) => Promise<void>;
  /** Sends requests, and keeps what was sent. */
  readonly fetch: typeof fetch;
  readonly sent: Sent[];
}

/** One request of a tool. */
export interface Sent {
  readonly method: string;
  readonly hasQuery: boolean;
  readonly status: number;
}

export const organizationId = skylineId;
export const recordOfClimber = recordId(climberEmail, 'osha-10');
export const climberId = memberId(climberEmail);

/** Documents that the clients share. Their variables have the types that every tutorial uses. */
export const documents = {
  members: `
    query Members($organizationId: ID!, $first: Int!, $after: String) {
      organizationMembers(organizationId: $organizationId, first: $first, after: $after) {
        edges { cursor node { id displayName } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
  record: `
    query Record($organizationId: ID!, $id: ID!) {
      certification(organizationId: $organizationId, id: $id) { id issuerName }
    }`,
  change: `
    mutation Change($organizationId: ID!, $id: ID!, $issuerName: Text) {
      updateCertification(organizationId: $organizationId, id: $id, input: { issuerName: $issuerName }) {
        id
        issuerName
      }
    }`,
  changes: `
    subscription Changes($organizationId: ID!) {
      changes(organizationId: $organizationId) {
        nodes { kind resourceType resourceId }
        pageInfo { endCursor }
      }
    }`,
};

export const record = { organizationId, id: recordOfClimber };
/** The organization exists, but the caller cannot reach it. */
export const unreachable = {
  organizationId: '00000000-0000-4000-8000-000000000000',
  id: recordOfClimber,
};

/** Starts the application for a test file. */
export async function serveTools(): Promise<Served> {
  const app = await startApp();
  const headers = { authorization: `Bearer ${await app.token(managerEmail)}` };
  const url = `${app.base}/graphql`;
  const sent: Sent[] = [];
  const sending: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const parameters: Body =
      init?.method === 'POST'
        ? JSON.parse(String(init.body))
        : Object.fromEntries(new URL(String(input)).searchParams);
    const { status } = response;
    sent.push({ method: init?.method ?? 'GET', hasQuery: Boolean(parameters.query), status });
    return response;
  };
  const change = async (issuerName: string) => {
    const variables = { ...record, issuerName };
    const { body } = await app.graphql(documents.change, variables, {
      token: await app.token(managerEmail),
    });
    expect(body.errors).toBeUndefined();
  };
  const sse = createClient({ url: `${url}/stream`, headers, retryAttempts: 0 });
  return { app, url, headers, sse, change, fetch: sending, sent };
}

/** The display names of all members, in the order of the list. */
export async function allMembers({ app }: Served): Promise<string[]> {
  const { body } = await app.graphql(
    documents.members,
    { organizationId, first: 200 },
    { token: await app.token(managerEmail) },
  );
  return namesOf(body.data);
}

export const namesOf = ({ organizationMembers }: Body): string[] =>
  organizationMembers.edges.map(({ node }: Body) => node.displayName);

/** Collects values until there are enough. */
export function collect<Value>(count: number): {
  readonly add: (value: Value) => void;
  readonly fail: (error: unknown) => void;
  readonly first: Promise<Value>;
  readonly all: Promise<Value[]>;
} {
  const values: Value[] = [];
  const [first, all] = [Promise.withResolvers<Value>(), Promise.withResolvers<Value[]>()];
  return {
    add(value) {
      values.push(value);
      first.resolve(value);
      if (values.length === count) all.resolve(values);
    },
    fail(error) {
      first.reject(error);
      all.reject(error);
    },
    first: first.promise,
    all: all.promise,
  };
}
