import { median, type Runs } from '../../measure.ts';
import { fasterByHand, measureSql } from '../../parts/compare-sql.ts';
import { leafQueries } from '../../parts/leaves.ts';
import { about } from '../../proof.ts';
import { edgeLogs } from '../../store/shipped-sources.ts';
import { rounded, spreadOf } from '../spread.ts';
import { rowsText } from '../words.ts';
import type { LatencyData } from './latency-data.ts';

export interface LatencyOptions {
  /** The numbers of rows of the stores. */
  readonly sizes: readonly number[];
  /** Returns the folder of a store with so many rows. */
  readonly store: (rows: number) => Promise<string>;
  /** The current time, in microseconds since the epoch. */
  readonly now: () => bigint;
  readonly print: (text: string) => void;
  readonly runs?: Runs;
  /** How long results are reused, in seconds; 0 by default. */
  readonly cacheSeconds?: number;
}

/**
 * Measures uncached calls against SQL that an expert of DuckDB would write over the flat table. Proves what
 * `measureSql` proves: the same rows and the same statement in each run, each of which was one of the engine.
 *
 * @throws MeasurementError
 */
export async function measureLatency(options: LatencyOptions): Promise<LatencyData> {
  const source = await edgeLogs();
  const stores: LatencyData['stores'] = [];
  for (const rows of options.sizes) {
    options.print(`  ${rowsText(rows)} rows`);
    const dataDir = await options.store(rows);
    const now = options.now();
    const { print, runs, cacheSeconds = 0 } = options;
    const measured = await about(`${rowsText(rows)} rows`, () =>
      measureSql(leafQueries(source, now), {
        ...{ dataDir, now, print, cacheSeconds, verbose: false },
        ...(runs === undefined ? {} : { runs }),
      }),
    );
    const queries = measured.map((one) => ({
      what: one.what,
      gateway: spreadOf(one.gateway),
      engineMs: rounded(median(one.engine)),
      byHandMs: rounded(fasterByHand(one)),
      rows: one.rows,
      runs: one.gateway.length,
    }));
    stores.push({ rows, queries });
  }
  return { stores };
}
