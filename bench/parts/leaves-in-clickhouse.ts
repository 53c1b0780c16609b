import { instantText } from '../store/edge-rows.ts';
import { buckets, type Interval } from './hand-written.ts';

/** A query as someone writes it who knows ClickHouse. Its table `edge_logs` has the columns of the flat table. */
export interface ClickhouseQuery {
  readonly sql: string;
  /** The columns of its rows that equal those of the other side; times and records are of another form. */
  readonly same: readonly number[];
}

/** `logs.all`: the leaves of the newest rows, which ClickHouse doesn't make records of. */
export function newestInClickhouse(project: string): ClickhouseQuery {
  const sql = `
    SELECT id, timestamp, event_message, * EXCEPT (id, timestamp, event_message, project) FROM edge_logs
    WHERE project = '${project}' ORDER BY timestamp DESC LIMIT 100`;
  return { sql, same: [0, 2] };
}

const starts: Readonly<Record<Interval, string>> = {
  minutely: 'toStartOfMinute',
  hourly: 'toStartOfHour',
  daily: 'toStartOfDay',
};

/** `usage.api-counts`. */
export function apiCountsInClickhouse(project: string, interval: Interval, now: bigint): ClickhouseQuery {
  const since = instantText(now - buckets[interval].window).slice(0, -1);
  const counts = ['/rest', '/storage', '/auth', '/realtime'].map(
    (path) => `countIf(position(\`metadata.request.path\`, '${path}') > 0)`,
  );
  const sql = `
    SELECT ${starts[interval]}(timestamp) AS bucket, ${counts.join(', ')} FROM edge_logs
    WHERE timestamp >= toDateTime64('${since.replace('T', ' ')}', 6, 'UTC')
      AND position(\`metadata.request.url\`, '${project}') > 0
    GROUP BY bucket ORDER BY bucket`;
  return { sql, same: [1, 2, 3, 4] };
}

/** The columns of rows that are compared, as texts. */
export function comparedColumns(
  rows: readonly (readonly unknown[])[],
  columns: readonly number[],
): readonly string[] {
  return rows.map((row) => columns.map((column) => String(row[column])).join('\n'));
}
