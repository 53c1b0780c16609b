import { z } from 'zod';

/** What a process of ClickHouse is to hold. */
export const clickhouseOrder = z.object({
  /** The folder in which the package is installed. */
  packages: z.string(),
  /** The folder of its data, which is empty. */
  data: z.string(),
  /** A Parquet file of the rows. */
  rows: z.string(),
});

export type ClickhouseOrder = z.infer<typeof clickhouseOrder>;

/** A process of ClickHouse, when it has the rows. */
export const clickhouseStarted = z.object({ version: z.string(), rows: z.int() });

export type ClickhouseStarted = z.infer<typeof clickhouseStarted>;

/** The answer to a query. */
export const clickhouseAnswer = z.object({
  /** Milliseconds from the text of the query to the rows. */
  ms: z.number(),
  rows: z.array(z.array(z.unknown())),
});

export type ClickhouseAnswer = z.infer<typeof clickhouseAnswer>;
