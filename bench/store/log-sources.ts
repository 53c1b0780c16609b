/** The shipped sources without `_logs`, the end of all their names. */
export const logSources = [
  'edge',
  'auth',
  'postgres',
  'function',
  'realtime',
  'storage',
  'postgrest',
  'pgbouncer',
  'function_edge',
] as const;
