import type { Source } from '../../src/definitions/sources/source.ts';
import type { Finding } from '../finding.ts';
import { projectCount, projectRef } from '../store/projects.ts';
import { edgeLogs } from '../store/shipped-sources.ts';
import { asked, busyProject, stored } from './calls.ts';
import { type Compared, type CompareOptions, compareSql } from './compare-sql.ts';
import type { Interval } from './hand-written.ts';
import { apiCountsOfLeaves, newestOfLeaves } from './leaves-by-hand.ts';
import { apiCountsInClickhouse, newestInClickhouse } from './leaves-in-clickhouse.ts';

/**
 * Compares queries through the gateway with SQL that knows the store: it reads only the needed leaves of the flat
 * table, and omits the table of rows without a flat form, which is empty in the benchmark's store.
 */
export async function compareLeaves(options: CompareOptions): Promise<Finding[]> {
  const source = await edgeLogs();
  return [
    ...(await compareSql(narrow(options.now), { part: 'leaves', maxTimesByHand: 1.5, plusMs: 4 }, options)),
    ...(await compareSql(newest(source), { part: 'leaves', maxTimesByHand: 2, plusMs: 8 }, options)),
  ];
}

/** All compared queries, over the source `edge_logs`. */
export function leafQueries(source: Source, now: bigint): readonly Compared[] {
  return [...narrow(now), ...newest(source)];
}

function narrow(now: bigint): readonly Compared[] {
  return [...apiCounts(now), ...dashboards];
}

function apiCounts(now: bigint): readonly Compared[] {
  const intervals: readonly Interval[] = ['minutely', 'hourly', 'daily'];
  return intervals.map((interval) => ({
    what: `usage.api-counts ${interval}`,
    prepare: stored('usage.api-counts', { project: busyProject, interval }),
    byHand: apiCountsOfLeaves(busyProject, interval, now),
    clickhouse: apiCountsInClickhouse(busyProject, interval, now),
  }));
}

/** Over all rows of the busy project. */
const dashboards: readonly Compared[] = [
  {
    what: 'top paths',
    prepare: asked(
      `SELECT r.path, count(*) AS n FROM edge_logs, unnest(metadata) AS m, unnest(m.request) AS r
      GROUP BY r.path ORDER BY n DESC, path LIMIT 10`,
    ),
    byHand: `
    SELECT "metadata.request.path", count(*) AS n FROM flat.edge_logs
    WHERE project = '${busyProject}' AND "metadata.request."
    GROUP BY 1 ORDER BY n DESC, 1 LIMIT 10`,
    clickhouse: {
      sql: `
      SELECT \`metadata.request.path\` AS path, count() AS n FROM edge_logs
      WHERE project = '${busyProject}' AND \`metadata.request.\`
      GROUP BY path ORDER BY n DESC, path LIMIT 10`,
      same: [0, 1],
    },
  },
  {
    what: 'errors by hour',
    prepare: asked(
      `SELECT timestamp_trunc(timestamp, hour) AS h, countif(p.status_code >= 500) AS errors, count(*) AS n
      FROM edge_logs, unnest(metadata) AS m, unnest(m.response) AS p GROUP BY h ORDER BY h`,
    ),
    byHand: `
    SELECT date_trunc('hour', timestamp), count(*) FILTER ("metadata.response.status_code" >= 500), count(*)
    FROM flat.edge_logs WHERE project = '${busyProject}' AND "metadata.response."
    GROUP BY 1 ORDER BY 1`,
    clickhouse: {
      sql: `
      SELECT toStartOfHour(timestamp) AS h, countIf(\`metadata.response.status_code\` >= 500), count() FROM edge_logs
      WHERE project = '${busyProject}' AND \`metadata.response.\`
      GROUP BY h ORDER BY h`,
      same: [1, 2],
    },
  },
  {
    what: 'a percentile by path',
    prepare: asked(
      `SELECT r.path, count(*) AS n, approx_quantiles(p.origin_time, 100)[OFFSET(95)] AS p95
      FROM edge_logs, unnest(metadata) AS m, unnest(m.request) AS r, unnest(m.response) AS p
      GROUP BY r.path ORDER BY n DESC, path LIMIT 10`,
    ),
    byHand: `
    SELECT "metadata.request.path", count(*) AS n, quantile_disc("metadata.response.origin_time", 0.95)
    FROM flat.edge_logs
    WHERE project = '${busyProject}' AND "metadata.request." AND "metadata.response."
    GROUP BY 1 ORDER BY n DESC, 1 LIMIT 10`,
    clickhouse: {
      // Of exact quantiles, ClickHouse's may be the value beside that of the others.
      sql: `
      SELECT \`metadata.request.path\` AS path, count() AS n, quantileExact(0.95)(\`metadata.response.origin_time\`)
      FROM edge_logs
      WHERE project = '${busyProject}' AND \`metadata.request.\` AND \`metadata.response.\`
      GROUP BY path ORDER BY n DESC, path LIMIT 10`,
      same: [0, 1],
    },
  },
  {
    // A caller's condition is not computed below the tenant's border: the gateway reads the leaf for each row of the
    // project.
    what: 'count of errors',
    prepare: asked(
      `SELECT count(*) AS n FROM edge_logs, unnest(metadata) AS m, unnest(m.response) AS p WHERE p.status_code >= 500`,
    ),
    byHand: `
    SELECT count(*) FROM flat.edge_logs
    WHERE project = '${busyProject}' AND "metadata.response.status_code" >= 500`,
    clickhouse: {
      sql: `
      SELECT count() FROM edge_logs
      WHERE project = '${busyProject}' AND \`metadata.response.status_code\` >= 500`,
      same: [0],
    },
  },
];

function newest(source: Source): readonly Compared[] {
  const projects = [
    { kind: 'busy', project: busyProject },
    { kind: 'quiet', project: projectRef(projectCount - 1) },
    { kind: 'unknown', project: projectRef(projectCount) },
  ];
  return projects.map(({ kind, project }) => ({
    what: `newest of logs.all, ${kind} project`,
    prepare: stored('logs.all', { project }),
    byHand: newestOfLeaves(source, project),
    clickhouse: newestInClickhouse(project),
  }));
}
