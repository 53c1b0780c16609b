import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/app/engines/registry.ts';
import { settingDescriptions } from '../../src/definitions/settings/config.ts';
import { blocksOf } from '../docs/markdown.ts';
import { manifestsOf, renderChart, valuesOf } from './support/chart.ts';
import { anyManifest, type Manifest, oneOf } from './support/manifest.ts';
import { plainManifests, shapes } from './support/plain-manifests.ts';

const known = settingDescriptions.map(({ variable }) => variable);

async function rendered(values: Readonly<Record<string, unknown>>): Promise<Manifest[]> {
  const base = { image: { repository: 'r.example.com/gateway' }, secret: { name: 'keys' } };
  return manifestsOf(await renderChart('gw', { ...base, ...values })).map((each) => anyManifest.parse(each));
}

const podOf = (all: readonly Manifest[]) => {
  const workload = all.find((each) => each.kind === 'StatefulSet' || each.kind === 'Deployment');
  if (workload === undefined) throw new Error('no workload');
  const [container] = workload.spec.template.spec.containers;
  return { labels: workload.spec.template.metadata.labels, ...workload.spec.template.spec, container };
};

const mebibytes = (quantity = '') => Number(/^(\d+)Mi$/.exec(quantity)?.[1]);

describe.each(shapes)('deploy/kubernetes/%s.yaml', (shape) => {
  test('is the rendered chart: npm run docs:kubernetes', async () => {
    expect(await readFile(`deploy/kubernetes/${shape}.yaml`, 'utf8')).toBe(await plainManifests(shape));
  });
});

