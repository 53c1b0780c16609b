import type { Source } from '../../src/definitions/sources/source.ts';
import { quoteIdentifier } from '../../src/engines/duckdb/dialect/duck-type.ts';
import { wholeValue } from '../../src/engines/duckdb/store/tables/flat-layout.ts';
import { timestampSql } from '../store/edge-rows.ts';
import { buckets, type Interval } from './hand-written.ts';

/**
 * Hand-written SQL for `logs.all`, by someone who knows DuckDB and the flat table: whole rows, built for the newest
 * ones only.
 */
export function newestOfLeaves({ columns }: Source, project: string): string {
  const metadata = columns.find(({ name }) => name === 'metadata');
  if (metadata === undefined) throw new Error('no column metadata');
  return `
    SELECT id, timestamp, event_message, ${wholeValue(metadata.name, metadata.type, quoteIdentifier)} AS metadata
    FROM (SELECT * FROM flat.edge_logs WHERE project = '${project}' ORDER BY timestamp DESC LIMIT 100)
    ORDER BY timestamp DESC`;
}

/** The same for `usage.api-counts`. A project's reference contains no special characters of patterns. */
export function apiCountsOfLeaves(project: string, interval: Interval, now: bigint): string {
  const { unit, window } = buckets[interval];
  return `
    SELECT
      date_trunc('${unit}', timestamp),
      count(*) FILTER (contains("metadata.request.path", '/rest')),
      count(*) FILTER (contains("metadata.request.path", '/storage')),
      count(*) FILTER (contains("metadata.request.path", '/auth')),
      count(*) FILTER (contains("metadata.request.path", '/realtime'))
    FROM flat.edge_logs
    WHERE timestamp >= ${timestampSql(now - window)} AND contains("metadata.request.url", '${project}')
    GROUP BY 1
    ORDER BY 1`;
}
