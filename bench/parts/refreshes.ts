import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceCatalog } from '../../src/app/schema/source-catalog.ts';
import { shippedFolders } from '../../src/base/package-folder.ts';
import { DuckDbEngine } from '../../src/engines/duckdb/run/duckdb-engine.ts';
import { sourceName } from '../../src/engines/duckdb/run/emit-context.ts';
import { Slices } from '../../src/engines/duckdb/slices/slices.ts';
import { openStore } from '../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../src/engines/duckdb/store/store.ts';
import { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan } from '../../src/sql/plan/plan.ts';
import { resultColumns } from '../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../src/sql/values/type.ts';
import { batchOf } from '../../test/engines/duckdb/store/support.ts';
import { type Finding, formatMs } from '../finding.ts';
import { median } from '../measure.ts';
import { prove, proveIs } from '../proof.ts';
import type { StartedClickhouse } from '../report/clickhouse/started-clickhouse.ts';
import { projectRef } from '../store/projects.ts';
import { edgeLogsOf, shippedSources } from '../store/shipped-sources.ts';
import { apiCountsOfLeaves } from './leaves-by-hand.ts';
import { apiCountsInClickhouse } from './leaves-in-clickhouse.ts';

export interface RefreshOptions {
  readonly dataDir: string;
  readonly refreshes?: number;
  /** A query of fewer rows isn't sliced; by default, as in a gateway. */
  readonly leastRows?: number;
  /** With the rows of the store. */
  readonly clickhouse?: Pick<StartedClickhouse, 'run'>;
}

/** Runs of a query, in milliseconds. */
export interface Refreshes {
  readonly what: string;
  /** After new rows, merged from slices. */
  readonly sliced: readonly number[];
  /** The same at the same moments, from all rows. */
  readonly whole: readonly number[];
  /** The first run, which makes slices, and the same from all rows. */
  readonly first: number;
  readonly firstWhole: number;
  /** What others take after the same rows, if someone has written the query for them. */
  readonly byHand: readonly number[];
  readonly clickhouse: readonly number[];
}

/** New rows before each refresh. */
export const addedRows = 1_000;

/** A query whose window moves with the clock, which stands still while an answer is compared. */
interface Asked {
  readonly what: string;
  readonly sql: string;
  readonly values: Readonly<Record<string, string>>;
  /** The same by someone who knows DuckDB and the flat table, and by someone who knows ClickHouse. */
  readonly byHand?: (now: bigint) => string;
  readonly inClickhouse?: (now: bigint) => string;
}

const byStatus = `SELECT TIMESTAMP_TRUNC(t.timestamp, DAY) AS day, s.status_code AS status, COUNT(*) AS n, MAX(t.timestamp) AS latest
FROM logs.edge_logs AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.response) AS s
WHERE t.timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)
GROUP BY day, status ORDER BY day, status`;

const byHour = `SELECT TIMESTAMP_TRUNC(timestamp, HOUR) AS hour, COUNT(*) AS n FROM logs.edge_logs
WHERE project = @project AND timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 28 DAY)
GROUP BY hour ORDER BY hour`;

/**
 * Measures queries over a window of time, with slices and without: the run that makes them, and runs after new
 * rows were added. Proves that both have the same answers.
 *
 * @throws MeasurementError
 */
