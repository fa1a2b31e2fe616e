/** What can be said of deploy/ without an engine that runs it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { readConfig, variables } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { readDockerfile } from './dockerfile.js';
import { parseYaml } from './yaml.js';

// biome-ignore lint/suspicious/noExplicitAny: manifests are whatever was written; tests say what they expect
type Manifest = any;

const folder = join(packageRoot, 'deploy');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
const read = (file: string): Manifest => parseYaml(readFileSync(join(folder, file), 'utf8'))[0];
const [gateway, migration] = [read('kubernetes/base/gateway.yaml'), read('kubernetes/base/migration.yaml')];
const container = (workload: Manifest): Manifest => workload.spec.template.spec.containers[0];
const overlays = files.filter((file) => file.endsWith('kustomization.yaml'));

/** Those of a list of `env`, but for what only others are made of. */
const namesOf = (list: { name: string; value?: string }[]): string[] =>
  list.map(({ name }) => name).filter((name) => !list.some(({ value = '' }) => value.includes(`$(${name})`)));

describe('deploy', () => {
  it('is read by a strict reader of YAML', () => {
    assert.ok(files.length >= 12, files.join());
    for (const file of files) assert.doesNotThrow(() => read(file), file);
    for (const wrong of ['a: 1\na: 2', 'a:\n  b: 1\n   c: 2', 'a: yes', 'a: b: c', 'a: [b]', '\ta: 1', 'a: *b', 'a'])
      assert.throws(() => parseYaml(wrong), wrong);
  });

  it('sets no variable that Lanyard does not know, and only values that it takes', () => {
    const compose = read('compose.yaml').services;
    const sets: Record<string, unknown>[] = [
      compose['gateway-1'].environment,
      compose.migrate.environment,
      read('kubernetes/base/configuration.yaml').data,
      Object.fromEntries(namesOf(read('kubernetes/cloudnativepg/environment.yaml')[0].value).map((name) => [name, ''])),
    ];
    const names = sets.flatMap((set) => Object.keys(set));
    assert.deepEqual(
      names.filter((name) => !(name in variables.shape)),
      [],
    );
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'BASE_URL', 'TRUST_PROXY'])
      assert.ok(names.includes(name), name);
    // As Compose puts defaults in: what is in braces has one, or is given.
    const filled = (set: object) =>
      Object.fromEntries(
        Object.entries(set).map(([name, value]) => [name, String(value).replace(/\$\{\w+(?::-([^}]*))?\}/g, (_, given) => given ?? 'x')]),
      );
    for (const set of sets.slice(0, 3)) assert.doesNotThrow(() => readConfig(filled(set)));
  });

  it('has two gateways alike behind the proxy, after the migration, with time to stop', () => {
    const { 'gateway-1': one, 'gateway-2': two, migrate, proxy } = read('compose.yaml').services;
    assert.deepEqual(one, two);
    assert.equal(one.depends_on.migrate.condition, 'service_completed_successfully');
    assert.deepEqual(migrate.command, ['migrate']);
    assert.equal(one.read_only, true);
    assert.ok(Number.parseInt(one.stop_grace_period, 10) >= 30);
    assert.deepEqual(Object.keys(proxy.depends_on), ['gateway-1', 'gateway-2']);
    const nginx = readFileSync(join(folder, 'nginx.conf'), 'utf8');
    const port = readDockerfile().find(([name]) => name === 'EXPOSE')?.[1];
    for (const name of ['gateway-1', 'gateway-2']) assert.ok(nginx.includes(`server ${name}:${port} `), name);
    assert.equal(nginx.match(/proxy_set_header X-Forwarded-For \$remote_addr;/g)?.length, nginx.match(/proxy_pass /g)?.length);
  });
});

describe('deploy/kubernetes', async () => {
  const app = await startApp();

  it('probes paths that there are, on a port that there is', async () => {
    const { livenessProbe, readinessProbe, startupProbe, ports } = container(gateway);
    for (const { httpGet } of [livenessProbe, readinessProbe, startupProbe]) {
      assert.equal((await fetch(app.base + httpGet.path)).status, 200, httpGet.path);
      assert.equal(httpGet.port, ports[0].name);
    }
    assert.deepEqual([livenessProbe.httpGet.path, readinessProbe.httpGet.path], ['/livez', '/readyz']);
    assert.equal(String(ports[0].containerPort), readDockerfile().find(([name]) => name === 'EXPOSE')?.[1]);
    assert.equal(read('kubernetes/base/service.yaml').spec.ports[0].targetPort, ports[0].name);
  });

  it('runs as nobody special, on a file system that is not written, with limits', () => {
    for (const workload of [gateway, migration]) {
      const { securityContext, resources } = container(workload);
      const pod = workload.spec.template.spec;
      assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      assert.deepEqual([pod.securityContext.runAsNonRoot, pod.automountServiceAccountToken], [true, false]);
      assert.equal(
        `${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`,
        readDockerfile().find(([name]) => name === 'USER')?.[1],
      );
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
    }
  });

  it('gives a stop the pause before it and the fifteen seconds of requests, and never stops all gateways', () => {
    const { terminationGracePeriodSeconds } = gateway.spec.template.spec;
    assert.ok(terminationGracePeriodSeconds > container(gateway).lifecycle.preStop.sleep.seconds + 15);
    const { selector, maxUnavailable } = read('kubernetes/base/disruption.yaml').spec;
    assert.ok(maxUnavailable < gateway.spec.replicas);
    assert.equal(gateway.spec.strategy.rollingUpdate.maxUnavailable, 0);
    const { labels } = gateway.spec.template.metadata;
    assert.deepEqual(
      [selector.matchLabels, gateway.spec.selector.matchLabels, read('kubernetes/base/service.yaml').spec.selector],
      [labels, labels, labels],
    );
  });

  it('is put together from files that there are, and patches what there is', () => {
    assert.equal(overlays.length, 3);
    for (const file of overlays) {
      const { resources, patches = [] } = read(file);
      for (const path of [...resources, ...patches.map((patch: Manifest) => patch.path)])
        assert.ok(existsSync(join(folder, dirname(file), path)), `${file}: ${path}`);
      for (const { target } of patches)
        assert.ok(
          [gateway, migration].some(({ kind, metadata }) => kind === target.kind && metadata.name === target.name),
          JSON.stringify(target),
        );
    }
  });

  it('gives the role of CloudNativePG what sessions behind its pooler must have', async () => {
    const { database, owner, postInitApplicationSQL } = read('kubernetes/cloudnativepg/cluster.yaml').spec.bootstrap.initdb;
    const client = new pg.Client(app.url);
    await client.connect();
    const name = `pooled_${Date.now()}`;
    const url = Object.assign(new URL(app.url), { username: name, password: 'x' });
    await client.query(`create role ${name} login password 'x'`);
    try {
      await assert.rejects(connect(url.href, { poolSize: 2, entities: [], isPooled: true }), /must have these settings/);
      for (const statement of postInitApplicationSQL)
        await client.query(statement.replace(`"${owner}"`, name).replace(`"${database}"`, url.pathname.slice(1)));
      await (await connect(url.href, { poolSize: 2, entities: [], isPooled: true })).close();
    } finally {
      await client.query(`drop owned by ${name}; drop role ${name}`);
      await client.end();
    }
  });
});
