import { z } from 'zod';

/** A thousand calls at once. */
const round = z.object({
  /** Runs of all replicas' engines. */
  engineRuns: z.int().nonnegative(),
  /** Answers from a cache, and calls that waited for another call's run. */
  hits: z.int().nonnegative(),
  collapsed: z.int().nonnegative(),
  /** Milliseconds of one such call alone, for another project, just before. */
  aloneMs: z.number().positive(),
  /** Milliseconds within which so many per cent of the calls were answered: 0, 1, … 100. */
  percentiles: z.array(z.number().positive()).length(101),
});

export const callersData = z.object({
  callers: z.int().positive(),
  /** The called endpoint and the number of rows that it reads. */
  endpoint: z.string(),
  rows: z.int().positive(),
  groups: z.array(z.object({ replicas: z.int().positive(), rounds: z.array(round).min(1) })).min(1),
});

export type CallersData = z.infer<typeof callersData>;
export type CallersRound = z.infer<typeof round>;
