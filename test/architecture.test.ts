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
  scalars: ['entities/day'],
  entities: ['errors', 'scalars'],
  // What it tells is in telemetry/observer, which knows nothing of anyone.
  'telemetry/observer': [],
  telemetry: ['config', 'database/failures', 'database/pool', 'edge/failure', 'errors', 'root'],
  database: [
    'telemetry/observer',
    'entities',
    'errors',
    'config',
    'root',
    'auth/scopes',
    'auth/password',
    'auth/people/secrets',
  ],
  auth: ['database', 'entities', 'scalars', 'errors', 'config', 'context', 'root'],
  // The OAuth server shows pages of its own, in the portal's frame.
  'auth/oauth': [
    'auth',
    'config',
    'context',
    'database',
    'edge',
    'entities/user',
    'errors',
    'portal/components',
    'portal/page',
    'portal/route',
    'portal/security',
  ],
  context: [
    'auth/policy',
    'auth/authentication',
    'config',
    'database/connection',
    'database/standby',
  ],
  edge: [
    'auth',
    'config',
    'context',
    'database/connection',
    'database/failures',
    'database/standby',
    'database/turns',
    'entities/day',
    'errors',
  ],
  graph: [
    // The person's own choice, made in the portal too.
    'auth/people/memberships',
    'auth/people/primary',
    'auth/policy',
    'auth/scopes',
    'auth/standing',
    'config',
    'context',
    'database/columns',
    'database/connection',
    'database/failures',
    'database/record-changes',
    'database/values',
    'edge',
    'entities',
    'errors',
    'scalars',
    'telemetry/observer',
  ],
  rest: ['auth/scopes', 'context', 'database/demo', 'edge', 'errors', 'graph', 'root', 'scalars'],
  requests: [
    'config',
    'edge',
    'errors',
    'graph/http',
    'rest/reply',
    'rest/router',
    'telemetry/observer',
  ],
  portal: ['auth', 'config', 'database', 'edge', 'entities', 'errors', 'root', 'scalars'],
  reference: [
    'config',
    'edge',
    'portal/page',
    'portal/security',
    'portal/components',
    'portal/error',
    'rest',
    'errors',
    'root',
  ],
  operator: [
    'auth',
    'config',
    'database',
    'entities',
    'errors',
    'graph/upsert',
    'root',
    'scalars',
    'spelling',
  ],
};

/** Where a rule has an exception: these two layers of graph are not for REST. */
const forbidden: Readonly<Record<string, RegExp>> = { rest: /^graph\/\w+\// };

/** Only these may import the composition root. */
const roots = ['cli', 'commands', 'app', 'generate'];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

function readImports(): Import[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const from = file.replace(/\.tsx?$/, '');
    return [
      ...text.matchAll(/^(?:import|export)( type)?(?:[^'";]*? from)? '(\.[^']+)\.js';/gms),
    ].map(([, type, path = '']) => ({
      from,
      to: relative(source, join(source, dirname(file), path)),
      isType: type !== undefined,
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

test('no module imports itself by a detour', () => {
  const graph = Map.groupBy(
    imports.filter(({ isType }) => !isType),
    ({ from }) => from,
  );
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
