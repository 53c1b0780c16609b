import { bytesOf } from '../../config/byte-size.ts';

/** What the process may take beyond `DUCKDB_MEMORY_LIMIT`. */
const beyondLimit = 250e6;

/** What everything but DuckDB takes: programs, endpoints, requests under way and their answers (measured). */
const ownMemory = 380e6;

/**
 * What DuckDB counts is not all that it takes: lists, hash tables and what is freed, but not given back, come on top, up to a
 * third of what is counted (measured with queries that take all they get). So it is told to take less.
 */
const countedPart = 0.8;

/**
 * The `memory_limit` for DuckDB with which the whole process stays within a limit and 250 MB, or not far beyond.
 *
 * @param limit such as `2GB` or `512MiB`
 */
export function countedMemory(limit: string): string {
  const bytes = ((bytesOf(limit) ?? 0) + beyondLimit - ownMemory) * countedPart;
  return `${Math.max(1, Math.floor(bytes / 1e3))}KB`;
}

/** Left free by what is let begin, for what has begun. */
const reserve = 80e6;

/**
 * The bytes beyond which the process has too much memory.
 *
 * @param limit as above
 * @param cachedBytes what results take that may be used again: the setting for them is another one
 */
export function mostMemory(limit: string, cachedBytes: number): number {
  return (bytesOf(limit) ?? 0) + beyondLimit - reserve + cachedBytes * 1.5;
}
