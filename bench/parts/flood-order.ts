import { z } from 'zod';

/** What a worker floods a gateway with. */
export const floodOrder = z.object({
  port: z.int().positive(),
  key: z.string(),
  kind: z.enum(['queries', 'exports', 'live queries', 'planning']),
  connections: z.int().positive(),
  seconds: z.number().positive(),
  /** Each request is a new one: the numbers of a flood begin with it. */
  first: z.int(),
});

export type FloodOrder = z.infer<typeof floodOrder>;

export const floodReport = z.object({
  answered: z.int(),
  refused: z.int(),
  /** The longest time that the engine ran for one of them, in milliseconds. */
  longestRunMs: z.number(),
});

export type FloodReport = z.infer<typeof floodReport>;
