import { addedRows, measureRefreshes, type RefreshOptions } from '../../parts/refreshes.ts';
import { about } from '../../proof.ts';
import { clickhouseBeside } from '../clickhouse/clickhouse-beside.ts';
import type { Measurement } from '../measurement.ts';
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
  /** The folder in which ClickHouse is installed. Without it, ClickHouse isn't measured. */
  readonly chdbFolder?: string;
}

/**
 * Measures queries over a window of time in stores of several sizes. Proves what `measureRefreshes` proves.
 *
 * @throws MeasurementError
 */
export async function measureStoreRefreshes(
  options: StoreRefreshOptions,
): Promise<Measurement<RefreshesData>> {
  const stores: RefreshesData['stores'] = [];
  const { refreshes, leastRows, chdbFolder } = options;
  const versions: Record<string, string> = {};
  for (const rows of options.sizes) {
    options.print(`  ${rowsText(rows)} rows`);
    const dataDir = await options.store(rows);
    await using beside = await clickhouseBeside(dataDir, chdbFolder);
    if (beside !== undefined) versions.ClickHouse = beside.clickhouse.version;
    const measured = await about(`${rowsText(rows)} rows`, () =>
      measureRefreshes({
        ...{ dataDir, refreshes },
        ...(leastRows !== undefined && { leastRows }),
        ...(beside !== undefined && { clickhouse: beside.clickhouse }),
      }),
    );
    const queries = measured.map(({ what, sliced, whole, first, firstWhole, byHand, clickhouse }) => ({
      ...{ what, sliced: spreadOf(sliced), whole: spreadOf(whole) },
      ...(byHand.length > 0 && { byHand: spreadOf(byHand) }),
      ...(clickhouse.length > 0 && { clickhouse: spreadOf(clickhouse) }),
      ...{ firstMs: rounded(first), firstWholeMs: rounded(firstWhole) },
    }));
    stores.push({ rows, queries });
  }
  return { data: { added: addedRows, stores }, versions };
}
