/** The first source of a project. */
export const firstSource = {
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
