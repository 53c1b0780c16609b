/*
id: 6d1f0c55-2c0c-4a8e-9a55-0c8b8f6f2a03
name: gateway.errors
description: Failed calls by day, code, endpoint and key.
maxRows: 10000
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
  DATE(c.timestamp) AS day,
  c.code,
  c.status,
  c.endpoint,
  c.key,
  SUM(c.call_count) AS calls,
  MAX(c.timestamp) AS last
FROM gateway.calls AS c
WHERE c.timestamp >= TIMESTAMP_SUB(TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY), INTERVAL @days - 1 DAY)
  AND (@key IS NULL OR c.key = @key)
  AND (@endpoint IS NULL OR c.endpoint = @endpoint)
  AND c.code IS NOT NULL
GROUP BY day, code, status, endpoint, key
ORDER BY day DESC, calls DESC, code, endpoint, key
