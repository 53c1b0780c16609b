/*
id: 6a7d6f0c-5a3e-4d4f-9d2b-0f6f3a1c8e21
name: usage.api-counts
description: Number of requests of a project over time, by API area (REST, storage, auth, realtime).
maxRows: 1000
cacheSeconds: 900
warmSeconds: 300
sandbox: true
redactPii: false
parameters:
  interval:
    required: true
    values: [hourly, daily, minutely]
    example: daily
    description: >-
      Time range and bucket size. hourly: the last hour, by hour. daily: the last 7 days, by day.
      minutely: the last 60 minutes, by minute.
  project:
    required: true
    example: fjrqomtzlwkgbxhvnuea
    description: Regular expression (RE2). Only requests whose URL matches are counted.
*/
WITH chart_counts AS (
  SELECT
    CASE @interval
      WHEN 'hourly' THEN TIMESTAMP_TRUNC(t.timestamp, HOUR)
      WHEN 'daily' THEN TIMESTAMP_TRUNC(t.timestamp, DAY)
      WHEN 'minutely' THEN TIMESTAMP_TRUNC(t.timestamp, MINUTE)
    END AS timestamp,
    COUNTIF(REGEXP_CONTAINS(request.path, '/rest')) AS rest_count,
    COUNTIF(REGEXP_CONTAINS(request.path, '/storage')) AS storage_count,
    COUNTIF(REGEXP_CONTAINS(request.path, '/auth')) AS auth_count,
    COUNTIF(REGEXP_CONTAINS(request.path, '/realtime')) AS realtime_count
  FROM logs.edge_logs AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  CROSS JOIN UNNEST(m.request) AS request
  WHERE REGEXP_CONTAINS(request.url, @project)
    AND t.timestamp >= CASE @interval
      WHEN 'hourly' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
      WHEN 'daily' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)
      WHEN 'minutely' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 60 MINUTE)
    END
  GROUP BY timestamp
)
SELECT
  DATETIME(c.timestamp, 'UTC') AS timestamp,
  COALESCE(SUM(c.rest_count), 0) AS total_rest_requests,
  COALESCE(SUM(c.storage_count), 0) AS total_storage_requests,
  COALESCE(SUM(c.auth_count), 0) AS total_auth_requests,
  COALESCE(SUM(c.realtime_count), 0) AS total_realtime_requests
FROM chart_counts AS c
GROUP BY timestamp
ORDER BY timestamp ASC
