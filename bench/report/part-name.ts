/** The parts of the report, in its order, with what each measures and its usual time on two cores. */
const parts = {
  servers: 'cached answers beside other servers (4 minutes)',
  latency:
    'calls that are not cached beside DuckDB by hand and ClickHouse, which takes 550 MB (3 minutes; far more with --full)',
  refreshes:
    'queries over a window of time after new rows, from slices and from all rows, beside DuckDB by hand and ClickHouse (7 minutes)',
  callers: 'a thousand equal calls at once, one and three replicas; needs redis-server (1 minute)',
  overload: '1 to 20 times the capacity (2 minutes)',
  hits: 'cached answers while hostile queries run (2 minutes)',
  imports: 'import and ingestion beside read_json (2 minutes)',
  planning: 'planning by number of tables (1 minute)',
  memory: 'memory by process, at rest and under load (2 minutes)',
} as const;

export type PartName = keyof typeof parts;

// The keys are those of the object above.
export const partNames = Object.keys(parts) as readonly PartName[];

/** A line for each part, for the help. */
export const partLines = Object.entries(parts)
  .map(([name, summary]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n');
