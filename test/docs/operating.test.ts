import { expect, test } from 'vitest';
import { quantities } from '../../src/calls/access/caller/allowance.ts';
import { budgetStates, memoryBudgets } from '../../src/definitions/settings/memory-budgets.ts';
import { readTraceEnvironment } from '../../src/definitions/settings/trace-environment.ts';
import { rejectionCauses } from '../../src/rows/ingest/encode/row-validation-error.ts';
import type { RequestLine } from '../../src/server/http/request/request-log.ts';
import { metricsOf } from '../support/metrics.ts';
import { blocksOf, quoted, tableRows } from './markdown.ts';

/** Every label of every metric, with its values apart from the names of endpoints and numbers. */
async function shownMetrics(): Promise<Map<string, Map<string, Set<string>>>> {
  const measured = memoryBudgets();
  const all = metricsOf({
    engine: 'duckdb',
    cachedEntries: () => 1,
    cachedBytes: () => 1,
    memory: () => budgetStates(measured),
    permits: () => ({
      ...{ running: 1, waiting: 1, permits: 1 },
      classes: [{ name: 'default', running: 1, waiting: 1, maxWaiting: 1 }],
    }),
    origin: () => ({ from: 'a', version: 'b', confirmedAt: undefined, failure: undefined }),
    states: {
      process: () => ({ state: 'ready', restarts: 0, memoryBytes: 1 }),
      storeState: () => ({
        disk: { sizeBytes: 1, freeBytes: 1, reservedBytes: 1, isFull: false },
        waitingLength: 0,
        cutBytes: 0,
        unavailable: [],
      }),
      store: { sourceStates: async () => [{ source: 'a', rows: 1, bytes: 1, oldest: 1n, newest: 1n }] },
    },
  });
  const { executor, requests, bigquery, events, live, loops, records, text } = all;
  for (const process of ['gateway', 'engine'] as const) loops(process, 0.01);
  for (const outcome of ['success', 'error', 'cancelled'] as const) executor.engineRun('a', outcome, 1);
  for (const status of ['hit', 'miss', 'stale', 'off'] as const) executor.cacheRequest('a', status);
  for (const outcome of ['success', 'error'] as const) executor.warmRun('a', outcome);
  for (const handler of ['rest', 'graphql', 'mcp', 'live', 'other'] as const) {
    requests.request(handler, 200, 1);
  }
  requests.failed('a', 'BAD_USER_INPUT');
  requests.deprecated('a', 1);
  for (const outcome of ['answer', 'error', 'no-answer'] as const) bigquery.attempt(outcome);
  executor.engineRun('a', 'success', 1, {
    cost: { bytesProcessed: 1, bytesBilled: 1, slotMs: 1, engineCacheHit: true },
    slices: { kept: 1, made: 1 },
  });
  for (const outcome of ['added', 'duplicate'] as const) events.rows('a', outcome, 1);
  for (const cause of rejectionCauses) events.rejected('a', cause, 1);
  events.committed(1);
  events.lag('a', 1);
  live.opened();
  live.sent();
  live.skipped();
  for (const cause of ['client', 'slow', 'key', 'stop', 'error'] as const) live.ended(cause);
  executor.collapsed('a');
  for (const outcome of ['stored', 'dropped'] as const) records('a')(outcome, 1);
  for (const kind of ['key', 'token', 'endpoint'] as const)
    for (const of of quantities) executor.allowanceSpent(kind, of);
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const [, line = '', labels = ''] of (await text()).matchAll(/^(gateway_\w+)(?:\{(.*)\})? /gm)) {
    const name = line.replace(/_(?:bucket|sum|count)$/, '');
    const known = metrics.get(name) ?? new Map<string, Set<string>>();
    metrics.set(name, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      if (label !== 'le') known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return metrics;
}

test('docs/operating.md lists every metric with its labels and their values', async () => {
  const rows = await tableRows('docs/operating.md', 'Metric');
  const metrics = await shownMetrics();
  expect(rows.map(([name = '']) => quoted(name)).sort()).toEqual([...metrics.keys()].sort());
  for (const [name = '', labels = '', meaning = ''] of rows) {
    const shown = metrics.get(quoted(name)) ?? new Map<string, Set<string>>();
    expect([...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).sort()).toEqual(
      [...shown.keys()].sort(),
    );
    for (const label of ['outcome', 'result', 'api', 'cause', 'kind', 'of']) {
      for (const value of shown.get(label) ?? []) expect(meaning).toContain(`\`${value}\``);
    }
  }
});

/** Every field of a request's line. */
const fields: Readonly<Record<keyof RequestLine, true>> = {
  requestId: true,
  traceparent: true,
  method: true,
  path: true,
  key: true,
  endpoint: true,
  version: true,
  cache: true,
  class: true,
  rows: true,
  engineMs: true,
  bytes: true,
  error: true,
  status: true,
  durationMs: true,
  aborted: true,
};

test('docs/operating.md lists every field of a request’s line, and shows one', async () => {
  const rows = await tableRows('docs/operating.md', 'Field');
  const listed = rows.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(listed.sort()).toEqual(Object.keys(fields).sort());
  const [shown = ''] = await blocksOf('docs/operating.md', 'json');
  const { level, time, msg, ...line } = JSON.parse(shown.replaceAll('\n', ''));
  expect([level, msg]).toEqual(['info', 'request']);
  expect(new Date(time).toISOString()).toBe(time);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(line)));
});

test('docs/operating.md lists the variables of OpenTelemetry that are read', async () => {
  const asked = new Set<string>();
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  readTraceEnvironment(
    new Proxy(given, {
      get(target, name) {
        asked.add(String(name));
        return Reflect.get(target, name);
      },
    }),
  );
  const text = (await tableRows('docs/operating.md', 'Variable')).map(([names]) => names).join();
  expect(asked.size).toBeGreaterThan(8);
  for (const name of asked) expect(text).toContain(`\`${name}\``);
});
