import { timestampSql } from '../store/edge-rows.ts';

/** Hand-written SQL for `logs.all`, by someone who knows DuckDB. */
export function logsAllByHand(project: string, bounds?: { from: bigint; to: bigint }): string {
  const between =
    bounds === undefined
      ? ''
      : `AND timestamp > ${timestampSql(bounds.from)} AND timestamp <= ${timestampSql(bounds.to)}`;
  return `
    SELECT id, timestamp, event_message, metadata
    FROM logs.edge_logs
    WHERE project = '${project}' ${between}
    ORDER BY timestamp DESC
    LIMIT 100`;
}

export type Interval = 'minutely' | 'hourly' | 'daily';

/** An interval's name of a bucket in DuckDB, and how far it goes back, in microseconds. */
export const buckets: Readonly<Record<Interval, { unit: string; window: bigint }>> = {
  minutely: { unit: 'minute', window: 3_600_000_000n },
  hourly: { unit: 'hour', window: 3_600_000_000n },
  daily: { unit: 'day', window: 7n * 86_400_000_000n },
};

/** Hand-written SQL for `usage.api-counts`, by someone who knows DuckDB. */
export function apiCountsByHand(project: string, interval: Interval, now: bigint): string {
  const { unit, window } = buckets[interval];
  return `
    SELECT
      date_trunc('${unit}', timestamp),
      count(*) FILTER (contains(request.path, '/rest')),
      count(*) FILTER (contains(request.path, '/storage')),
      count(*) FILTER (contains(request.path, '/auth')),
      count(*) FILTER (contains(request.path, '/realtime'))
    FROM (
      SELECT timestamp, unnest(m.request) AS request
      FROM (
        SELECT timestamp, unnest(metadata) AS m
        FROM logs.edge_logs
        WHERE timestamp >= ${timestampSql(now - window)}
      )
    )
    WHERE regexp_matches(request.url, '${project}')
    GROUP BY ALL
    ORDER BY 1`;
}
