/** The table "tool × works" of docs/graphql.md, and its tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';

/** What is tested of a tool, by column of the table. */
const columns = {
  schema: 'Schema',
  query: 'Query',
  paging: 'Paging',
  mutation: 'Mutation and cache',
  error: 'Errors',
  persisted: 'Persisted queries',
  subscription: 'Subscription',
} as const;
export type Capability = keyof typeof columns;

interface Tool {
  /** In node_modules; its version stands in the table. Undefined: a service. */
  readonly package?: string;
  readonly works: readonly Capability[];
  /** How it is used. */
  readonly with: string;
}

const client = ['query', 'paging', 'mutation', 'error'] as const;

/** By name, in the order of the table. */
export const tools = {
  'Apollo Client 4': {
    package: '@apollo/client',
    works: [...client, 'persisted', 'subscription'],
    with: '`relayStylePagination`, `createPersistedQueryLink`, graphql-sse in a link',
  },
  'Apollo Client 3': {
    package: 'apollo-client-3',
    works: [...client, 'persisted', 'subscription'],
    with: '`relayStylePagination`, `createPersistedQueryLink`, graphql-sse in a link',
  },
  urql: {
    package: '@urql/core',
    works: ['schema', ...client, 'persisted', 'subscription'],
    with: 'Graphcache with the schema, `relayPagination`, `persistedExchange`, graphql-sse',
  },
  Relay: {
    package: 'relay-compiler',
    works: ['schema', ...client, 'subscription'],
    with: '`@refetchable`, `@connection`, `usePaginationFragment` in lists, graphql-sse',
  },
  'graphql-sse': {
    package: 'graphql-sse',
    works: ['error', 'subscription'],
    with: 'distinct connections mode, at `/graphql/stream`',
  },
  'GraphQL Code Generator': {
    package: '@graphql-codegen/client-preset',
    works: ['schema', 'query'],
    with: 'client preset, `documentMode: string`, strict TypeScript',
  },
  'GraphQL Inspector': {
    package: '@graphql-inspector/core',
    works: ['schema'],
    with: '`diff`, `validate` and `coverage`',
  },
  'GraphiQL, Apollo Sandbox': {
    works: ['schema'],
    with: 'introspection with all options, [explorers](dashboards.md)',
  },
} as const satisfies Record<string, Tool>;
export type ToolName = keyof typeof tools;

type Works = (capability: Capability, work: () => Promise<void>) => void;

/** The tests of a tool: one for each of its capabilities, and no other. */
export function describeTool(name: ToolName, define: (works: Works) => void): void {
  describe(name, () => {
    const tested: Capability[] = [];
    define((capability, work) => {
      tested.push(capability);
      test(capability, work);
    });
    test('has a test for each entry of its row, and no other', () => {
      expect(tested.toSorted()).toEqual(tools[name].works.toSorted());
    });
  });
}

/** The table of docs/graphql.md. */
export function tableOf(): string {
  const rows = Object.entries<Tool>(tools).map(([name, tool]) => [
    tool.package ? `${name.replace(/ \d$/, '')} ${versionOf(tool.package)}` : name,
    ...(Object.keys(columns) as Capability[]).map((each) =>
      tool.works.includes(each) ? 'works' : '–',
    ),
    tool.with,
  ]);
  const headings = ['Tool', ...Object.values(columns), 'With'];
  return [headings, headings.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replaceAll('| --- ', '|---')
    .replaceAll('|--- |', '|---|');
}

const versionOf = (name: string): string => {
  const file = join(packageRoot, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};
