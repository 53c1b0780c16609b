import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

export const partNames = [
  'sql',
  'dashboards',
  'leaves',
  'functions',
  'planning',
  'overhead',
  'slices',
  'graphql',
  'cache',
  'overload',
  'floods',
  'bodies',
  'storm',
  'start',
  'mcp',
  'import',
  'export',
  'ingest',
  'live',
  'console',
] as const;

export type PartName = (typeof partNames)[number];

export interface BenchOptions {
  /** The parts to run; all by default. */
  readonly parts: readonly PartName[];
  /** Rows of the store that is queried and served. */
  readonly rows: number;
  /** Rows of the file that is imported. */
  readonly importRows: number;
  /** How long the steady load of ingest lasts, in minutes. */
  readonly minutes: number;
  /** Whether to print the compared SQL. */
  readonly verbose: boolean;
  /** The folder that keeps stores and files between runs. */
  readonly folder: string;
}

export const usage = `npm run bench -- [part...] [--rows <number>] [--import-rows <number>] [--minutes <number>] [--verbose]
npm run bench -- report [--quick | --full] [--only <part,...>] [--output <folder>]: writes docs/performance.md

Parts (all unless some are named):
  sql        calls of both endpoints against hand-written SQL
  dashboards callers' own queries against hand-written SQL
  leaves     both kinds against SQL written by hand over the flat table, and where one row in a thousand has two elements
  functions  functions and constructs of SQL against hand-written SQL, over 200,000 rows
  planning   how long a caller's own query takes to be planned, new and repeated
  overhead   what the gateway adds to the engine's own time
  slices     queries over a window of time after new rows, merged from slices and from all rows
  graphql    what a GraphQL answer costs, against plain yoga and Pothos
  cache      answers from the cache against a bare server, and the memory that they take
  overload   what is answered when ten times as much is asked as can be
  floods     a key's light call while another key sends as much of a kind as it can: queries, exports, live queries, texts to
             plan, events
  bodies     a key's light call while another key sends bodies of 50,000 events, in a dozen laborious shapes
  storm      what others get while callers send hostile queries
  start      how long "npm start" and a restart of the engine process take, and idle memory
  mcp        what a tool call of an agent adds to the same call by REST
  import     importing rows: memory and speed
  export     exporting a million rows as CSV, NDJSON, Parquet and Arrow, against DuckDB's COPY
  ingest     100 collectors against an import, then some minutes of them: acknowledgements, queries and memory
  live       1,000 clients that watch tails: from an acknowledged row to each of them, and memory
  console    the console in Chromium: its first load and paint, and a table that is scrolled

Each part proves that it measured what it says. A part that can't do so fails, and the exit code is 1.

--minutes 60 lets the steady load of ingest last an hour; it is 3 minutes otherwise.

The store of 10 million rows is kept for the next run, in BENCH_DIR or a folder for temporary files.`;

const count = z
  .string()
  .regex(/^[\d_]{1,12}$/, 'expected a number of rows')
  .transform((text) => Number(text.replaceAll('_', '')))
  .refine((number) => number >= 1_000, 'expected at least 1000 rows');

const schema = z.object({
  parts: z.array(z.enum(partNames, `the parts are ${partNames.join(', ')}`)),
  rows: count.default(10_000_000),
  'import-rows': count.default(1_000_000),
  minutes: z.coerce
    .number('expected a number of minutes')
    .min(0.1, 'expected at least 0.1 minutes')
    .max(1_440, 'expected at most a day')
    .default(3),
  verbose: z.boolean().default(false),
});

/**
 * Parses the command line.
 *
 * @throws Error with what is wrong
 */
export function readOptions(args: readonly string[], benchDir: string | undefined): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rows: { type: 'string' },
      'import-rows': { type: 'string' },
      minutes: { type: 'string' },
      verbose: { type: 'boolean' },
    },
  });
  const parsed = schema.safeParse({ ...values, parts: positionals });
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ message }) => message).join('; '));
  const { parts, rows, minutes, verbose } = parsed.data;
  return {
    parts: parts.length === 0 ? partNames : partNames.filter((part) => parts.includes(part)),
    rows,
    importRows: parsed.data['import-rows'],
    minutes,
    verbose,
    folder: benchDir || join(tmpdir(), 'endpoint-gateway-bench'),
  };
}
