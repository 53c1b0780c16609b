/**
 * Memory that the process takes beyond what DuckDB counts under ordinary load, in bytes: programs, V8's heap, rows in
 * transfer (measured).
 */
const ownMemory = 230e6;

/**
 * DuckDB counts only part of its memory. Lists, hash tables and freed memory that isn't returned come on top, up to a
 * third of what is counted (measured with queries that take all they get).
 */
const countedPart = 0.72;

/** DuckDB's share of a small limit: with less, ordinary queries fail. */
const leastPart = 0.4;

/**
 * The `memory_limit` for DuckDB, given the memory limit of its process. What queries take beyond it shows in the
 * process's memory (`memory-guard.ts`).
 *
 * @returns the limit in DuckDB's syntax
 */
export function countedMemory(limitBytes: number): string {
  const bytes = Math.max(limitBytes * leastPart, (limitBytes - ownMemory) * countedPart);
  return `${Math.floor(bytes / 1e3)}KB`;
}
