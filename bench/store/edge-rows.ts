import { projectCount, projectRefSql } from './projects.ts';

/** The rows to make. */
export interface EdgeRows {
  readonly rows: number;
  /** The start and end of the rows' times, in microseconds since the epoch. */
  readonly from: bigint;
  readonly to: bigint;
  /** A different number for each set of rows in a store. It and a row's place determine the row. */
  readonly seed: bigint;
}

/**
 * The SELECT, in DuckDB's SQL, of made-up `edge_logs` rows in the order of their timestamps, which are evenly spread
 * with some jitter. Ids are random; `seed` determines everything else.
 */
export function edgeRowsSql({ rows, from, to, seed }: EdgeRows): string {
  const step = (to - from) / BigInt(rows);
  return `
    SELECT
      id,
      make_timestamp(${from} + i * ${step} + h1 % ${step}) AS timestamp,
      method || ' | ' || status || ' | ' || address || ' | https://' || host || path || ' | ' || agent
        AS event_message,
      project,
      [{
        request: [{
          method: method,
          path: path,
          url: 'https://' || host || path,
          host: host,
          protocol: 'https:',
          headers: [{ cf_connecting_ip: address, cf_ray: ray, user_agent: agent }],
          cf: [{ colo: colo, country: country, botManagement: [] }],
          sb: []
        }],
        response: [{
          status_code: status,
          origin_time: origin_time,
          headers: [{ cf_ray: ray, content_type: 'application/json' }]
        }]
      }] AS metadata
    FROM (
      SELECT *, project || '.example.net' AS host
      FROM (
        SELECT
          i,
          h1,
          uuid()::VARCHAR AS id,
          ${projectRefSql(`floor(${projectCount} * power((h1 % 1000003) / 1000003.0, 3))::BIGINT`)} AS project,
          ['GET', 'GET', 'GET', 'POST', 'PATCH'][1 + h2 % 5] AS method,
          [200, 200, 200, 200, 201, 204, 304, 401, 404, 500][1 + h2 // 5 % 10]::BIGINT AS status,
          ['/rest/v1/orders', '/rest/v1/profiles', '/rest/v1/rpc/search', '/auth/v1/token', '/auth/v1/user',
           '/storage/v1/object/public/media/', '/realtime/v1/websocket', '/functions/v1/notify'][1 + h2 // 50 % 8]
            || CASE WHEN h2 // 50 % 8 = 5 THEN (h2 // 400 % 4000)::VARCHAR || '.webp' ELSE '' END AS path,
          '203.0.113.' || (h2 // 400 % 254) AS address,
          printf('%016x', h2) AS ray,
          'Mozilla/5.0 (X11; Linux x86_64; rv:14' || (h2 // 7 % 9) || '.0) Gecko/20100101 Firefox/144.0' AS agent,
          ['FRA', 'IAD', 'GRU', 'BOM', 'NRT'][1 + h2 // 11 % 5] AS colo,
          ['DE', 'US', 'BR', 'IN', 'JP'][1 + h2 // 11 % 5] AS country,
          (h2 // 13 % 400)::BIGINT AS origin_time
        FROM (SELECT i, (hash(i, ${seed}) >> 2)::BIGINT AS h1, (hash(i, ${seed}, 1) >> 2)::BIGINT AS h2 FROM range(${rows}) AS numbers(i))
      )
    )`;
}

/** An instant, in microseconds since the epoch, as a caller writes it. */
export function instantText(micros: bigint): string {
  const text = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${text}${String(micros % 1000n).padStart(3, '0')}Z`;
}

/** An instant as a SQL constant. */
export function timestampSql(micros: bigint): string {
  return `TIMESTAMP '${instantText(micros).slice(0, -1)}'`;
}
