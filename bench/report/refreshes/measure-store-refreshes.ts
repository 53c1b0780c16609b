import { addedRows, measureRefreshes, type RefreshOptions } from '../../parts/refreshes.ts';
import { about } from '../../proof.ts';
import { rounded, spreadOf } from '../spread.ts';
import { rowsText } from '../words.ts';
import type { RefreshesData } from './refreshes-data.ts';

interface StoreRefreshOptions extends Pick<RefreshOptions, 'leastRows'> {
  /** The numbers of rows of the stores. */
  readonly sizes: readonly number[];
  /** Runs of each query after new rows. */
  readonly refreshes: number;
  /** Returns the folder of a store with so many rows. */
  readonly store: (rows: number) => Promise<string>;
  readonly print: (text: string) => void;
}

/**
 * Measures queries over a window of time in stores of several sizes. Proves what `measureRefreshes` proves.
 *
 * @throws MeasurementError
 */
export async function measureStoreRefreshes(options: StoreRefreshOptions): Promise<RefreshesData> {
  const stores: RefreshesData['stores'] = [];
  const { refreshes, leastRows } = options;
  for (const rows of options.sizes) {
    options.print(`  ${rowsText(rows)} rows`);
    const dataDir = await options.store(rows);
    const measured = await about(`${rowsText(rows)} rows`, () =>
      measureRefreshes({ dataDir, refreshes, ...(leastRows !== undefined && { leastRows }) }),
    );
    const queries = measured.map(({ what, sliced, whole, first, firstWhole }) => ({
      ...{ what, sliced: spreadOf(sliced), whole: spreadOf(whole) },
      ...{ firstMs: rounded(first), firstWholeMs: rounded(firstWhole) },
    }));
    stores.push({ rows, queries });
  }
  return { added: addedRows, stores };
}
