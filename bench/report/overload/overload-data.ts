import { z } from 'zod';

export const overloadData = z.object({
  /** What is asked for, and the number of rows in the store. */
  what: z.string(),
  rows: z.int().positive(),
  /** How long each level lasts, and its first seconds that don't count. */
  seconds: z.number().positive(),
  openingSeconds: z.number().nonnegative(),
  /** The most connections of a level, and those of the measurement of capacity. */
  connections: z.int().positive(),
  capacityConnections: z.int().positive(),
  /** Answers per second to few clients that ask as fast as they can, before the first round and after each. */
  capacity: z.array(z.number().positive()).min(2),
  levels: z
    .array(
      z.object({
        /** How many times the capacity was asked for. */
        times: z.number().positive(),
        rounds: z
          .array(
            z.object({
              /** Requests per second: meant, sent, answered well and refused. */
              asked: z.number().positive(),
              sent: z.number().nonnegative(),
              good: z.number().nonnegative(),
              refused: z.number().nonnegative(),
              /** Good answers per second for each of the capacity measured around the round. */
              goodput: z.number().nonnegative(),
              /** Milliseconds of good answers. */
              p50: z.number().positive(),
              p99: z.number().positive(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

export type OverloadData = z.infer<typeof overloadData>;
