import { compileLql } from '../../src/sql/lql/compile/compile-lql.ts';
import type { Finding } from '../finding.ts';
import { instantText, timestampSql } from '../store/edge-rows.ts';
import { asked, busyProject as project } from './calls.ts';
import { type Compared, type CompareOptions, compareSql } from './compare-sql.ts';

const day = 86_400_000_000n;

/** Queries of typical dashboards over the tables of `logs.all`, against hand-written SQL. */
export function compareDashboards(options: CompareOptions): Promise<Finding[]> {
  return compareSql(cases(options.now), { part: 'dashboards', maxTimesByHand: 1.5 }, options);
}

function cases(now: bigint): readonly Compared[] {
  const from = now - 7n * day;
  const own = `project = '${project}' AND timestamp > ${timestampSql(from)}`;
  const since = `timestamp > TIMESTAMP_MICROS(${from})`;
  const requests = `
    SELECT timestamp, unnest(m.request) AS r, m.response AS responses
    FROM (SELECT timestamp, unnest(metadata) AS m FROM logs.edge_logs WHERE ${own})`;
  return [
    {
      what: 'requests by minute',
      prepare: asked(
        `SELECT timestamp_trunc(timestamp, minute) AS minute, count(*) AS n FROM edge_logs
        WHERE ${since} GROUP BY minute ORDER BY minute DESC LIMIT 100`,
      ),
      byHand: `
    SELECT date_trunc('minute', timestamp) AS minute, count(*) AS n
    FROM logs.edge_logs WHERE ${own} GROUP BY 1 ORDER BY 1 DESC LIMIT 100`,
    },
    {
      what: 'top paths',
      prepare: asked(
        `SELECT r.path, count(*) AS n FROM edge_logs CROSS JOIN unnest(metadata) AS m CROSS JOIN unnest(m.request) AS r
        WHERE ${since} GROUP BY r.path ORDER BY n DESC, path LIMIT 10`,
      ),
      byHand: `
    SELECT r.path, count(*) AS n FROM (${requests}) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 10`,
    },
    {
      what: 'errors by hour, filter on a nested field',
      prepare: asked(
        `SELECT timestamp_trunc(timestamp, hour) AS h, countif(p.status_code >= 500) AS errors, count(*) AS n
        FROM edge_logs, unnest(metadata) AS m, unnest(m.response) AS p
        WHERE ${since} AND p.status_code >= 400 GROUP BY 1 ORDER BY 1`,
      ),
      byHand: `
    SELECT date_trunc('hour', timestamp), count(*) FILTER (p.status_code >= 500), count(*)
    FROM (SELECT timestamp, unnest(responses) AS p FROM (${requests}))
    WHERE p.status_code >= 400 GROUP BY 1 ORDER BY 1`,
    },
    {
      what: 'newest rows with a nested field, EXISTS',
      prepare: asked(
        `SELECT id, timestamp FROM edge_logs AS t WHERE ${since} AND EXISTS (
          SELECT 1 FROM unnest(t.metadata) AS m, unnest(m.request) AS r WHERE r.method = 'POST')
        ORDER BY timestamp DESC, id LIMIT 100`,
      ),
      byHand: `
    SELECT id, timestamp FROM logs.edge_logs WHERE ${own}
      AND len(list_filter(flatten(list_transform(metadata, lambda m: m.request)), lambda r: r.method = 'POST')) > 0
    ORDER BY timestamp DESC, id LIMIT 100`,
    },
    {
      what: 'LQL filter on a nested field',
      prepare: asked(
        ({ tables }) =>
          compileLql(
            `f:edge_logs m.request.method:POST t:>=${instantText(from)} s:id s:timestamp`,
            tables.map(({ name, plan }) => ({ name, columns: plan.columns })),
          ),
        100,
      ),
      byHand: `
    SELECT id, timestamp FROM logs.edge_logs
    WHERE project = '${project}' AND timestamp >= ${timestampSql(from)}
      AND len(list_filter(flatten(list_transform(metadata, lambda m: m.request)), lambda r: r.method = 'POST')) > 0
    ORDER BY timestamp DESC LIMIT 100`,
    },
  ];
}
