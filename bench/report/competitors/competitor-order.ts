import { z } from 'zod';

/** The servers that a process of competitors can be. */
export const competitors = ['bare', 'yoga', 'yoga-cached', 'mercurius', 'apollo'] as const;

export type Competitor = (typeof competitors)[number];

/** What a process of a competitor is to serve. */
export const competitorOrder = z.object({
  competitor: z.enum(competitors),
  /** The folder in which the packages are installed; unused by the bare server. */
  folder: z.string(),
  /** The rows of every answer. */
  records: z.array(
    z.object({ id: z.string(), timestamp: z.string(), eventMessage: z.string(), status: z.string() }),
  ),
  /** The body of every answer of the bare server. */
  body: z.string(),
});

export type CompetitorOrder = z.infer<typeof competitorOrder>;
export type CompetitorRecord = CompetitorOrder['records'][number];

/** A process of a competitor, when it listens. */
export const competitorStarted = z.object({
  port: z.int().positive(),
  /** Packages and their versions. */
  versions: z.record(z.string(), z.string()),
});

export type CompetitorStarted = z.infer<typeof competitorStarted>;
