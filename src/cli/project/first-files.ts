const rows = [
  ['a1', '2026-01-15T11:50:00Z', 'shop', 'GET', '/orders', 200, 60],
  ['a2', '2026-01-15T11:30:00Z', 'shop', 'POST', '/orders', 503, 300],
  ['a3', '2026-01-15T08:00:00Z', 'shop', 'GET', '/orders', 200, 60],
  ['a4', '2026-01-15T07:00:00Z', 'shop', 'GET', '/products', 200, 20],
  ['a5', '2026-01-15T06:00:00Z', 'shop', 'GET', '/products', 404, 40],
  ['a6', '2026-01-15T05:00:00Z', 'shop', 'POST', '/login', 200, 82.5],
  ['a7', '2026-01-15T11:55:00Z', 'blog', 'GET', '/', 200, 12],
  ['a8', '2026-01-13T12:00:00Z', 'shop', 'GET', '/orders', 200, 75],
] as const;

/** The rows of the first test, a few of another service and before the last day among them. */
const firstFixture = {
  path: 'fixtures/requests.ndjson',
  text: rows
    .map(([id, timestamp, service, method, path, status, duration_ms]) =>
      JSON.stringify({ id, timestamp, service, method, path, status, duration_ms }),
    )
    .map((line) => `${line}\n`)
    .join(''),
} as const;

/** The first endpoint of a project, over its first source. */
const firstEndpoint = {
  path: 'endpoints/requests.by-path.sql',
  /** @param id a UUID */
  text: (id: string) => `/*
id: ${id}
name: requests.by-path
description: The paths of a service, the most requested first, with failures and durations.
maxRows: 100
cacheSeconds: 10
unknownParameters: reject
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

/** The test of the first endpoint. Its rows are those of the fixture. */
const firstTest = {
  path: 'endpoints/requests.by-path.test.yaml',
  text: `# The clock of the queries, and the rows that they read. A path is relative to this file.
now: 2026-01-15T12:00:00Z
rows:
  requests: {file: ../fixtures/requests.ndjson}
cases:
  - name: counts the requests of a service by path
    parameters: {service: shop}
    expect:
      rows:
        - {path: /orders, request_count: 3, failure_count: 1, mean_duration_ms: 140}
        - {path: /products, request_count: 2, failure_count: 0, mean_duration_ms: 30}
        - {path: /login, request_count: 1, failure_count: 0, mean_duration_ms: 82.5}

  - name: leaves out requests before the last hours
    parameters: {service: shop, hours: 1}
    expect:
      rows:
        - {path: /orders, request_count: 2, failure_count: 1, mean_duration_ms: 180}

  - name: has no rows for a service without requests
    parameters: {service: warehouse}
    expect: {empty: true}

  - name: needs a service
    expect:
      error: {code: BAD_USER_INPUT, parameter: service}
`,
} as const;

/** The first source of a project. */
const firstSource = {
  path: 'sources/requests.json',
  text: `[
  { "name": "id", "type": "STRING", "mode": "REQUIRED" },
  { "name": "timestamp", "type": "TIMESTAMP", "mode": "REQUIRED" },
  { "name": "service", "type": "STRING", "mode": "REQUIRED", "description": "One of: shop, blog or api" },
  { "name": "method", "type": "STRING", "mode": "REQUIRED" },
  { "name": "path", "type": "STRING", "mode": "REQUIRED" },
  { "name": "status", "type": "INT64", "mode": "REQUIRED" },
  { "name": "duration_ms", "type": "FLOAT64" },
  { "name": "user_agent", "type": "STRING" }
]
`,
} as const;

/** A file of a project. */
export interface ProjectFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The first endpoint with its test, and the source and the rows that these read. They belong together. */
export function firstFiles(endpointId: string): readonly ProjectFile[] {
  const endpoint = { path: firstEndpoint.path, text: firstEndpoint.text(endpointId) };
  return [endpoint, firstTest, firstSource, firstFixture];
}