describe.each(shapes)('the example %s', async (shape) => {
  const all = await rendered(await valuesOf(`examples/${shape}.yaml`));
  const pod = podOf(all);
  const { data } = oneOf(all, 'ConfigMap');
  const env = Object.fromEntries(pod.container.env.map(({ name, value }) => [name, value]));
  const config = readConfig({
    ...data,
    DATA_DIR: env.DATA_DIR,
    ...(shape === 'replicas' && { REDIS_URL: 'redis://a' }),
  });

  test('has settings that exist, and the gateway accepts them', () => {
    for (const name of [...Object.keys(data), ...Object.keys(env)]) expect(known).toContain(name);
    expect(config.engine).toBe(shape === 'writer' ? 'duckdb' : 'bigquery');
  });

  test('has secrets in files only', () => {
    const mount = pod.container.volumeMounts.find(({ name }) => name === 'secret');
    const secrets = Object.keys(env).filter((name) => name.endsWith('_FILE'));
    expect(secrets.length).toBeGreaterThan(0);
    for (const name of secrets) expect(env[name]).toBe(`${mount?.mountPath}/${name.slice(0, -5)}`);
    if (shape === 'replicas')
      expect(secrets).toEqual(['API_KEY_FILE', 'REDIS_URL_FILE', 'CURSOR_SECRET_FILE']);
  });

  test('gives the gateway the time to complete requests that came in the last moment', () => {
    const { requestTimeoutMs, shutdownDelayMs, shutdownTimeoutMs } = config;
    expect(shutdownTimeoutMs).toBeGreaterThanOrEqual(shutdownDelayMs + requestTimeoutMs);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(shutdownTimeoutMs + 1_500);
  });

  test('asks for health where the gateway has it, and notices a stopping one before it stops', () => {
    const { startupProbe, livenessProbe, readinessProbe } = pod.container;
    expect([startupProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/livez', '/livez']);
    expect(readinessProbe.httpGet.path).toBe('/readyz');
    const noticedMs =
      (readinessProbe.periodSeconds * readinessProbe.failureThreshold + readinessProbe.timeoutSeconds) * 1000;
    if (shape === 'replicas') expect(noticedMs).toBeLessThan(config.shutdownDelayMs / 2);
  });

  test('runs as the user of the image, and mounts what the gateway writes', async () => {
    const dockerfile = await readFile('Dockerfile', 'utf8');
    const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
    expect(dockerfile).toContain(`USER ${runAsUser}:${runAsGroup}`);
    expect(fsGroup).toBe(runAsGroup);
    expect(dockerfile).toContain(`EXPOSE ${pod.container.ports[0]?.containerPort}`);
    const writable = pod.container.volumeMounts.filter(({ readOnly }) => !readOnly);
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(
      shape === 'writer' ? ['/data', '/backups', '/tmp'] : ['/data', '/tmp'],
    );
    expect(env.DATA_DIR).toMatch(/^\/data\/./);
  });

  test('mounts volumes that there are', () => {
    const claims = shape === 'writer' ? oneOf(all, 'StatefulSet').spec.volumeClaimTemplates : [];
    const volumes = [...pod.volumes.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)];
    expect(pod.container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
  });

  test('has a quarter more memory than docs/deploying.md says', async () => {
    const text = await readFile('docs/deploying.md', 'utf8');
    const [, bigquery, duckdb] = /needs ([\d.]+) GB with `ENGINE=bigquery` and ([\d.]+) GB/.exec(text) ?? [];
    const needed = (Number(shape === 'writer' ? duckdb : bigquery) * 1.25e9) / 2 ** 20;
    const { requests, limits } = pod.container.resources;
    expect(mebibytes(limits?.memory)).toBeGreaterThanOrEqual(needed);
    expect(requests?.memory).toBe(limits?.memory);
  });

  test('selects the pods that it has', () => {
    const selectors = all.flatMap((each) => {
      if (each.kind === 'Service') return [each.spec.selector];
      if (each.kind === 'NetworkPolicy') return [each.spec.podSelector.matchLabels];
      const { selector } = 'spec' in each && 'selector' in each.spec ? each.spec : {};
      return typeof selector === 'object' && 'matchLabels' in selector ? [selector.matchLabels] : [];
    });
    expect(selectors.length).toBeGreaterThan(1);
    for (const selector of selectors) expect(pod.labels).toMatchObject(selector as object);
  });
});

const replicas = { engine: 'bigquery' };

test('replicas grow with the queries that wait, which the gateway counts', async () => {
  const all = await rendered({ ...replicas, autoscaling: { enabled: true, maxReplicas: 20 } });
  const { spec } = oneOf(all, 'HorizontalPodAutoscaler');
  expect(spec).toMatchObject({ minReplicas: 3, maxReplicas: 20, scaleTargetRef: { kind: 'Deployment' } });
  expect(oneOf(all, 'Deployment').spec.replicas).toBeUndefined();
  const [metric] = spec.metrics;
  const name = metric?.type === 'Pods' ? metric.pods.metric.name : '';
  expect(await readFile('docs/operating.md', 'utf8')).toContain(`| \`${name}\` |`);
});

test('a backup runs in the pod of the gateway, and may do nothing else', async () => {
  const all = await rendered({ backup: { enabled: true, keep: 3 } });
  const { jobTemplate } = oneOf(all, 'CronJob').spec;
  const { spec, metadata } = jobTemplate.spec.template;
  const [{ command }] = spec.containers;
  expect(command.slice(0, 5)).toEqual(['kubectl', 'exec', 'gw-0', '--container=gateway', '--']);
  const { container, labels, volumes } = podOf(all);
  expect(`--container=${container.name}`).toBe(command[3]);
  // No request goes to it.
  expect(labels['app.kubernetes.io/name']).not.toBe(metadata.labels['app.kubernetes.io/name']);
  expect(oneOf(all, 'Role').rules.map(({ resourceNames }) => resourceNames)).toEqual([['gw-0'], ['gw-0']]);
  expect(oneOf(all, 'RoleBinding').subjects).toEqual([
    { kind: 'ServiceAccount', name: spec.serviceAccountName },
  ]);
  const claim = volumes.find(({ name }) => name === 'backups')?.persistentVolumeClaim?.claimName;
  expect(claim).toBe(oneOf(all, 'PersistentVolumeClaim').metadata.name);
  expect((await rendered({})).some(({ kind }) => kind === 'CronJob')).toBe(false);
});

test('a backup is a file of the day, and the newest stay', async () => {
  const all = await rendered({ backup: { enabled: true, keep: 2 } });
  const [{ command }] = oneOf(all, 'CronJob').spec.jobTemplate.spec.template.spec.containers;
  const folder = await mkdtemp(path.join(tmpdir(), 'backups-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const day of ['01', '02', '03']) await writeFile(path.join(folder, `store-2020-01-${day}.backup`), '');
  const [shell = '', ...rest] = command.slice(5).map((word) => word.replaceAll('/backups', folder));
  await writeFile(
    path.join(folder, 'endpoint-gateway'),
    '#!/bin/sh\ntest "$1 $2" = "backup --force" && : > "$3"\n',
    {
      mode: 0o755,
    },
  );
  const env = { PATH: `${folder}:${process.env.PATH}` };
  await promisify(execFile)(shell, rest, { env });
  const today = new Date().toISOString().slice(0, 10);
  const left = (await readdir(folder)).filter((name) => name.endsWith('.backup')).sort();
  expect(left).toEqual(['store-2020-01-03.backup', `store-${today}.backup`]);
  await writeFile(path.join(folder, 'endpoint-gateway'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await expect(promisify(execFile)(shell, rest, { env })).rejects.toMatchObject({ code: 1 });
});

test('a policy lets in whom the values name, and out only where they say', async () => {
  const policy = async (networkPolicy: object) =>
    oneOf(await rendered({ networkPolicy: { enabled: true, ...networkPolicy } }), 'NetworkPolicy').spec;
  const ports = [{ port: 'http', protocol: 'TCP' }];
  expect(await policy({})).toMatchObject({
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: {} }], ports }],
  });
  const [from, to] = [[{ namespaceSelector: {} }], [{ ipBlock: { cidr: '10.0.0.0/8' } }]];
  const { policyTypes, ingress, egress } = await policy({ from, to });
  expect([policyTypes, ingress]).toEqual([['Ingress', 'Egress'], [{ from, ports }]]);
  expect(egress?.[0]).toEqual({ to });
  expect(egress?.[1]?.ports?.map(({ port }) => port)).toEqual([53, 53]);
});

test('of replicas, one at a time may be away', async () => {
  const all = await rendered({ ...replicas, replicas: 5 });
  expect(oneOf(all, 'PodDisruptionBudget').spec.maxUnavailable).toBe(1);
  const { spec } = oneOf(all, 'Deployment');
  expect([spec.replicas, spec.strategy.rollingUpdate]).toEqual([5, { maxSurge: 1, maxUnavailable: 0 }]);
});

test('behind an ingress, limits by address count callers, unless a setting says something else', async () => {
  const ingress = { enabled: true, host: 'gateway.example.com', className: 'nginx', tlsSecret: 'tls' };
  const all = await rendered({ ingress });
  expect(oneOf(all, 'ConfigMap').data.TRUST_PROXY).toBe('1');
  const { metadata, spec } = oneOf(all, 'Ingress');
  expect(spec.rules[0]).toMatchObject({ host: 'gateway.example.com' });
  expect(spec.tls).toEqual([{ hosts: ['gateway.example.com'], secretName: 'tls' }]);
  expect(metadata.annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' });
  const other = await rendered({ ingress, settings: { TRUST_PROXY: '2' } });
  expect(oneOf(other, 'ConfigMap').data.TRUST_PROXY).toBe('2');
});

test('Prometheus reads metrics with the gateway’s key, or another one', async () => {
  const credentials = async (serviceMonitor: object) =>
    oneOf(await rendered({ serviceMonitor: { enabled: true, ...serviceMonitor } }), 'ServiceMonitor').spec
      .endpoints[0]?.authorization.credentials;
  expect(await credentials({})).toEqual({ name: 'keys', key: 'API_KEY' });
  const own = { name: 'scraper', key: 'token' };
  expect(await credentials({ secret: own })).toEqual(own);
});

test('changed settings restart the pods', async () => {
  const checksum = async (settings: object) => {
    const { spec } = oneOf(await rendered({ settings }), 'StatefulSet');
    return spec.template.metadata.annotations['checksum/settings'];
  };
  expect(await checksum({ LOG_LEVEL: 'warn' })).toBe(await checksum({ LOG_LEVEL: 'warn' }));
  expect(await checksum({ LOG_LEVEL: 'warn' })).not.toBe(await checksum({ LOG_LEVEL: 'info' }));
});

test('what else values say is in the pod', async () => {
  const resources = { limits: { memory: '8Gi' } };
  const all = await rendered({
    ...{ resources, nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
    ...{ affinity: { nodeAffinity: {} }, imagePullSecrets: [{ name: 'pull' }], podAnnotations: { a: 'b' } },
    storage: { size: '1Ti', className: 'fast' },
  });
  const { container, ...pod } = podOf(all);
  expect(container.resources).toEqual(resources);
  expect(pod).toMatchObject({ nodeSelector: { disk: 'ssd' }, imagePullSecrets: [{ name: 'pull' }] });
  const { spec } = oneOf(all, 'StatefulSet');
  expect(spec.template.metadata.annotations).toMatchObject({ a: 'b' });
  expect(spec.volumeClaimTemplates[0]?.spec).toMatchObject({
    ...{ storageClassName: 'fast', resources: { requests: { storage: '1Ti' } } },
  });
});

test.each([
  [{ image: {} }, 'image.repository: the image that you have built and pushed'],
  [{ secret: {} }, 'secret.name: the Secret'],
  [{ engine: 'sqlite' }, 'engine: duckdb or bigquery'],
  [{ settings: { MAX_CONCURRENT_QUERIES: 4 } }, 'settings.MAX_CONCURRENT_QUERIES: write the value in quotes'],
  [{ ingress: { enabled: true } }, 'ingress.host: the name of the gateway'],
  [{ engine: 'bigquery', backup: { enabled: true } }, 'backup: only a store of duckdb is backed up'],
])('the values %j are refused with a reason', async (values, reason) => {
  await expect(rendered(values)).rejects.toThrow(reason);
});

test('docs/deploying.md shows values that the chart takes, with the keys of the Secret that it makes', async () => {
  const [values = ''] = await blocksOf('docs/deploying.md', 'yaml');
  const all = await rendered(parse(values));
  const { data } = oneOf(all, 'ConfigMap');
  expect(readConfig({ ...data, REDIS_URL: 'redis://redis' }).maxConcurrentQueries).toBe(16);
  const commands = (await blocksOf('docs/deploying.md', 'sh')).filter((block) =>
    block.includes('create secret'),
  );
  const made = commands.map((block) =>
    Array.from(block.matchAll(/literal=(\w+)=/g), ([, name]) => `${name}_FILE`),
  );
  const files = (manifests: readonly Manifest[]) =>
    podOf(manifests).container.env.flatMap(({ name }) => (name.endsWith('_FILE') ? [name] : []));
  expect(made).toEqual([files(await rendered({})), files(all)]);
});

test('the chart has the version of the package', async () => {
  const { version, appVersion } = parse(await readFile('deploy/helm/endpoint-gateway/Chart.yaml', 'utf8'));
  expect([version, appVersion]).toEqual([packageFile.version, packageFile.version]);
});
