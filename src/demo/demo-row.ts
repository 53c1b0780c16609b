/** The sources that the demo has rows for: all that come with the gateway. */
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

/** A row as the source's schema has it; a field that is absent is NULL. */
interface JsonRow {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly [column: string]: Json;
}

/** A row made up for the demo. */
export interface DemoRow {
  readonly source: DemoSource;
  /** The row's timestamp, in microseconds since the epoch. */
  readonly at: number;
  readonly row: JsonRow;
}
