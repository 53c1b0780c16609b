import { z } from 'zod';

/** What callers of cached results got in some seconds. */
const seen = z.object({
  /** Answers, all with status 200 and from the cache. */
  answers: z.int().positive(),
  /** Milliseconds. */
  p50: z.number().positive(),
  p90: z.number().positive(),
  p99: z.number().positive(),
  longest: z.number().positive(),
});

export const hitsData = z.object({
  rows: z.int().positive(),
  seconds: z.number().positive(),
  /** Callers that send hostile queries, each the next one after an answer. */
  callers: z.int().positive(),
  rounds: z
    .array(
      z.object({
        alone: seen,
        meanwhile: seen,
        /** Hostile queries by the status of their answer. */
        hostile: z.record(z.string(), z.int()),
        /** Other callers' light queries meanwhile, which need the engine. */
        lights: z.object({ answered: z.int(), refused: z.int(), others: z.int() }),
      }),
    )
    .min(1),
});

export type HitsData = z.infer<typeof hitsData>;
export type SeenHits = z.infer<typeof seen>;
