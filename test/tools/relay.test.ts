/**
 * Relay against the running application: relay-compiler compiles a nested pagination for the served
 * schema, and react-relay renders, pages, refetches and changes it.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { packageRoot } from '../../src/root.js';
import type { Body } from '../support/app.js';
import {
  climberId,
  collect,
  documents,
  organizationId,
  record,
  recordOfClimber,
  serveTools,
  unreachable,
} from './served.js';
import { describeTool } from './works.js';

const served = await serveTools();
const folder = mkdtempSync(join(tmpdir(), 'lanyard-relay-'));
afterAll(() => rmSync(folder, { recursive: true }));
const artifacts = join(folder, 'artifacts');
const require = createRequire(join(packageRoot, 'package.json'));
/** CommonJS packages of Flow code, whose names Node cannot see from an import. */
const relay: Body = require('relay-runtime');
const { RelayEnvironmentProvider, useLazyLoadQuery, usePaginationFragment }: Body =
  require('react-relay');
const { createElement, Suspense }: Body = require('react');
const renderer: Body = require('react-test-renderer');

/** A list of members, and a list of certifications below each, which pages by the member's id. */
const source = `
  graphql\`
    query PagesMembersQuery($organizationId: ID!, $first: Int!) {
      ...Pages_members @arguments(organizationId: $organizationId, first: $first)
    }
  \`;
  graphql\`
    fragment Pages_members on Query
    @argumentDefinitions(organizationId: { type: "ID!" }, first: { type: "Int", defaultValue: 2 }, after: { type: "String" })
    @refetchable(queryName: "PagesMembersPaginationQuery") {
      organizationMembers(organizationId: $organizationId, first: $first, after: $after)
      @connection(key: "Pages_organizationMembers") {
        edges { node { id displayName ...Pages_member } }
      }
    }
  \`;
  graphql\`
    fragment Pages_member on OrganizationMember
    @argumentDefinitions(first: { type: "Int", defaultValue: 1 }, after: { type: "String" })
    @refetchable(queryName: "PagesMemberPaginationQuery") {
      certifications(first: $first, after: $after) @connection(key: "Pages_certifications") {
        edges { node { id issuerName } }
      }
    }
  \`;
  graphql\`${documents.record.replace('Record', 'PagesRecordQuery')}\`;
  graphql\`${documents.change.replace('Change', 'PagesChangeMutation')}\`;
  graphql\`${documents.changes.replace('Changes', 'PagesChangesSubscription')}\`;
`;

const { body } = await served.app.graphql(getIntrospectionQuery());
mkdirSync(join(folder, 'src'));
mkdirSync(artifacts);
writeFileSync(join(folder, 'schema.graphql'), printSchema(buildClientSchema(body.data)));
writeFileSync(join(folder, 'src', 'Pages.js'), source);
const config = {
  src: './src',
  schema: './schema.graphql',
  artifactDirectory: './artifacts',
  language: 'javascript',
  eagerEsModules: false,
};
writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
writeFileSync(join(folder, 'package.json'), '{}');
const compiler: string = require('relay-compiler');
execFileSync(compiler, ['relay.config.json'], { cwd: folder, stdio: 'pipe' });

const artifact = (name: string): Body =>
  createRequire(join(artifacts, 'x.js'))(`./${name}.graphql`);

