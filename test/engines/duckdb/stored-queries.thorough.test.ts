import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { loadSchema, loadSourceSchemas } from '../../../src/app/schema/load-schema.ts';
import { sourceCatalog } from '../../../src/app/schema/source-catalog.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import type { Source, SourceColumn } from '../../../src/definitions/sources/source.ts';
import { DuckDbEngine } from '../../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import { json } from '../../../src/rows/formats/json.ts';
import { plainStyle } from '../../../src/rows/formats/render/json-style.ts';
import { receiveRows } from '../../../src/rows/ingest/receive.ts';
import { gather } from '../../../src/server/rest/answers/make-body.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan } from '../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';
import { parseTimestamp } from '../../../src/sql/values/timestamp-text.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { demoSources } from '../../../src/tools/demo/rows/call.ts';
import { projectFields } from '../../support/project-fields.ts';

/** Both stored queries against a plain recomputation, over made-up rows and over real ones where they are there. */

interface LogRow {
  readonly id: string;
  readonly timestamp: string;
  readonly project?: string;
  readonly metadata?: readonly Record<string, unknown>[];
  readonly [column: string]: unknown;
}

const realRows = '../shared/data/ndjson';
const ref = 'aaaabbbbccccddddeeee';
const other = 'ffffgggghhhhiiiijjjj';

/** A second before and after midnight, and the microseconds around it. */
const edges = ['2015-05-18T23:59:59.999999Z', '2015-05-19T00:00:00Z', '2015-05-19T00:00:00.000001Z'];

const url = (project: string, path: string) => `https://${project}.example.co${path}`;
const request = (project: string, path: string | null) => ({
  path,
  url: path === null ? null : url(project, path),
});

const madeUp: Record<string, LogRow[]> = {
  edge_logs: [
    ...edges.map((timestamp, i) => ({
      id: `e${i}`,
      timestamp,
      project: ref,
      metadata: [{ request: [request(ref, '/rest/v1/a')] }],
    })),
    { id: 'no-metadata', timestamp: edges[1] as string, project: ref },
    { id: 'no-request', timestamp: edges[1] as string, project: ref, metadata: [{}] },
    { id: 'empty-request', timestamp: edges[1] as string, project: ref, metadata: [{ request: [] }] },
    {
      id: 'no-url',
      timestamp: edges[1] as string,
      project: ref,
      metadata: [{ request: [request(ref, null)] }],
    },
    {
      id: 'two-requests',
      timestamp: '2015-05-19T03:04:05.5Z',
      project: ref,
      metadata: [
        { request: [request(ref, '/auth/v1/x'), request(ref, '/storage/v1/x')] },
        { request: [request(ref, '/realtime/v1/rest/auth')] },
      ],
    },
    {
      id: 'other',
      timestamp: edges[1] as string,
      project: other,
      metadata: [{ request: [request(other, '/rest/v1/a')] }],
    },
  ],
  function_logs: [
    { id: 'f1', timestamp: edges[0] as string, metadata: [{ project_ref: ref }] },
    { id: 'f2', timestamp: edges[2] as string, metadata: [{ project_ref: other }] },
    { id: 'f3', timestamp: edges[2] as string },
  ],
  realtime_logs: [{ id: 'r1', timestamp: edges[0] as string, metadata: [{ project: ref }] }],
  pgbouncer_logs: [{ id: 'p1', timestamp: edges[0] as string, project: ref }],
};

const rowsOf = new Map<string, LogRow[]>();
let folder: string;
let analyzer: Analyzer;
let store: Store;
let engine: DuckDbEngine;
let endpoints: readonly Endpoint[];
let now = 0n;
const hasRealRows = existsSync(realRows);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stored-queries-'));
  const config = readConfig({ RECORD_CALLS: 'false', DATA_DIR: folder });
  analyzer = await Analyzer.start();
  const sources = await loadSourceSchemas(config);
  store = await openStore({ dataDir: folder, sources, memoryLimit: '1GB', threads: 2 });
  for (const { name } of sources) {
    const real = hasRealRows ? gunzipSync(await readFile(`${realRows}/${name}.ndjson.gz`)).toString() : '';
    const text = [real.trim(), ...(madeUp[name] ?? []).map((row) => JSON.stringify(row))].join('\n');
    rowsOf.set(
      name,
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LogRow),
    );
    await receiveRows(
      store,
      name,
      (async function* () {
        yield Buffer.from(text);
      })(),
      { skipBadRows: false, signal: new AbortController().signal },
    );
  }
  engine = await DuckDbEngine.open({ store, now: () => now });
  ({ endpoints } = await loadSchema(config, new LocalPlanner(analyzer), sources, (plan) =>
    engine.prepare(plan),
  ));
});

