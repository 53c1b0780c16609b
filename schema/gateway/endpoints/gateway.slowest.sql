/*
id: 6d1f0c55-2c0c-4a8e-9a55-0c8b8f6f2a02
name: gateway.slowest
description: The calls that took longest, with where their time went.
maxRows: 100
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
SELECT
  c.timestamp,
  c.key,
  c.endpoint,
  c.version,
  c.query,
  c.api,
  c.cache,
  c.duration_ms,
  c.queue_ms,
  c.planning_ms,
  c.engine_ms,
  c.row_count,
  c.bytes,
  c.slices_kept,
  c.slices_made,
  c.bytes_billed,
  c.code,
  c.request_id,
  c.parameters_digest,
  c.parameters
FROM gateway.calls AS c
WHERE c.timestamp >= TIMESTAMP_SUB(TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY), INTERVAL @days - 1 DAY)
  AND (@key IS NULL OR c.key = @key)
  AND (@endpoint IS NULL OR c.endpoint = @endpoint)
  AND c.query IS NOT NULL
ORDER BY c.duration_ms DESC, c.id
LIMIT 100
