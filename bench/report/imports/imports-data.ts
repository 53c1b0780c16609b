import { z } from 'zod';

/** The ways by which rows get into a table. */
export const importWays = ['read_json', 'parquet', 'ndjson', 'collectors'] as const;

export const importsData = z.object({
  /** Rows of the files, and bytes of that with NDJSON. */
  rows: z.int().positive(),
  bytes: z.int().positive(),
  collectors: z.int().positive(),
  rowsPerRequest: z.int().positive(),
  /** How long collectors send in each round. */
  seconds: z.number().positive(),
  ways: z
    .array(
      z.object({
        way: z.enum(importWays),
        /** One for each round. */
        rowsPerSecond: z.array(z.number().positive()).min(1),
      }),
    )
    .length(importWays.length),
  /** The most resident memory of imports of NDJSON, in bytes; null where the system doesn't report it. */
  peakBytes: z.number().positive().nullable(),
  /** Milliseconds until the batches of collectors were acknowledged, for each round, and batches that were refused. */
  acknowledgedP50: z.array(z.number().positive()).min(1),
  acknowledgedP99: z.array(z.number().positive()).min(1),
  refusals: z.int().nonnegative(),
});

export type ImportsData = z.infer<typeof importsData>;
export type ImportWay = (typeof importWays)[number];