afterAll(async () => {
  await engine?.close();
  await store?.close();
  await analyzer?.close();
  await rm(folder, { recursive: true });
});

async function run(
  plan: Plan,
  values: Record<string, Value>,
  maxRows = 1000,
): Promise<Record<string, unknown>[]> {
  const result = await engine.run({
    plan,
    parameters: new Map([...plan.parameters.keys()].map((name) => [name, values[name] ?? null])),
    maxRows,
    signal: new AbortController().signal,
  });
  const bytes = await gather(json.encode(result.columns, result.rows.chunks(), plainStyle));
  return (JSON.parse(bytes.toString()) as { result: Record<string, unknown>[] }).result;
}

const endpoint = (name: string) => endpoints.find((candidate) => candidate.name === name) as Endpoint;
const micros = (row: LogRow) => parseTimestamp(row.timestamp) as bigint;

/** A record with every field of its schema, as the answer prints it. */
function complete(
  columns: readonly SourceColumn[],
  record: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(({ name, mode, fields }) => {
      const value = record[name] ?? (mode === 'REPEATED' ? [] : null);
      const isRecords = mode === 'REPEATED' && fields.length > 0;
      return [
        name,
        isRecords ? (value as Record<string, unknown>[]).map((each) => complete(fields, each)) : value,
      ];
    }),
  );
}

function matches(source: string, row: LogRow, project: string): number {
  const field = projectFields[source];
  if (field === undefined) return row.project === project ? 1 : 0;
  return (row.metadata ?? []).filter((record) => record[field] === project).length;
}

const projects = hasRealRows
  ? [ref, 'qkzwvhtnbmxsrjdplacy', 'zyabcoilerkdvnmtqhxw', 'nobody']
  : [ref, 'nobody'];
const bounds: { start?: string; end?: string }[] = [
  {},
  { start: '', end: '' },
  { start: edges[1] as string },
  { end: edges[1] as string },
  { start: edges[0] as string, end: edges[1] as string },
  { start: '2015-05-19T02:00:00+02:00', end: '2015-05-19 00:00:00.000001' },
  { start: '2017-01-01', end: '2016-01-01' },
];

describe('logs.all', () => {
  it.each(projects)(
    'gives the newest 100 edge rows of %s within both bounds, to the microsecond',
    async (project) => {
      const source = store.sources.find(({ name }) => name === 'edge_logs') as Source;
      const columns = source.columns.filter(({ name }) => name !== 'project');
      for (const { start, end } of bounds) {
        const expected = (rowsOf.get('edge_logs') as LogRow[])
          .filter((row) => row.project === project)
          .filter((row) => !start || micros(row) > (parseTimestamp(start) as bigint))
          .filter((row) => !end || micros(row) <= (parseTimestamp(end) as bigint))
          .map((row) => ({ ...complete(columns, row), timestamp: Number(micros(row)) }))
          .sort((a, b) => b.timestamp - a.timestamp);
        const rows = await run(endpoint('logs.all').plan, {
          project,
          iso_timestamp_start: start ?? null,
          iso_timestamp_end: end ?? null,
        });
        expect(rows.map((row) => row.timestamp)).toEqual(expected.slice(0, 100).map((row) => row.timestamp));
        // Rows with one timestamp come in any order.
        const byId = new Map(expected.map((row) => [(row as unknown as LogRow).id, row]));
        for (const row of rows) {
          expect(row).toEqual(byId.get(row.id as string));
          expect(Object.keys(row)).toEqual(['id', 'timestamp', 'event_message', 'metadata']);
        }
        expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
      }
    },
  );

  it.each(demoSources)('matches the project in %s in its own way', async (source) => {
    const stored = endpoint('logs.all').plan;
    const withClause = stored.sql.slice(0, stored.sql.lastIndexOf('SELECT id'));
    const sql = `${withClause} SELECT id, timestamp FROM ${source}`;
    const statement = await analyzer.analyze(sql, {
      catalog: sourceCatalog(store.sources),
      parameters: stored.parameters,
    });
    const columns = resultColumns(statement);
    const plan = newPlan({ isCallers: false, sql, statement, columns, parameters: stored.parameters });
    for (const project of projects) {
      const values = { project, iso_timestamp_start: '1990-01-01', iso_timestamp_end: edges[1] as string };
      const rows = await run(plan, values, 10_000);
      const expected = (rowsOf.get(source) as LogRow[])
        .filter((row) => micros(row) <= (parseTimestamp(edges[1] as string) as bigint))
        .flatMap((row) => Array<string>(matches(source, row, project)).fill(row.id));
      expect(rows.map((row) => row.id).sort()).toEqual(expected.sort().slice(0, 10_000));
      // The CTE is ordered, newest first, and a query that only reads it keeps that order.
      const times = rows.map((row) => row.timestamp as number);
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }
  });
});

