import * as z from 'zod/mini';
import { activity } from './endpoints.ts';

const counts = z.record(z.string(), z.number());

const endpoint = z.object({
  name: z.string(),
  calls: counts,
  errors: counts,
  queries: counts,
  querySeconds: z.number(),
  activity: z.nullable(activity),
});

const source = z.object({
  name: z.string(),
  rows: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  oldest: z.nullable(z.string()),
  newest: z.nullable(z.string()),
  retentionDays: z.nullable(z.number()),
  collected: counts,
  rejected: counts,
});

const operations = z.object({
  startedAt: z.string(),
  engine: z.string(),
  cache: z.object({ calls: counts, entries: z.number(), bytes: z.number() }),
  queries: z.object({
    running: z.number(),
    waiting: z.number(),
    permits: z.number(),
    maxWaiting: z.number(),
    classes: z.array(
      z.object({ name: z.string(), running: z.number(), waiting: z.number(), maxWaiting: z.number() }),
    ),
  }),
  requests: z.array(z.object({ api: z.string(), status: z.number(), count: z.number() })),
  endpoints: z.array(endpoint),
  engineProcess: z.nullable(z.object({ up: z.boolean(), restarts: z.number(), memoryBytes: z.number() })),
  disk: z.nullable(z.object({ bytes: z.number(), freeBytes: z.number(), full: z.boolean() })),
  sources: z.array(source),
});

export type Operations = z.infer<typeof operations>;
export type EndpointOperations = z.infer<typeof endpoint>;
export type SourceOperations = z.infer<typeof source>;
export type Counts = z.infer<typeof counts>;

/** The answer of `GET /api/operations`. */
export function parseOperations(json: unknown): Operations {
  return operations.parse(json);
}
