/** The sources that the demo has rows for: all included ones. */
export const demoSources = [
  'postgres_logs',
  'pgbouncer_logs',
  'postgrest_logs',
  'auth_logs',
  'storage_logs',
  'realtime_logs',
  'function_edge_logs',
  'function_logs',
  'edge_logs',
] as const;

export type DemoSource = (typeof demoSources)[number];

/** A value of a row, in plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A row in the form of the source's schema. An absent field is NULL. */
interface JsonRow {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly [column: string]: Json;
}

/** A made-up row. */
export interface DemoRow {
  readonly source: DemoSource;
  /** The row's timestamp, in microseconds since the epoch. */
  readonly at: number;
  readonly row: JsonRow;
}
