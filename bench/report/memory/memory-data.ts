import { z } from 'zod';

/** The processes of a gateway. */
export const processNames = ['gateway', 'engine', 'analyzer', 'watchers'] as const;

/** What a gateway does while its memory is looked at, in this order. */
export const memoryStates = [
  'at rest',
  'cache hits',
  'stored queries',
  "callers' queries",
  'ingestion',
  'afterwards',
] as const;

const bytes = z.number().nonnegative();

export const memoryData = z.object({
  rows: z.int().positive(),
  /** How long each state lasts. */
  seconds: z.number().positive(),
  /** Settings that limit memory: that of the engine as it was set, and that of cached results in bytes. */
  engineLimit: z.string(),
  cacheBytes: bytes,
  states: z
    .array(
      z.object({
        state: z.enum(memoryStates),
        /** Requests that were answered in all rounds; 0 for states without load. */
        answers: z.int().nonnegative(),
        /** The bytes of each process when all took most together, one for each start of a gateway. */
        rounds: z.array(z.record(z.enum(processNames), bytes)).min(1),
      }),
    )
    .length(memoryStates.length),
});

export type MemoryData = z.infer<typeof memoryData>;
export type ProcessName = (typeof processNames)[number];
export type MemoryState = (typeof memoryStates)[number];