function openEnvironment(): Body {
  const send = async ({ text: query }: Body, variables: object) => {
    const response = await served.fetch(served.url, {
      method: 'POST',
      headers: { ...served.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  };
  const subscribe = ({ text: query }: Body, variables: Record<string, unknown>) =>
    relay.Observable.create((sink: Body) => served.sse.subscribe({ query, variables }, sink));
  return new relay.Environment({
    network: relay.Network.create(send, subscribe),
    store: new relay.Store(new relay.RecordSource()),
  });
}

const fetchQuery = (environment: Body, name: string, variables: object): Promise<Body> =>
  relay.fetchQuery(environment, artifact(name), variables).toPromise();

/** What a person sees: members, and the ids of their certifications. */
interface Shown {
  names: string[];
  readonly certifications: Map<string, string[]>;
  /** By member, and by `members`: how to load the next page. */
  readonly loadNext: Map<string, ((count: number) => void) | undefined>;
}

function render(environment: Body): { readonly shown: Shown; readonly tree: Promise<Body> } {
  const shown: Shown = { names: [], certifications: new Map(), loadNext: new Map() };
  const keep = (key: string, { hasNext, loadNext }: Body) =>
    shown.loadNext.set(key, hasNext ? loadNext : undefined);
  const Member = ({ member, id }: Body) => {
    const page = usePaginationFragment(artifact('Pages_member'), member);
    keep(id, page);
    const ids = page.data.certifications.edges.map(({ node }: Body) => node.id);
    shown.certifications.set(id, ids);
    return null;
  };
  const Members = () => {
    const variables = { organizationId, first: 2 };
    const query = useLazyLoadQuery(artifact('PagesMembersQuery'), variables);
    const page = usePaginationFragment(artifact('Pages_members'), query);
    keep('members', page);
    const nodes = page.data.organizationMembers.edges.map(({ node }: Body) => node);
    shown.names = nodes.map(({ displayName }: Body) => displayName);
    return nodes.map((node: Body) =>
      createElement(Member, { key: node.id, id: node.id, member: node }),
    );
  };
  const element = createElement(
    RelayEnvironmentProvider,
    { environment },
    createElement(Suspense, { fallback: null }, createElement(Members)),
  );
  const mount = async () => {
    let tree: Body;
    await renderer.act(async () => {
      tree = renderer.create(element);
    });
    return tree;
  };
  return { shown, tree: mount() };
}

/** Waits until what is shown fulfils a condition. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    expect(tries).toBeLessThan(500);
    await renderer.act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  }
}

/** React's own switch for tests, and its warning that the renderer is deprecated. */
async function inReact(work: () => Promise<void>): Promise<void> {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  const { error } = console;
  environment.IS_REACT_ACT_ENVIRONMENT = true;
  console.error = (...said) => {
    if (!String(said[0]).includes('react-test-renderer is deprecated')) error(...said);
  };
  try {
    await work();
  } finally {
    console.error = error;
    delete environment.IS_REACT_ACT_ENVIRONMENT;
  }
}

describeTool('Relay', (works) => {
  works('schema', async () => {
    const made = readdirSync(artifacts).map((file) => file.replace('.graphql.js', ''));
    expect(made).toEqual(
      expect.arrayContaining(['Pages_member', 'PagesMemberPaginationQuery', 'PagesMembersQuery']),
    );
    // A list below a member pages by `node`.
    expect(artifact('PagesMemberPaginationQuery').params.text).toContain('node(id: $id)');
  });

  works('query', async () => {
    const data = await fetchQuery(openEnvironment(), 'PagesRecordQuery', record);
    expect(data.certification.id).toBe(recordOfClimber);
  });

  works('paging', () =>
    inReact(async () => {
      const { rows } = await expectedLists();
      const { shown, tree } = render(openEnvironment());
      const mounted = await tree;
      await until(() => shown.names.length === 2);
      const loadAll = async (key: string, count: () => number) => {
        for (let load = shown.loadNext.get(key); load; load = shown.loadNext.get(key)) {
          const [before, next] = [count(), load];
          await renderer.act(async () => next(10));
          await until(() => count() > before || !shown.loadNext.get(key));
        }
      };
      await loadAll('members', () => shown.names.length);
      expect(shown.names).toEqual(rows.map(({ displayName }) => displayName));
      const expected = rows.find(({ id }) => id === climberId)?.certifications ?? [];
      expect(expected.length).toBeGreaterThan(2);
      expect(shown.certifications.get(climberId)).toEqual(expected.slice(0, 1));
      await loadAll(climberId, () => shown.certifications.get(climberId)?.length ?? 0);
      expect(shown.certifications.get(climberId)).toEqual(expected);
      await renderer.act(async () => mounted.unmount());
    }),
  );

  works('mutation', async () => {
    const environment = openEnvironment();
    await fetchQuery(environment, 'PagesRecordQuery', record);
    const changed = Promise.withResolvers<void>();
    relay.commitMutation(environment, {
      mutation: artifact('PagesChangeMutation'),
      variables: { ...record, issuerName: 'Relay wrote it' },
      onCompleted: () => changed.resolve(),
      onError: changed.reject,
    });
    await changed.promise;
    expect(environment.getStore().getSource().get(recordOfClimber).issuerName).toBe(
      'Relay wrote it',
    );
  });

  works('error', async () => {
    const codesOf = (variables: object) =>
      fetchQuery(openEnvironment(), 'PagesRecordQuery', variables).catch(({ source }) =>
        source.errors.map(({ extensions }: Body) => extensions.code),
      );
    expect(await codesOf(unreachable)).toEqual(['FORBIDDEN']);
    expect(await codesOf({ ...record, id: 'x' })).toEqual(['VALIDATION_ERROR']);
  });

  works('subscription', async () => {
    const { add, fail, first, all } = collect<Body>(2);
    const { dispose } = relay.requestSubscription(openEnvironment(), {
      subscription: artifact('PagesChangesSubscription'),
      variables: { organizationId },
      onNext: add,
      onError: fail,
    });
    await first;
    await served.change('Relay hears of it');
    const [, event] = await all;
    expect(event.changes.nodes).toMatchObject([
      { kind: 'UPDATED', resourceType: 'CERTIFICATION', resourceId: recordOfClimber },
    ]);
    dispose();
  });
});

interface Row {
  readonly id: string;
  readonly displayName: string;
  readonly certifications: string[];
}

/** All members and their certifications, in the order of the lists. */
async function expectedLists(): Promise<{ readonly rows: Row[] }> {
  const query = `query ($organizationId: ID!) {
    organizationMembers(organizationId: $organizationId, first: 200) {
      nodes { id displayName certifications(first: 100) { nodes { id } } }
    }
  }`;
  const response = await fetch(served.url, {
    method: 'POST',
    headers: { ...served.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { organizationId } }),
  });
  const { data } = (await response.json()) as Body;
  const rows = data.organizationMembers.nodes.map(({ certifications, ...member }: Body) => ({
    ...member,
    certifications: certifications.nodes.map(({ id }: Body) => id),
  }));
  return { rows };
}
