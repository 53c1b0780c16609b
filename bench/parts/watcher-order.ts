import { z } from 'zod';

/** What a worker watches. */
export const watcherOrder = z.object({
  port: z.int().positive(),
  key: z.string(),
  /** The values of the parameter `project`: each is a tail of its own. */
  projects: z.array(z.string()).min(1),
  /** How many watch each of them. */
  watchersPerProject: z.int().positive(),
  /** The ids of the rows that count begin with it. */
  prefix: z.string(),
});

export type WatcherOrder = z.infer<typeof watcherOrder>;

/** A message of the worker: all streams have begun, or what came of them. */
export const watcherMessage = z.union([
  z.literal('watching'),
  z.object({
    /** For each watcher, in the order of the projects: the ids of rows in the order of their arrival, with its time. */
    seen: z.array(z.array(z.tuple([z.string(), z.number()]))),
  }),
]);

/** A row that a watcher has got: its id, and when, in milliseconds since the epoch. */
export type SeenRow = readonly [id: string, at: number];
