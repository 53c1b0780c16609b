import { z } from 'zod';

/** A server that is asked, and how. */
const candidate = z.object({
  name: z.string(),
  kind: z.enum(['REST', 'GraphQL']),
  /** `bare` answers with ready bytes, `cached` from a cache, `executed` by resolving rows in memory for each request. */
  way: z.enum(['bare', 'cached', 'executed']),
  isGateway: z.boolean(),
  /** Answers per second, and times of answers in milliseconds, one for each round. */
  perSecond: z.array(z.number().positive()).min(1),
  p50: z.array(z.number().positive()).min(1),
  p99: z.array(z.number().positive()).min(1),
  /** The number of answers of all rounds, each with the expected bytes. */
  answers: z.int().positive(),
});

export const serversData = z.object({
  connections: z.int().positive(),
  rows: z.int().positive(),
  rounds: z.int().positive(),
  /** How long each server is asked in a round, in seconds. */
  seconds: z.number().positive(),
  restBytes: z.int().positive(),
  graphqlBytes: z.int().positive(),
  candidates: z.array(candidate).min(2),
});

export type ServersData = z.infer<typeof serversData>;
export type MeasuredServer = z.infer<typeof candidate>;