describe('usage.api-counts', () => {
  const windows = { hourly: 3600n, daily: 7n * 86_400n, minutely: 3600n };
  const buckets = { hourly: 3600n, daily: 86_400n, minutely: 60n };
  const areas = ['rest', 'storage', 'auth', 'realtime'];

  function recompute(interval: keyof typeof windows, pattern: string) {
    const start = now - windows[interval] * 1_000_000n;
    const size = buckets[interval] * 1_000_000n;
    const counts = new Map<bigint, Record<string, number>>();
    for (const row of rowsOf.get('edge_logs') as LogRow[]) {
      if (micros(row) < start) continue;
      for (const { request: requests = [] } of (row.metadata ?? []) as {
        request?: { url?: string; path?: string }[];
      }[]) {
        for (const { url: requested, path: requestPath } of requests) {
          if (requested == null || !new RegExp(pattern).test(requested)) continue;
          const bucket = micros(row) - (micros(row) % size);
          const count = counts.get(bucket) ?? Object.fromEntries(areas.map((area) => [area, 0]));
          for (const area of areas)
            if (requestPath?.includes(`/${area}`)) count[area] = (count[area] ?? 0) + 1;
          counts.set(bucket, count);
        }
      }
    }
    return [...counts]
      .sort(([a], [b]) => Number(a - b))
      .map(([bucket, count]) => ({
        timestamp: new Date(Number(bucket / 1000n)).toISOString().slice(0, 19),
        ...Object.fromEntries(areas.map((area) => [`total_${area}_requests`, count[area]])),
      }));
  }

  it.each(['hourly', 'daily', 'minutely'] as const)(
    '%s counts each request record in each of its areas',
    async (interval) => {
      // The last one puts a row exactly at the start of each window, the one before a microsecond outside.
      const start = micros({ id: '', timestamp: edges[2] as string });
      const clocks = [
        parseTimestamp('2015-05-19T03:30:00.123456Z') as bigint,
        parseTimestamp('2015-05-20T12:00:00Z') as bigint,
        start + windows[interval] * 1_000_000n + 1n,
        start + windows[interval] * 1_000_000n,
      ];
      for (const clock of clocks) {
        now = clock;
        for (const project of [
          ...projects,
          '.*',
          '^https://a+b',
          `${ref}|${other}`,
          '(?:zz|qk)[a-z]+\\.example',
          '',
        ]) {
          const rows = await run(endpoint('usage.api-counts').plan, { interval, project });
          expect({ project, rows }).toEqual({ project, rows: recompute(interval, project) });
        }
      }
    },
  );

  it('gives no bucket when nothing matches', async () => {
    now = parseTimestamp('2030-01-01') as bigint;
    expect(await run(endpoint('usage.api-counts').plan, { interval: 'daily', project: '.' })).toEqual([]);
  });
});
