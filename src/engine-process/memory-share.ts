import { bytesOf } from '../config/byte-size.ts';

/** What the process may take beyond `DUCKDB_MEMORY_LIMIT`. */
const beyondLimit = 250e6;

/**
 * What everything but DuckDB takes: programs, endpoints, requests under way and their answers. 280 MB at rest, the rest is what
 * V8's heap grows by under load before it is cleaned up (measured).
 */
const ownMemory = 480e6;

/**
 * What DuckDB counts is not all that it takes: lists, hash tables and what is freed, but not given back, come on top, up to a
 * third of what is counted (measured with queries that take all they get). So it is told to take less.
 */
const countedPart = 0.72;

/** Left free for what queries take in the moment until they are stopped: bytes at least, and a part of the limit (measured). */
const reserve = 220e6;
const reservedPart = 0.12;

/** What the process takes with any limit, after an import and under ordinary load: bytes, measured. */
const ordinaryMemory = 600e6;

/**
 * The `memory_limit` for DuckDB with which the whole process stays within a limit and 250 MB, also where ten callers ask for nothing
 * but hungry queries (measured with 1GB and 2GB; with 512MB, one of sixteen such storms took 70 MB more for a moment).
 *
 * @param limit such as `2GB` or `512MiB`
 */
export function countedMemory(limit: string): string {
  return `${Math.floor(countedBytes(limit) / 1e3)}KB`;
}

function countedBytes(limit: string): number {
  return ((bytesOf(limit) ?? 0) + beyondLimit - ownMemory) * countedPart;
}

/**
 * The bytes beyond which the process has too much memory, and queries are stopped. Never so few that ordinary load comes there.
 *
 * @param limit as above
 */
export function mostMemory(limit: string): number {
  const bytes = bytesOf(limit) ?? 0;
  const most = bytes + beyondLimit - Math.max(reserve, bytes * reservedPart);
  return Math.max(most, ordinaryMemory);
}
