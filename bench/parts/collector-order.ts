import { z } from 'zod';

/** What a worker's collectors send. */
export const collectorOrder = z.object({
  port: z.int().positive(),
  key: z.string(),
  /** A file of NDJSON rows that begin with `id`, of 36 characters, and `timestamp`. They are sent with new ones. */
  file: z.string(),
  /** The ids begin with it. */
  prefix: z.string().max(8),
  collectors: z.int().positive(),
  rowsPerRequest: z.int().positive(),
  /** How long they send, in seconds. */
  seconds: z.number().positive(),
  /**
   * How often each collector has a batch to send, in milliseconds, whether the former one is acknowledged or not. 0: each
   * sends the next one as soon as one is acknowledged.
   */
  everyMs: z.number().nonnegative(),
  /** Whether their own work leaves the processors to the gateway, as that of other machines does. */
  givesWay: z.boolean().optional(),
});

export type CollectorOrder = z.infer<typeof collectorOrder>;

/** What they report when everything is acknowledged. */
export const collectorReport = z.object({
  acknowledgedRows: z.int(),
  /** From the time when a batch was to be sent until it was acknowledged, in milliseconds, in the order of acknowledgements. */
  times: z.array(z.number()),
  /** Answers that told to come again. Those batches were sent again. */
  refusals: z.int(),
  /** From the first request to the last acknowledgement, in milliseconds. */
  milliseconds: z.number(),
});

export type CollectorReport = z.infer<typeof collectorReport>;
