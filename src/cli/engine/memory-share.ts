import { bytesOf } from '../../config/byte-size.ts';

/**
 * What DuckDB counts is not all that it takes: lists, hash tables and what is freed, but not given back, come on top, up to a
 * third of what is counted (measured with queries that take all they get). So it is told to take less.
 */
const countedPart = 0.75;

/**
 * The `memory_limit` for DuckDB with which the memory that it takes stays within a limit, or not far beyond.
 *
 * @param limit such as `2GB` or `512MiB`
 */
export function countedMemory(limit: string): string {
  const bytes = bytesOf(limit) ?? 0;
  return `${Math.max(1, Math.floor((bytes * countedPart) / 1e3))}KB`;
}
