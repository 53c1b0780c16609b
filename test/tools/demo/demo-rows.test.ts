import { beforeAll, describe, expect, it } from 'vitest';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import type { Source } from '../../../src/definitions/sources/source.ts';
import { parseTimestamp } from '../../../src/sql/values/timestamp-text.ts';
import { type DemoRowsOptions, demoRows } from '../../../src/tools/demo/demo-rows.ts';
import { type DemoRow, type DemoSource, demoSources } from '../../../src/tools/demo/rows/call.ts';
import { projects } from '../../../src/tools/demo/vocabulary/projects.ts';
import { seededRandom } from '../../../src/tools/made-up-rows/making/random.ts';
import { rowEncoder } from '../../support/row-encoder.ts';

const hour = 3_600_000_000n;
const noon = BigInt(Date.UTC(2026, 4, 4, 12)) * 1000n;

function generate(seed: number, options: Partial<Omit<DemoRowsOptions, 'random'>> = {}): DemoRow[] {
  const defaults = { from: noon, to: noon + hour, rowsPerSecond: 0.5 };
  return [...demoRows({ ...defaults, ...options, random: seededRandom(seed) })];
}

/** One value at a path of keys through the first record of each repeated field. */
function at(row: DemoRow, ...path: string[]): unknown {
  let value: unknown = row.row;
  for (const key of path) {
    const record: unknown = Array.isArray(value) ? value[0] : value;
    value = typeof record === 'object' && record !== null ? Reflect.get(record, key) : undefined;
  }
  return value;
}

function ofSource(rows: readonly DemoRow[], source: DemoSource): DemoRow[] {
  return rows.filter((row) => row.source === source);
}

describe('demo rows', () => {
  let sources: readonly Source[];
  beforeAll(async () => {
    sources = (await loadSources('schema/sources')).sources;
  });

  it('fit the schemas of the sources, every one of which has some', () => {
    const rows = generate(1);
    for (const name of demoSources) {
      const source = sources.find((candidate) => candidate.name === name);
      if (source === undefined) throw new Error(`no source ${name}`);
      const encode = rowEncoder(source);
      const ofThis = ofSource(rows, name);
      expect(ofThis.length, name).toBeGreaterThan(0);
      for (const { row } of ofThis) encode(JSON.stringify(row));
    }
  });

  it('come in the order of their timestamps, within the bounds', () => {
    const from = noon + 123_456n;
    const to = noon + hour / 4n + 654_321n;
    const rows = generate(2, { from, to, rowsPerSecond: 20 });
    const times = rows.map(({ row }) => parseTimestamp(row.timestamp) ?? -1n);
    expect(times).toEqual([...times].sort((a, b) => Number(a - b)));
    expect(times[0]).toBeGreaterThanOrEqual(from);
    expect(times.at(-1)).toBeLessThan(to);
    expect(rows.map((row) => BigInt(row.at))).toEqual(times);
  });

  it('are the same for the same random numbers, and others for others', () => {
    expect(generate(3)).toEqual(generate(3));
    expect(generate(3)).not.toEqual(generate(4));
  });

  it('have ids of their own, which are UUIDs', () => {
    const ids = generate(5, { rowsPerSecond: 3 }).map(({ row }) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('have requests to all four areas in every hour, however few', () => {
    const rows = generate(6, { to: noon + 24n * hour, rowsPerSecond: 0.175 });
    for (let start = noon; start < noon + 24n * hour; start += hour) {
      const inHour = ofSource(rows, 'edge_logs').filter((row) => row.at >= start && row.at < start + hour);
      const paths = inHour.map((row) => String(at(row, 'metadata', 'request', 'path')));
      for (const area of ['/rest/v1', '/auth/v1', '/storage/v1', '/realtime/v1']) {
        expect(paths.some((path) => path.startsWith(`${area}/`))).toBe(true);
      }
    }
  });

  it('are as many as was asked for', () => {
    const rows = generate(7, { to: noon + 24n * hour, rowsPerSecond: 0.5 });
    const asked = 24 * 3600 * 0.5;
    expect(rows.length).toBeGreaterThan(asked * 0.95);
    expect(rows.length).toBeLessThan(asked * 1.05);
  });

  it('are unevenly spread over the projects, and every project has some', () => {
    const edge = ofSource(generate(8, { rowsPerSecond: 10 }), 'edge_logs');
    const counts = projects.map(({ ref }) => edge.filter((row) => at(row, 'project') === ref).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeGreaterThan(5 * Math.min(...counts));
  });

  it('follow day and night', () => {
    const rows = ofSource(generate(9, { to: noon + 24n * hour, rowsPerSecond: 0.5 }), 'edge_logs');
    const [busiest] = projects;
    const between = (first: number, last: number) =>
      rows.filter((row) => {
        const hourOfDay = Math.floor(row.at / Number(hour)) % 24;
        return at(row, 'project') === busiest.ref && hourOfDay >= first && hourOfDay <= last;
      }).length;
    expect(between(16, 19)).toBeGreaterThan(2 * between(4, 7));
  });

  it('are consistent in all sources of a request', () => {
    const rows = generate(10, { rowsPerSecond: 5 });
    const edge = new Map(
      ofSource(rows, 'edge_logs').map((row) => [at(row, 'metadata', 'request', 'headers', 'cf_ray'), row]),
    );
    const followUps = [
      {
        source: 'auth_logs',
        area: '/auth/v1/',
        project: ['project'],
        id: ['request_id'],
        status: ['status'],
      },
      {
        source: 'storage_logs',
        area: '/storage/v1/',
        project: ['metadata', 'project'],
        id: ['req', 'headers', 'cf_ray'],
        status: ['res', 'statusCode'],
      },
      {
        source: 'function_edge_logs',
        area: '/functions/v1/',
        project: ['metadata', 'project_ref'],
        id: ['request_id'],
        status: ['response', 'status_code'],
      },
    ] as const;
    for (const { source, area, project, id, status } of followUps) {
      const found = ofSource(rows, source);
      const path = (row: DemoRow) => String(at(row, 'metadata', 'request', 'path'));
      expect(found.length).toBe([...edge.values()].filter((row) => path(row).startsWith(area)).length);
      for (const row of found) {
        const request = edge.get(at(row, 'metadata', ...id));
        if (request === undefined) throw new Error(`${source} names a request that nobody made`);
        expect(at(row, 'metadata', ...status)).toBe(at(request, 'metadata', 'response', 'status_code'));
        expect(at(row, ...project)).toBe(at(request, 'project'));
        expect(row.at).toBeLessThanOrEqual(request.at);
        expect(request.at - row.at).toBeLessThan(1_000_000);
      }
    }
  });

  it('hold failures and slow queries, too', () => {
    const rows = generate(11, { rowsPerSecond: 10 });
    const statuses = ofSource(rows, 'edge_logs').map((row) =>
      Number(at(row, 'metadata', 'response', 'status_code')),
    );
    expect(statuses.some((status) => status >= 400 && status < 500)).toBe(true);
    expect(statuses.some((status) => status >= 500)).toBe(true);
    const database = ofSource(rows, 'postgres_logs');
    expect(database.some((row) => at(row, 'metadata', 'parsed', 'error_severity') === 'ERROR')).toBe(true);
    expect(database.some((row) => row.row.event_message.startsWith('duration: '))).toBe(true);
  });
});
