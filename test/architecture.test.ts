/** The import rules of ARCHITECTURE.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { packageRoot } from '../src/root.js';
import { ensure } from './support/expect.js';

const source = join(packageRoot, 'src');

/** Who may import what, by the longest prefix that fits. A folder may always import itself. */
const rules: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  config: ['spelling'],
  root: [],
  spelling: [],
  // Knows nothing of anyone; telemetry registers what it observes.
  observer: [],
  scalars: [],
  entities: ['errors', 'scalars'],
  rules: ['entities', 'errors', 'scalars'],
  database: ['config', 'entities', 'errors', 'observer', 'root', 'rules/difference'],
  auth: ['config', 'context', 'database', 'entities', 'errors', 'root', 'scalars'],
  'auth/oauth': ['auth', 'config', 'context', 'database', 'entities', 'errors', 'http', 'pages'],
  context: ['auth/policy', 'auth/principal-lookup', 'config', 'database'],
  http: ['auth', 'config', 'context', 'database', 'errors', 'root', 'scalars/day'],
  catalogue: ['database', 'entities', 'rules', 'scalars'],
  demo: ['auth', 'catalogue', 'database', 'entities', 'errors', 'rules', 'scalars'],
  graph: [
    'auth/accounts/memberships',
    'auth/accounts/primary',
    'auth/policy',
    'auth/scopes',
    'config',
    'context',
    'database',
    'entities',
    'errors',
    'http',
    'observer',
    'rules',
    'scalars',
  ],
  rest: ['auth/scopes', 'context', 'demo', 'errors', 'graph', 'http', 'root', 'scalars'],
  requests: ['config', 'context', 'errors', 'graph/execution/http', 'http', 'observer', 'rest'],
  telemetry: ['config', 'database', 'errors', 'http/error-mapping', 'observer', 'root'],
  pages: ['auth/accounts', 'config', 'errors', 'root'],
  portal: [
    'auth',
    'config',
    'database',
    'entities',
    'errors',
    'http',
    'pages',
    'root',
    'rules',
    'scalars',
  ],
  reference: ['config', 'errors', 'http', 'pages', 'rest', 'root'],
};

/**
 * Where a rule has an exception: REST reaches the core through `graph/execution`, and reads no
 * resource by itself.
 */
const forbidden: Readonly<Record<string, RegExp>> = {
  rest: /^graph\/(?!execution\/|input\/|reads\/cursor|reads\/connection|cost\/)\w+\//,
};

/** Only these may import the composition root. */
const roots = ['cli', 'main', 'app'];

interface Import {
  readonly from: string;
  readonly to: string;
}

function readImports(): Import[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const from = file.replace(/\.tsx?$/, '');
    return [
      ...text.matchAll(/^(?:import|export)(?: type)?(?:[^'";]*? from)? '(\.[^']+)\.js';/gms),
    ].map(([, path = '']) => ({
      from,
      to: relative(source, join(source, dirname(file), path)),
    }));
  });
}

const imports = readImports();
const folderOf = (module: string): string => module.split('/')[0] ?? module;
/** The rules of the longest prefix that fits. */
const rulesOf = (module: string): readonly string[] => {
  const [longest = ''] = Object.keys(rules)
    .filter((prefix) => isWithin(module, prefix))
    .sort((one, other) => other.length - one.length);
  return rules[longest] ?? [];
};
const isWithin = (module: string, prefix: string): boolean =>
  module === prefix || module.startsWith(`${prefix}/`);

test('every module imports only what its layer may', () => {
  const wrong = imports.filter(({ from, to }) => {
    const folder = folderOf(from);
    if (roots.includes(folder)) return false;
    const allowed = [folder, ...rulesOf(from)];
    return !allowed.some((prefix) => isWithin(to, prefix)) || forbidden[folder]?.test(to);
  });
  expect(wrong).toEqual([]);
});

test('no module imports itself by a detour, types included', () => {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const visit = (module: string, path: string[]): void => {
    ensure(
      !path.includes(module),
      `circle: ${[...path.slice(path.indexOf(module)), module].join(' → ')}`,
    );
    if (done.has(module)) return;
    for (const { to } of graph.get(module) ?? []) visit(to, [...path, module]);
    done.add(module);
  };
  for (const module of graph.keys()) visit(module, []);
});

test('the rules cover every folder', () => {
  expect(imports.length).toBeGreaterThan(100);
  const folders = new Set(imports.map(({ from }) => folderOf(from)));
  expect([...folders].filter((folder) => !(folder in rules) && !roots.includes(folder))).toEqual(
    [],
  );
});

test('SQL of accounts, apps, pages and commands is in files that say so in their names', () => {
  /** The look-up of every API request, and statements that others write. */
  const others = ['auth/principal-lookup', 'auth/accounts/limits', 'cli/commands/demo-guard'];
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /^(auth|portal|cli)\/(?!doctor\/)/.test(file) &&
      /\.tsx?$/.test(file) &&
      /\b(db|tx|em)\.query(<|\()/.test(readFileSync(join(source, file), 'utf8')),
  );
  const wrong = found.filter(
    (file) => !file.endsWith('-statements.ts') && !others.includes(file.replace(/\.tsx?$/, '')),
  );
  expect(wrong).toEqual([]);
});
