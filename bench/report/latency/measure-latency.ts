import { median, type Runs } from '../../measure.ts';
import { fasterByHand, measureSql } from '../../parts/compare-sql.ts';
import { leafQueries } from '../../parts/leaves.ts';
import { about } from '../../proof.ts';
import { edgeLogs } from '../../store/shipped-sources.ts';
import { clickhouseBeside } from '../clickhouse/clickhouse-beside.ts';
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
