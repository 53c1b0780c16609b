import { z } from 'zod';
import { spread } from '../spread.ts';

export const latencyData = z.object({
  stores: z
    .array(
      z.object({
        /** The number of rows in the store. */
        rows: z.int().positive(),
        queries: z
          .array(
            z.object({
              what: z.string(),
              /** Milliseconds of the gateway, from parameters to decoded rows. */
              gateway: spread,
              /** Of these, the engine's own. */
              engineMs: z.number().positive(),
              /** Milliseconds of the faster one of the hand-written runs: in the gateway's store, or in a plain DuckDB. */
              byHandMs: z.number().positive(),
              /** Milliseconds of ClickHouse over the same rows, from its SQL to rows. */
              clickhouseMs: z.number().positive().optional(),
              /** Rows of the result, and measured runs. */
              rows: z.int().nonnegative(),
              runs: z.int().positive(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

export type LatencyData = z.infer<typeof latencyData>;
