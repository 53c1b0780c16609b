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
export const firstFixture = {
  path: 'fixtures/requests.ndjson',
  text: rows
    .map(([id, timestamp, service, method, path, status, duration_ms]) =>
      JSON.stringify({ id, timestamp, service, method, path, status, duration_ms }),
    )
    .map((line) => `${line}\n`)
    .join(''),
} as const;
