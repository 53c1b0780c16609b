import type { MadeUpRow, MadeUpValue } from '../../made-up-rows/making/made-up-row.ts';

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

/** A row in the form of the source's schema. An absent field is NULL. */
interface JsonRow {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly [column: string]: MadeUpValue;
}

/** A made-up row of an included source. */
export interface DemoRow extends MadeUpRow {
  readonly source: DemoSource;
  readonly row: JsonRow;
}
