/** Stands behind the GROUP BY of a SELECT that calls functions in JavaScript, until it is known in how many threads it runs. */
export const threadsMark = '\0threads\0';

/**
 * Keeps every row, but DuckDB repeats a sample in one thread only, and with it all that is computed from its rows up to the next sort,
 * aggregation or join.
 */
const inOneThread = ' USING SAMPLE 100 PERCENT (bernoulli, 1)';

/** The SQL without the marks. */
export function inAllThreads(sql: string): string {
  return sql.replaceAll(threadsMark, '');
}

/** The SQL whose functions in JavaScript are called by one thread at a time. */
export function inOneThreadEach(sql: string): string {
  return sql.replaceAll(threadsMark, inOneThread);
}
