/** The first endpoint of a project, over its first source. */
export const firstEndpoint = {
  path: 'endpoints/requests.by-path.sql',
  /** @param id a UUID */
  text: (id: string) => `/*
id: ${id}
name: requests.by-path
description: The paths of a service, the most requested first, with failures and durations.
maxRows: 100
cacheSeconds: 10
parameters:
  service:
    required: true
    example: shop
    description: The service whose requests are counted.
  hours:
    type: INT64
    default: 24
    min: 1
    max: 720
    description: Only requests of so many last hours.
columns:
  path: {nullable: false}
  request_count: {nullable: false}
  failure_count: {nullable: false, description: Requests with a status of 500 or above.}
  mean_duration_ms: {description: The mean duration in milliseconds.}
*/
SELECT
  r.path,
  COUNT(*) AS request_count,
  COUNTIF(r.status >= 500) AS failure_count,
  ROUND(AVG(r.duration_ms), 1) AS mean_duration_ms
FROM logs.requests AS r
WHERE r.service = @service
  AND r.timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL @hours HOUR)
GROUP BY r.path
ORDER BY request_count DESC, r.path
`,
} as const;
