/** What can be said of deploy/ without an engine that runs it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { readConfig, variables } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { readDockerfile } from './dockerfile.js';
import { parseYaml } from './yaml.js';

// biome-ignore lint/suspicious/noExplicitAny: manifests are whatever was written; tests say what they expect
type Manifest = any;

const folder = join(packageRoot, 'deploy');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
);
const read = (file: string): Manifest => parseYaml(readFileSync(join(folder, file), 'utf8'))[0];
const [gateway, migration] = [
  read('kubernetes/base/gateway.yaml'),
  read('kubernetes/base/migration.yaml'),
];
const container = (workload: Manifest): Manifest => workload.spec.template.spec.containers[0];
const overlays = files.filter((file) => file.endsWith('kustomization.yaml'));

/** Those of a list of `env`, but for what only others are made of. */
const namesOf = (list: { name: string; value?: string }[]): string[] =>
  list
    .map(({ name }) => name)
    .filter((name) => !list.some(({ value = '' }) => value.includes(`$(${name})`)));

describe('deploy', () => {
  it('is read by a strict reader of YAML', () => {
    ensure(files.length >= 12, files.join());
    for (const file of files) expect(() => read(file)).not.toThrow();
    for (const wrong of [
      'a: 1\na: 2',
      'a:\n  b: 1\n   c: 2',
      'a: yes',
      'a: b: c',
      'a: [b]',
      '\ta: 1',
      'a: *b',
      'a',
    ])
      expect(() => parseYaml(wrong)).toThrow();
  });

  it('sets no variable that Lanyard does not know, and only values that it takes', () => {
    const compose = read('compose.yaml').services;
    const sets: Record<string, unknown>[] = [
      compose['gateway-1'].environment,
      compose.migrate.environment,
      read('kubernetes/base/configuration.yaml').data,
      Object.fromEntries(
        namesOf(read('kubernetes/cloudnativepg/environment.yaml')[0].value).map((name) => [
          name,
          '',
        ]),
      ),
    ];
    const names = sets.flatMap((set) => Object.keys(set));
    expect(names.filter((name) => !(name in variables.shape))).toEqual([]);
    for (const name of [
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'DATABASE_REPLICA_URL',
      'BASE_URL',
      'TRUST_PROXY',
    ])
      ensure(names.includes(name), name);
    // As Compose puts defaults in: what is in braces has one, or is given.
    const filled = (set: object) =>
      Object.fromEntries(
        Object.entries(set).map(([name, value]) => [
          name,
          String(value).replace(/\$\{\w+(?::-([^}]*))?\}/g, (_, given) => given ?? 'x'),
        ]),
      );
    for (const set of sets.slice(0, 3)) expect(() => readConfig(filled(set))).not.toThrow();
  });

  it('has two gateways alike behind the proxy, after the migration, with time to stop', () => {
    const { 'gateway-1': one, 'gateway-2': two, migrate, proxy } = read('compose.yaml').services;
    expect(one).toStrictEqual(two);
    expect(one.depends_on.migrate.condition).toBe('service_completed_successfully');
    expect(migrate.command).toEqual(['migrate']);
    expect(one.read_only).toBe(true);
    expect(Number.parseInt(one.stop_grace_period, 10)).toBeGreaterThanOrEqual(30);
    expect(Object.keys(proxy.depends_on)).toEqual(['gateway-1', 'gateway-2']);
    const nginx = readFileSync(join(folder, 'nginx.conf'), 'utf8');
    const port = readDockerfile().find(([name]) => name === 'EXPOSE')?.[1];
    for (const name of ['gateway-1', 'gateway-2'])
      ensure(nginx.includes(`server ${name}:${port} `), name);
    expect(nginx.match(/proxy_set_header X-Forwarded-For \$remote_addr;/g)?.length).toBe(
      nginx.match(/proxy_pass /g)?.length,
    );
  });
});

const app = await startApp();

describe('deploy/kubernetes', () => {
  it('probes paths that there are, on a port that there is', async () => {
    const { livenessProbe, readinessProbe, startupProbe, ports } = container(gateway);
    for (const { httpGet } of [livenessProbe, readinessProbe, startupProbe]) {
      expect([String(httpGet.path), (await fetch(app.base + httpGet.path)).status]).toStrictEqual([
        expect.any(String),
        200,
      ]);
      expect(httpGet.port).toBe(ports[0].name);
    }
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual([
      '/livez',
      '/readyz',
    ]);
    expect(String(ports[0].containerPort)).toBe(
      readDockerfile().find(([name]) => name === 'EXPOSE')?.[1],
    );
    expect(read('kubernetes/base/service.yaml').spec.ports[0].targetPort).toBe(ports[0].name);
  });

  it('runs as nobody special, on a file system that is not written, with limits', () => {
    for (const workload of [gateway, migration]) {
      const { securityContext, resources } = container(workload);
      const pod = workload.spec.template.spec;
      expect(securityContext).toStrictEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect([pod.securityContext.runAsNonRoot, pod.automountServiceAccountToken]).toEqual([
        true,
        false,
      ]);
      expect(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`).toBe(
        readDockerfile().find(([name]) => name === 'USER')?.[1],
      );
      expect(
        resources.requests.cpu && resources.requests.memory && resources.limits.memory,
      ).toBeTruthy();
    }
  });

  it('gives a stop the pause before it and the fifteen seconds of requests, and never stops all gateways', () => {
    const { terminationGracePeriodSeconds } = gateway.spec.template.spec;
    expect(
      terminationGracePeriodSeconds > container(gateway).lifecycle.preStop.sleep.seconds + 15,
    ).toBe(true);
    const { selector, maxUnavailable } = read('kubernetes/base/disruption.yaml').spec;
    expect(maxUnavailable < gateway.spec.replicas).toBe(true);
    expect(gateway.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    const { labels } = gateway.spec.template.metadata;
    expect([
      selector.matchLabels,
      gateway.spec.selector.matchLabels,
      read('kubernetes/base/service.yaml').spec.selector,
    ]).toStrictEqual([labels, labels, labels]);
  });

  it('is put together from files that there are, and patches what there is', () => {
    expect(overlays).toHaveLength(3);
    for (const file of overlays) {
      const { resources, patches = [] } = read(file);
      for (const path of [...resources, ...patches.map((patch: Manifest) => patch.path)])
        ensure(existsSync(join(folder, dirname(file), path)), `${file}: ${path}`);
      for (const { target } of patches)
        ensure(
          [gateway, migration].some(
            ({ kind, metadata }) => kind === target.kind && metadata.name === target.name,
          ),
          JSON.stringify(target),
        );
    }
  });

  it('gives the role of CloudNativePG what sessions behind its pooler must have', async () => {
    const { database, owner, postInitApplicationSQL } = read(
      'kubernetes/cloudnativepg/cluster.yaml',
    ).spec.bootstrap.initdb;
    const client = new pg.Client(app.url);
    await client.connect();
    const name = `pooled_${Date.now()}`;
    const url = Object.assign(new URL(app.url), { username: name, password: 'x' });
    await client.query(`create role ${name} login password 'x'`);
    try {
      await expect(
        connect(url.href, { poolSize: 2, entities: [], isPooled: true }),
      ).rejects.toThrow(/must have these settings/);
      for (const statement of postInitApplicationSQL)
        await client.query(
          statement.replace(`"${owner}"`, name).replace(`"${database}"`, url.pathname.slice(1)),
        );
      await (await connect(url.href, { poolSize: 2, entities: [], isPooled: true })).close();
    } finally {
      await client.query(`drop owned by ${name}; drop role ${name}`);
      await client.end();
    }
  });
});
