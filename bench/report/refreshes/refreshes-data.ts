import { z } from 'zod';
import { spread } from '../spread.ts';

export const refreshesData = z.object({
  /** New rows before each run. */
  added: z.int().positive(),
  stores: z
    .array(
      z.object({
        /** The number of rows in the store. */
        rows: z.int().positive(),
        queries: z
          .array(
            z.object({
              what: z.string(),
              /** Milliseconds of runs that are merged from slices. */
              sliced: spread,
              /** The same from all rows. */
              whole: spread,
              /** The same by someone who knows DuckDB and the flat table, and in ClickHouse. */
              byHand: z.optional(spread),
              clickhouse: z.optional(spread),
              /** The first run, which makes slices, and the same from all rows. */
              firstMs: z.number().positive(),
              firstWholeMs: z.number().positive(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

export type RefreshesData = z.infer<typeof refreshesData>;
