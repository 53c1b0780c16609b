/*
id: 6d1f0c55-2c0c-4a8e-9a55-0c8b8f6f2a01
name: gateway.usage
description: Calls by day, key and endpoint, with what they cost.
maxRows: 10000
exportRows: 1000000
operatorsOnly: true
unknownParameters: reject
parameters:
  days:
    type: INT64
    default: 7
    min: 1
    max: 400
    example: 7
    description: How many days back, with today. A day begins at midnight UTC.
  key:
    description: Only calls of the key with this name.
  endpoint:
    description: Only calls of the endpoint with this name.
*/
WITH timed AS (
  SELECT
    DATE(c.timestamp) AS day,
    c.*,
    -- Of calls that were counted together, the duration of each is not known.
    PERCENTILE_DISC(IF(c.query IS NULL, NULL, c.duration_ms), 0.5) OVER same AS p50_ms,
    PERCENTILE_DISC(IF(c.query IS NULL, NULL, c.duration_ms), 0.95) OVER same AS p95_ms,
    PERCENTILE_DISC(IF(c.query IS NULL, NULL, c.duration_ms), 0.99) OVER same AS p99_ms
  FROM gateway.calls AS c
  WHERE c.timestamp >= TIMESTAMP_SUB(TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY), INTERVAL @days - 1 DAY)
    AND (@key IS NULL OR c.key = @key)
    AND (@endpoint IS NULL OR c.endpoint = @endpoint)
  WINDOW same AS (PARTITION BY DATE(c.timestamp), c.key, c.endpoint)
)
SELECT
  t.day,
  t.key,
  t.endpoint,
  SUM(t.call_count) AS calls,
  SUM(IF(t.cache = 'hit', t.call_count, 0)) AS cached,
  SUM(IF(t.code IS NULL, 0, t.call_count)) AS errors,
  SUM(t.row_count) AS row_count,
  SUM(t.bytes) AS bytes,
  SUM(t.engine_ms) AS engine_ms,
  SUM(t.bytes_billed) AS bytes_billed,
  ANY_VALUE(t.p50_ms) AS p50_ms,
  ANY_VALUE(t.p95_ms) AS p95_ms,
  ANY_VALUE(t.p99_ms) AS p99_ms
FROM timed AS t
GROUP BY t.day, t.key, t.endpoint
ORDER BY t.day DESC, calls DESC, t.key, t.endpoint
