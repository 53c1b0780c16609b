/** What the process takes besides what DuckDB counts under ordinary load: programs, V8's heap, rows on their way. Bytes, measured. */
const ownMemory = 230e6;

/**
 * DuckDB doesn't count all that it takes: lists, hash tables and what is freed, but not given back, come on top, up to a third of what is
 * counted (measured with queries that take all they get).
 */
const countedPart = 0.72;

/** What DuckDB gets of a small limit: with less, ordinary queries fail. */
const leastPart = 0.4;

/**
 * The `memory_limit` for DuckDB in a process that may take so many bytes. What queries take beyond that shows in the process's memory
 * (`memory-guard.ts`).
 *
 * @returns as DuckDB reads it
 */
export function countedMemory(limitBytes: number): string {
  const bytes = Math.max(limitBytes * leastPart, (limitBytes - ownMemory) * countedPart);
  return `${Math.floor(bytes / 1e3)}KB`;
}