export async function measureRefreshes({
  dataDir,
  refreshes = 15,
  leastRows,
  clickhouse,
}: RefreshOptions): Promise<Refreshes[]> {
  await using opened = new AsyncDisposableStack();
  const sources = await shippedSources();
  const store = await openStore({ dataDir, sources, memoryLimit: '2GB', threads: 2 });
  opened.defer(() => store.close());
  const clock = { now: BigInt(Date.now()) * 1000n };
  const failures: unknown[] = [];
  const slices = await Slices.open({
    ...{ store, sourceName, now: () => clock.now, elapsed: () => performance.now(), maxBytes: 64e6 },
    // Queries of few rows are measured, too.
    leastMs: 0,
    ...(leastRows !== undefined && { leastRows, sliceRows: leastRows }),
    onFailure: (error) => failures.push(error),
  });
  const engine = await DuckDbEngine.open({ store, now: () => clock.now, slices });
  opened.defer(() => engine.close());
  const analyzer = await Analyzer.start();
  opened.defer(() => analyzer.close());
  const daily = await readFile(join(shippedFolders.endpoints, 'usage.api-counts.sql'), 'utf8');
  const project = projectRef(1);
  const asked: readonly Asked[] = [
    {
      ...{ what: 'usage.api-counts daily', sql: daily, values: { interval: 'daily', project } },
      byHand: (now) => apiCountsOfLeaves(project, 'daily', now),
      inClickhouse: (now) => apiCountsInClickhouse(project, 'daily', now).sql,
    },
    { what: 'a week by day and status', sql: byStatus, values: {} },
    { what: 'a project, four weeks by hour', sql: byHour, values: { project } },
  ];
  const source = edgeLogsOf(sources);
  const addRows = addingRows(store, source, project);
  const measured: Refreshes[] = [];
  const connection = await store.connect();
  opened.defer(() => connection.closeSync());
  for (const { what, sql, values, byHand, inClickhouse } of asked) {
    const types = Object.fromEntries(
      Object.keys(values).map((name) => [name, { kind: 'STRING' } as SqlType]),
    );
    const parameters = new Map(Object.entries(types));
    const statement = await analyzer.analyze(sql, { catalog: sourceCatalog(sources), parameters });
    const plan: Plan = newPlan({
      ...{ isCallers: false, sql, statement, columns: resultColumns(statement), parameters },
    });
    const ask = async (readsAllRows: boolean) => {
      const started = performance.now();
      const result = await engine.run({
        ...{ plan, parameters: new Map(Object.entries(values)), maxRows: 1000, readsAllRows },
        signal: new AbortController().signal,
      });
      const ms = performance.now() - started;
      const text = JSON.stringify(await result.rows.all(), (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      return { ms, text, slices: result.slices };
    };
    // Both are compiled, and DuckDB has what it reads in memory.
    for (let i = 0; i < 3; i++) await ask(true);
    // From the second run on, slices are made.
    await ask(false);
    const whole: number[] = [];
    const refreshed: number[] = [];
    const ofHand: number[] = [];
    const ofClickhouse: number[] = [];
    clock.now = BigInt(Date.now()) * 1000n;
    const before = await ask(true);
    const first = await ask(false);
    proveIs(first.text, before.text, 'the answer that makes slices');
    const again = await ask(true);
    for (let i = 0; i < refreshes; i++) {
      await addRows();
      if (inClickhouse !== undefined) await clickhouse?.run(rowsForClickhouse(project, i));
      clock.now = BigInt(Date.now()) * 1000n;
      const fromSlices = await ask(false);
      const fromRows = await ask(true);
      proveIs(fromSlices.text, fromRows.text, 'an answer');
      prove(
        (fromSlices.slices?.kept ?? 0) > 0,
        `${what}: no slices were read (${JSON.stringify(fromSlices.slices)})`,
      );
      refreshed.push(fromSlices.ms);
      whole.push(fromRows.ms);
      if (byHand !== undefined) {
        const started = performance.now();
        await (await connection.runAndReadAll(byHand(clock.now))).getRows();
        ofHand.push(performance.now() - started);
      }
      if (clickhouse !== undefined && inClickhouse !== undefined)
        ofClickhouse.push((await clickhouse.run(inClickhouse(clock.now))).ms);
    }
    proveIs(failures.length, 0, 'failed runs');
    measured.push({
      ...{ what, sliced: refreshed, whole, first: first.ms },
      firstWhole: Math.min(before.ms, again.ms),
      ...{ byHand: ofHand, clickhouse: ofClickhouse },
    });
  }
  return measured;
}

/** The same as findings of the benchmark. */
export async function findRefreshes(options: RefreshOptions, rows: number): Promise<Finding[]> {
  const measured = await measureRefreshes(options);
  return measured.map(({ what, sliced, whole, first, firstWhole }) => ({
    part: 'slices',
    what,
    detail: `all rows ${formatMs(median(whole))}; after ${addedRows} new rows ${formatMs(median(sliced))}; the first answer ${formatMs(first)} (all rows ${formatMs(firstWhole)})`,
    result: `${Math.round((100 * median(sliced)) / median(whole))} % of the time, over ${rows.toLocaleString('en')} rows`,
    target: '<= 8 ms',
    isMet: median(sliced) <= 8,
  }));
}

/** The statement that adds as many rows of the present moment to ClickHouse. */
function rowsForClickhouse(project: string, round: number): string {
  const url = `https://${project}.supabase.co/rest/v1/todos`;
  return `INSERT INTO edge_logs (id, timestamp, event_message, project, \`metadata.request.method\`, \`metadata.request.path\`, \`metadata.request.url\`)
    SELECT concat('slices-${round}-', toString(number)), now64(6, 'UTC'), 'GET', '${project}', 'GET', '/rest/v1/todos', '${url}' FROM numbers(${addedRows})`;
}

/** Adds rows of the present moment, of one project. */
function addingRows(
  store: Store,
  source: Parameters<Store['append']>[0],
  project: string,
): () => Promise<void> {
  let made = 0;
  return async () => {
    const timestamp = new Date().toISOString();
    const url = `https://${project}.supabase.co/rest/v1/todos`;
    const rows = Array.from({ length: addedRows }, () => ({
      ...{ id: `slices-${process.pid}-${Date.now()}-${made++}`, timestamp, event_message: 'GET', project },
      metadata: [
        { request: [{ method: 'GET', path: '/rest/v1/todos', url }], response: [{ status_code: 200 }] },
      ],
    }));
    await store.append(source, batchOf(...rows), { origin: 'imported' });
  };
}
