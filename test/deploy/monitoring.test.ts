import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { errorCatalogue } from '../../src/base/errors/errors.ts';
import { metricsRegistry } from '../../src/server/observability/metrics/gateway-metrics.ts';
import { anchorsOf, quoted, tableRows } from '../docs/markdown.ts';

const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook: z.string() }),
});
const [{ rules }] = z
  .object({ groups: z.tuple([z.object({ name: z.string(), rules: z.array(rule) })]) })
  .parse(parse(await readFile('deploy/prometheus/alerts.yaml', 'utf8'))).groups;

const dashboard = z
  .object({
    panels: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
        targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
      }),
    ),
    templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  })
  .parse(JSON.parse(await readFile('deploy/grafana/endpoint-gateway.json', 'utf8')));

interface Known {
  readonly labels: readonly string[];
  readonly isHistogram: boolean;
  readonly meaning: string;
}

/** The metrics by their printed names. docs/operating.md lists those of the code: `test/docs/operating.test.ts`. */
const metrics = new Map<string, Known>();
for (const [name = '', labels = '', meaning = ''] of await tableRows('docs/operating.md', 'Metric')) {
  const own = Array.from(labels.matchAll(/`(\w+)`/g), ([, label = '']) => label);
  const isHistogram = meaning.startsWith('Histogram');
  const endings = isHistogram ? ['_bucket', '_sum', '_count'] : [''];
  for (const ending of endings)
    metrics.set(quoted(name) + ending, {
      meaning,
      isHistogram,
      labels: ending === '_bucket' ? [...own, 'le'] : own,
    });
}
for (const { name } of metricsRegistry().getMetricsAsArray())
  metrics.set(name, { labels: [], isHistogram: false, meaning: '' });
/** Those of others. */
metrics.set('up', { labels: [], isHistogram: false, meaning: '' });
for (const name of ['node_systemd_unit_state', 'node_systemd_timer_last_trigger_seconds'])
  metrics.set(name, { labels: ['name', 'state'], isHistogram: false, meaning: '`failed`' });
// https://github.com/kubernetes/kube-state-metrics/blob/main/docs/metrics/workload/cronjob-metrics.md
for (const name of ['kube_cronjob_status_last_successful_time', 'kube_cronjob_created'])
  metrics.set(name, { labels: ['namespace', 'cronjob'], isHistogram: false, meaning: '' });

/** What Prometheus adds. */
const ofTargets = ['job', 'instance'];

const expressions = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr, shown: '' })),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ name: title, expr, shown: legendFormat })),
  ),
];

test('there are alerts and panels', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(expressions.length).toBeGreaterThan(rules.length + 20);
});

describe.each(expressions)('$name', ({ expr, shown }) => {
  const selected = [
    ...expr.matchAll(/\b((?:gateway|process|nodejs|node|kube)_\w+|up)\b(?:\{([^}]*)\})?/g),
  ].map(([, name = '', conditions = '']) => ({ name, conditions }));

  test('asks for metrics, labels and values that there are', () => {
    expect(selected.length).toBeGreaterThan(0);
    for (const { name, conditions } of selected) {
      const metric = metrics.get(name);
      if (metric === undefined) throw new Error(`there is no metric ${name}`);
      for (const [, label = '', operator = '', value = ''] of conditions.matchAll(
        /(\w+)(=~|!=|=)"([^"]*)"/g,
      )) {
        expect([...metric.labels, ...ofTargets]).toContain(label);
        if (ofTargets.includes(label) || ['status', 'name', 'cronjob'].includes(label)) continue;
        for (const each of operator === '=~' ? value.split('|') : [value]) {
          if (label === 'code') expect(Object.keys(errorCatalogue)).toContain(each);
          else expect(metric.meaning).toContain(`\`${each}\``);
        }
      }
    }
  });

  test('groups by labels that there are, and shows those that it has', () => {
    const labels = selected.flatMap(({ name }) => metrics.get(name)?.labels ?? []);
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
    for (const label of grouped) expect([...labels, ...ofTargets]).toContain(label);
    for (const [, label = ''] of shown.matchAll(/\{\{(\w+)\}\}/g)) {
      expect(grouped.length === 0 ? [...labels, ...ofTargets] : grouped).toContain(label);
    }
  });

  test('takes quantiles of buckets by their bounds', () => {
    for (const [, names] of expr.matchAll(/histogram_quantile\([\d.]+, sum by \(([^)]*)\)/g))
      expect(names).toMatch(/\ble\b/);
    expect(expr.includes('_bucket')).toBe(expr.includes('histogram_quantile'));
  });
});

describe.each(rules)('$alert', ({ expr, annotations }) => {
  test('leads to a section of a document', async () => {
    const [file = '', anchor] = annotations.runbook.split('#');
    expect(existsSync(file), file).toBe(true);
    if (anchor !== undefined) expect(await anchorsOf(file)).toContain(anchor);
  });

  test('names labels that its expression keeps', () => {
    const grouped = /\bby \(/.test(expr);
    const text = Object.values(annotations).join(' ');
    const kept = expr.match(/\bby \(([^)]*)\)/)?.[1]?.split(/,\s*/) ?? [];
    for (const [, label] of text.matchAll(/\$labels\.(\w+)/g)) {
      expect(grouped ? kept : ofTargets).toContain(label);
    }
  });

  test('names settings and metrics that there are', async () => {
    const settings = await readFile('docs/settings.md', 'utf8');
    for (const [name] of annotations.description.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g))
      expect(settings.includes(`\`${name}\``) || name in errorCatalogue, name).toBe(true);
    for (const [name] of annotations.description.matchAll(/\bgateway_\w+/g))
      expect(metrics.has(name) || metrics.has(`${name}_count`), name).toBe(true);
  });
});

test('no panel covers another', () => {
  const cells = new Set<string>();
  for (const { gridPos, title } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x} ${y}`), title).toBe(false);
        cells.add(`${x} ${y}`);
      }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

/** With Prometheus only, whose package is too large for CI. */
test.skipIf(!existsSync('/usr/bin/promtool'))(
  'Prometheus accepts the alerts, and they are raised as expected',
  async () => {
    const run = (...args: string[]) =>
      promisify(execFile)('/usr/bin/promtool', args, { cwd: 'deploy/prometheus' });
    expect((await run('check', 'rules', 'alerts.yaml')).stdout).toContain(`SUCCESS: ${rules.length} rules`);
    expect((await run('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS');
  },
);
