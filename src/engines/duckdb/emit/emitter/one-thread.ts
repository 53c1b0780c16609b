/**
 * A placeholder after the GROUP BY of a SELECT that calls functions in JavaScript, until the number of threads is
 * known.
 */
export const threadsMark = '\0threads\0';

/**
 * Preserves every row. DuckDB computes a repeatable sample in one thread only, and also everything from its rows up to
 * the next sort, aggregation or join.
 */
const inOneThread = ' USING SAMPLE 100 PERCENT (bernoulli, 1)';

/**
 * Placeholders around a side of a product whose SELECT may still get conditions. Sampling the product itself would keep
 * join conditions from it: it would combine all rows of both sides.
 */
const [sideBegin, sideEnd] = ['\0side\0', '\0end of side\0'];
const sampledSideBegin = '\0sampled side\0';

/** Marks a side of a product, which may have to be read in one thread. */
export function productSide(from: string): string {
  return isProduct(from) ? from : `${sideBegin}${from}${sideEnd}`;
}

/** Whether a FROM item contains a product whose SELECT may still get conditions. */
export function isProduct(from: string): boolean {
  return from.includes(sideBegin);
}

/** Settles whether the sides of products in a FROM item are sampled. */
export function decided(from: string, areSidesSampled: boolean): string {
  if (!isProduct(from)) return from;
  return from
    .replaceAll(sideBegin, areSidesSampled ? sampledSideBegin : '')
    .replaceAll(sideEnd, areSidesSampled ? `${threadsMark})` : '');
}

/** Removes the placeholders. */
export function inAllThreads(sql: string): string {
  return decided(sql, false).replaceAll(threadsMark, '').replaceAll(sampledSideBegin, '(SELECT * FROM ');
}

/** Replaces the placeholders so that functions in JavaScript are called by one thread at a time. */
export function inOneThreadEach(sql: string): string {
  return decided(sql, false)
    .replaceAll(threadsMark, inOneThread)
    .replaceAll(sampledSideBegin, '(SELECT * FROM ');
}
