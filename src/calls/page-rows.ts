import { GatewayError } from '../base/errors/errors.ts';
import type { ResultRows } from '../engines/rows/result-rows.ts';
import { firstRows } from '../engines/rows/result-rows.ts';
import type { PageOrder } from '../sql/plan/paging.ts';
import { canonicalValue } from '../sql/values/canonical-value.ts';
import type { Value } from '../sql/values/value.ts';
import type { AuthorisedCall } from './call/authorised-call.ts';
import type { PageFacts } from './call/page.ts';
import { orderId } from './pages/page-queries.ts';

/** The outcome of a page. */
export interface PageOutcome {
  /** The cursor with which the next page begins. Undefined if this is the last one. */
  readonly next: string | undefined;
  /**
   * The cursor of a row of the page.
   *
   * @throws GatewayError QUERY_FAILED if the values by which it is ordered are too long
   */
  readonly cursorOf: (row: number) => string;
}

/** The rows of a page, with its outcome. */
interface PageRows {
  readonly rows: ResultRows;
  /** Whether `exportRows` ends the walk before its last row. */
  readonly truncated: boolean;
  readonly page: PageOutcome;
}

/**
 * Divides the rows that were read for a page into those of the page, and the one that tells that there are more.
 *
 * @param call whose result they are
 * @throws GatewayError QUERY_FAILED if two rows have the same place in the order, such as rows with the same id: what follows a place
 *   would not be known
 */
export async function pageRows(
  call: AuthorisedCall,
  read: ResultRows,
  { order, rows: maxRows, walked, end }: PageFacts,
): Promise<PageRows> {
  const places = await placesOf(read, order);
  const rows = firstRows(read, maxRows);
  const hasMore = read.count > maxRows;
  const cursorOf = (row: number) => {
    const values = places[row];
    if (values === undefined) throw new TypeError('the page has no such row');
    return call.cursor({ values, order: orderId(order), walked: walked + row + 1 });
  };
  return {
    rows,
    truncated: hasMore && end === 'exportRows',
    page: { next: hasMore && end === undefined ? cursorOf(maxRows - 1) : undefined, cursorOf },
  };
}

/** The canonical values of each row by which it is ordered. */
async function placesOf(rows: ResultRows, { keys }: PageOrder): Promise<readonly (readonly Value[])[]> {
  const places: Value[][] = [];
  for await (const chunk of rows.chunks()) {
    for (const row of chunk) {
      const place = keys.map(({ index }) => canonicalValue(row[index] === 0 ? 0 : (row[index] ?? null)));
      const before = places.at(-1);
      if (before !== undefined && keys.length > 0 && place.every((value, index) => value === before[index]))
        throw notUnique(keys.map(({ name }) => name));
      places.push(place);
    }
  }
  return places;
}

function notUnique(names: readonly string[]): GatewayError {
  const columns = names.map((name) => JSON.stringify(name)).join(', ');
  return new GatewayError(
    'QUERY_FAILED',
    `The result can't be read in pages: several rows have the same values in ${columns}, which are to identify a row.`,
  );
}
