import { busyProject as project } from './calls.ts';

const leaves = {
  path: '"metadata.request.path"',
  method: '"metadata.request.method"',
  ms: '"metadata.response.origin_time"',
};
const rows = `flat.edge_logs WHERE project = '${project}' AND "metadata.request." AND "metadata.response."`;
const unnested =
  'edge_logs CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.request) AS r CROSS JOIN UNNEST(m.response) AS p';

/** Constructs that are no function calls: whole queries, and the same by someone who knows DuckDB. */
export const functionQueries: readonly (readonly [what: string, googleSql: string, byHand: string])[] = [
  [
    'PIVOT',
    `SELECT * FROM (SELECT r.method, p.origin_time AS ms FROM ${unnested})
    PIVOT (sum(ms) AS ms, count(*) AS n FOR method IN ('GET', 'POST', 'DELETE'))`,
    `SELECT ${['GET', 'POST', 'DELETE']
      .map(
        (method) =>
          `sum(${leaves.ms}) FILTER (${leaves.method} = '${method}')::BIGINT, count(*) FILTER (${leaves.method} = '${method}')`,
      )
      .join(', ')} FROM ${rows}`,
  ],
  [
    'APPROX_TOP_COUNT',
    `SELECT t.value, t.count FROM (SELECT approx_top_count(r.path, 5) AS top FROM ${unnested}), UNNEST(top) AS t ORDER BY 2 DESC, 1`,
    `SELECT ${leaves.path}, count(*) FROM ${rows} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5`,
  ],
  [
    'ROLLUP',
    `SELECT r.method, p.status_code AS status, count(*) AS n FROM ${unnested} GROUP BY ROLLUP (method, status) ORDER BY 1, 2`,
    `SELECT ${leaves.method}, "metadata.response.status_code", count(*) FROM ${rows}
    GROUP BY ROLLUP (1, 2) ORDER BY 1 NULLS FIRST, 2 NULLS FIRST`,
  ],
  [
    'ROW_NUMBER and QUALIFY',
    `SELECT r.path, id FROM ${unnested} WHERE TRUE
    QUALIFY row_number() OVER (PARTITION BY r.path ORDER BY timestamp DESC, id) = 1 ORDER BY path LIMIT 100`,
    `SELECT ${leaves.path}, id FROM ${rows}
    QUALIFY row_number() OVER (PARTITION BY ${leaves.path} ORDER BY timestamp DESC, id) = 1 ORDER BY 1 LIMIT 100`,
  ],
  [
    'LAG',
    `SELECT max(gap) FROM (SELECT timestamp_diff(timestamp, lag(timestamp) OVER (ORDER BY timestamp), microsecond) AS gap FROM edge_logs)`,
    `SELECT max(gap) FROM (SELECT epoch_us(timestamp) - epoch_us(lag(timestamp) OVER (ORDER BY timestamp)) AS gap
    FROM flat.edge_logs WHERE project = '${project}')`,
  ],
  [
    'a running sum',
    `SELECT max(s) FROM (SELECT sum(p.origin_time) OVER (ORDER BY timestamp, id ROWS UNBOUNDED PRECEDING) AS s FROM ${unnested})`,
    `SELECT max(s)::BIGINT FROM (SELECT sum(${leaves.ms}) OVER (ORDER BY timestamp, id ROWS UNBOUNDED PRECEDING) AS s FROM ${rows})`,
  ],
  [
    'a moving RANGE',
    `SELECT max(n) FROM (SELECT count(*) OVER (ORDER BY unix_seconds(timestamp) RANGE BETWEEN 60 PRECEDING AND CURRENT ROW) AS n FROM edge_logs)`,
    `SELECT max(n) FROM (SELECT count(*) OVER (ORDER BY epoch_us(timestamp) // 1000000 RANGE BETWEEN 60 PRECEDING AND CURRENT ROW) AS n
    FROM flat.edge_logs WHERE project = '${project}')`,
  ],
  [
    'ARRAY of a subquery over a list',
    `SELECT max(array_length(ARRAY(SELECT x FROM UNNEST(split(r.path, '/')) AS x WHERE x != ''))) FROM ${unnested}`,
    `SELECT max(len(list_filter(split(${leaves.path}, '/'), lambda x: x != ''))) FROM ${rows}`,
  ],
  [
    'EXISTS over a list',
    `SELECT countif(EXISTS(SELECT 1 FROM UNNEST(split(r.path, '/')) AS x WHERE x = 'v1')) FROM ${unnested}`,
    `SELECT count(*) FILTER (list_contains(split(${leaves.path}, '/'), 'v1')) FROM ${rows}`,
  ],
  [
    'a scalar subquery over a list',
    `SELECT sum((SELECT count(*) FROM UNNEST(split(r.path, '/')) AS x WHERE length(x) > 2)) FROM ${unnested}`,
    `SELECT sum(len(list_filter(split(${leaves.path}, '/'), lambda x: length(x) > 2)))::BIGINT FROM ${rows}`,
  ],
  [
    'a string from a subquery over a list',
    `SELECT max((SELECT string_agg(x, '.' ORDER BY o) FROM UNNEST(split(r.path, '/')) AS x WITH OFFSET AS o)) FROM ${unnested}`,
    `SELECT max(array_to_string(split(${leaves.path}, '/'), '.')) FROM ${rows}`,
  ],
  [
    'IN UNNEST of 10,000 elements',
    `SELECT count(*) FROM ${unnested} WHERE p.origin_time IN UNNEST([${Array.from({ length: 10_000 }, (_, i) => 10 * i).join()}])`,
    `SELECT count(*) FROM ${rows} AND ${leaves.ms} IN (SELECT * FROM range(0, 100000, 10))`,
  ],
  [
    'a calendar joined with rows',
    `SELECT d, count(e.id) AS n FROM UNNEST(GENERATE_DATE_ARRAY(DATE_SUB(CURRENT_DATE(), INTERVAL 20 DAY), DATE_SUB(CURRENT_DATE(), INTERVAL 10 DAY))) AS d
    LEFT JOIN edge_logs AS e ON DATE(e.timestamp) = d GROUP BY d ORDER BY d`,
    `SELECT d::DATE, count(e.id) FROM range(current_date - 20, current_date - 9, INTERVAL 1 DAY) AS t(d)
    LEFT JOIN (SELECT id, timestamp::DATE AS day FROM flat.edge_logs WHERE project = '${project}') AS e ON e.day = d::DATE
    GROUP BY 1 ORDER BY 1`,
  ],
];
