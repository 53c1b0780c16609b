/** Stands behind the GROUP BY of a SELECT that calls functions in JavaScript, until it is known in how many threads it runs. */
export const threadsMark = '\0threads\0';

/**
 * Keeps every row, but DuckDB repeats a sample in one thread only, and with it all that is computed from its rows up to the next sort,
 * aggregation or join.
 */
const inOneThread = ' USING SAMPLE 100 PERCENT (bernoulli, 1)';

/**
 * Stand around a side of a product, whose SELECT still gets its conditions. A sample of the product itself would keep those that make a
 * join of it from it: every row would be put beside every other one.
 */
const [sideBegin, sideEnd] = ['\0side\0', '\0end of side\0'];
const sampledSideBegin = '\0sampled side\0';

/** A side of a product, which may have to be read in one thread. */
export function productSide(from: string): string {
  return isProduct(from) ? from : `${sideBegin}${from}${sideEnd}`;
}

/** Whether a FROM item has the rows of a product that no SELECT around it has conditions for yet. */
export function isProduct(from: string): boolean {
  return from.includes(sideBegin);
}

/** The FROM item whose products are read in one thread, or as it is. Of neither is anything decided further up. */
export function decided(from: string, areSidesSampled: boolean): string {
  if (!isProduct(from)) return from;
  return from
    .replaceAll(sideBegin, areSidesSampled ? sampledSideBegin : '')
    .replaceAll(sideEnd, areSidesSampled ? `${threadsMark})` : '');
}

/** The SQL without the marks. */
export function inAllThreads(sql: string): string {
  return decided(sql, false).replaceAll(threadsMark, '').replaceAll(sampledSideBegin, '(SELECT * FROM ');
}

/** The SQL whose functions in JavaScript are called by one thread at a time. */
export function inOneThreadEach(sql: string): string {
  return decided(sql, false)
    .replaceAll(threadsMark, inOneThread)
    .replaceAll(sampledSideBegin, '(SELECT * FROM ');
}
