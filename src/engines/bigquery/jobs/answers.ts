import { z } from 'zod';
import { tableField } from '../../../definitions/sources/table-field.ts';

/** int64 is a text of digits in JSON, as in all of Google's APIs. */
const count = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

const errorProto = z.object({
  reason: z.string().default(''),
  message: z.string().default(''),
});

const jobReference = z.object({
  projectId: z.string(),
  jobId: z.string(),
  location: z.string().optional(),
});

/** The reference that identifies a job; `location` if known. */
export type JobReference = z.output<typeof jobReference>;

const tableSchema = z.object({ fields: z.array(tableField) });

const queryStatistics = z.object({
  totalBytesProcessed: count.optional(),
  totalBytesBilled: count.optional(),
  totalSlotMs: count.optional(),
  cacheHit: z.boolean().optional(),
});

const statistics = z.object({
  totalBytesProcessed: count.optional(),
  totalSlotMs: count.optional(),
  query: queryStatistics.optional(),
});

/** The cost of a job in `JobStatistics`. */
export type JobStatistics = z.output<typeof statistics>;

/** `Job`, of jobs.insert and jobs.get. */
export const jobAnswer = z.object({
  jobReference,
  status: z.object({ state: z.string(), errorResult: errorProto.optional() }).optional(),
  statistics: statistics.optional(),
});
export type JobAnswer = z.output<typeof jobAnswer>;

/** `Job` of a dry run. It was not created, so it has no id. A failed one has read nothing, and may omit the bytes. */
export const dryRunAnswer = z.object({
  status: z.object({ errorResult: errorProto.optional() }).optional(),
  statistics: statistics
    .extend({ query: queryStatistics.extend({ schema: tableSchema.optional() }).optional() })
    .optional(),
});

/** `GetQueryResultsResponse`. Schema and rows are validated by the decoder. */
export const resultsAnswer = z.object({
  jobComplete: z.boolean(),
  jobReference: jobReference.optional(),
  schema: z.unknown().optional(),
  rows: z.array(z.unknown()).optional(),
  totalRows: count.optional(),
  pageToken: z.string().optional(),
  totalBytesProcessed: count.optional(),
  cacheHit: z.boolean().optional(),
});
export type ResultsAnswer = z.output<typeof resultsAnswer>;

/** `QueryResponse` of jobs.query: a first page, and its cost if no job was created. */
export const queryAnswer = resultsAnswer.extend({
  totalBytesBilled: count.optional(),
  totalSlotMs: count.optional(),
});
export type QueryAnswer = z.output<typeof queryAnswer>;

/** jobs.cancel returns the job, which runs for a moment longer. Nothing in the response is needed. */
export const cancelAnswer = z.object({});
