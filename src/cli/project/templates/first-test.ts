/** The test of the first endpoint. Its rows are those of the fixture. */
export const firstTest = {
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
