/*
id: 2f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f10
name: logs.all
description: Edge log entries of a project, newest first. The tables are the nine log sources.
maxRows: 1000
cacheSeconds: 0
sandbox: true
redactPii: false
parameters:
  project:
    required: true
    example: fjrqomtzlwkgbxhvnuea
    description: The reference of the project.
  iso_timestamp_start:
    argument: start
    description: Only rows after this time (ISO 8601). No lower bound if missing or empty.
  iso_timestamp_end:
    argument: end
    description: Only rows up to and including this time (ISO 8601). No upper bound if missing or empty.
*/
WITH
edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.edge_logs AS t
  WHERE t.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
postgres_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.postgres_logs AS t
  WHERE t.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
function_edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.function_edge_logs AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project_ref = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
function_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.function_logs AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project_ref = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
auth_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.auth_logs AS t
  WHERE t.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
realtime_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.realtime_logs AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
storage_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.storage_logs AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
postgrest_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.postgrest_logs AS t
  WHERE t.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
),
pgbouncer_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.pgbouncer_logs AS t
  WHERE t.project = @project
    AND CASE
      WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@iso_timestamp_start AS TIMESTAMP)
    END
    AND CASE
      WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@iso_timestamp_end AS TIMESTAMP)
    END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
)
SELECT id, timestamp, event_message, metadata
FROM edge_logs
ORDER BY timestamp DESC
LIMIT 100
