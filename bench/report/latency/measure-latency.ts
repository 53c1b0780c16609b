import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { stringLiteral } from '../../../src/engines/duckdb/dialect/literal.ts';
import { median, type Runs } from '../../measure.ts';
import { fasterByHand, measureSql } from '../../parts/compare-sql.ts';
import { leafQueries } from '../../parts/leaves.ts';
import { about, proveIs } from '../../proof.ts';
import { storeFile } from '../../store/bench-store.ts';
import { edgeLogs } from '../../store/shipped-sources.ts';
import { type StartedClickhouse, startedClickhouse } from '../clickhouse/started-clickhouse.ts';
import type { Measurement } from '../measurement.ts';
import { rounded, spreadOf } from '../spread.ts';
import { rowsText } from '../words.ts';
import type { LatencyData } from './latency-data.ts';

export interface LatencyOptions {
  /** The numbers of rows of the stores. */
  readonly sizes: readonly number[];
  /** Returns the folder of a store with so many rows. */
  readonly store: (rows: number) => Promise<string>;
  /** The folder in which ClickHouse is installed. Without it, ClickHouse isn't measured. */
  readonly chdbFolder?: string;
  /** The current time, in microseconds since the epoch. */
  readonly now: () => bigint;
  readonly print: (text: string) => void;
  readonly runs?: Runs;
  /** How long results are reused, in seconds; 0 by default. */
  readonly cacheSeconds?: number;
}

/**
 * Measures uncached calls against SQL that an expert of DuckDB would write over the flat table, and against ClickHouse.
 * Proves what `measureSql` proves: the same rows and the same statement in each run, each of which was one of the engine.
 *
 * @throws MeasurementError
 */
export async function measureLatency(options: LatencyOptions): Promise<Measurement<LatencyData>> {
  const source = await edgeLogs();
  const stores: LatencyData['stores'] = [];
  const versions: Record<string, string> = {};
  for (const rows of options.sizes) {
    options.print(`  ${rowsText(rows)} rows`);
    const dataDir = await options.store(rows);
    const now = options.now();
    const { print, runs, cacheSeconds = 0, chdbFolder } = options;
    await using beside = await clickhouseBeside(dataDir, chdbFolder);
    const clickhouse = beside?.clickhouse;
    if (clickhouse !== undefined) versions.ClickHouse = clickhouse.version;
    const measured = await about(`${rowsText(rows)} rows`, () =>
      measureSql(leafQueries(source, now), {
        ...{ dataDir, now, print, cacheSeconds, verbose: false },
        ...(runs === undefined ? {} : { runs }),
        ...(clickhouse === undefined ? {} : { clickhouse }),
      }),
    );
    const queries = measured.map((one) => ({
      what: one.what,
      gateway: spreadOf(one.gateway),
      engineMs: rounded(median(one.engine)),
      byHandMs: rounded(fasterByHand(one)),
      ...(one.clickhouse.length > 0 && { clickhouseMs: rounded(median(one.clickhouse)) }),
      rows: one.rows,
      runs: one.gateway.length,
    }));
    stores.push({ rows, queries });
  }
  return { data: { stores }, versions };
}

/** A ClickHouse with the rows of a store's flat table. Its files are removed when this is disposed. */
async function clickhouseBeside(
  dataDir: string,
  packages: string | undefined,
): Promise<({ readonly clickhouse: StartedClickhouse } & AsyncDisposable) | undefined> {
  if (packages === undefined) return undefined;
  const folder = await mkdtemp(join(packages, 'data-'));
  const remove = () => rm(folder, { recursive: true });
  try {
    const rows = join(folder, 'rows.parquet');
    const stored = await exportFlatRows(storeFile(dataDir), rows);
    const clickhouse = await startedClickhouse({ packages, data: join(folder, 'data'), rows });
    proveIs(clickhouse.rows, stored, 'rows in ClickHouse');
    return {
      clickhouse,
      async [Symbol.asyncDispose]() {
        await clickhouse[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Writes the flat table to a Parquet file. Returns the number of rows. */
async function exportFlatRows(store: string, file: string): Promise<number> {
  const instance = await DuckDBInstance.create(store, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(
      `COPY (FROM flat.edge_logs) TO ${stringLiteral(file)} (FORMAT parquet)`,
    );
    return Number(reader.value(0, 0));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
