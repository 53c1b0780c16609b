import { z } from 'zod';

/** A piece of JSON's path: `rows.0.f`. */
const path = z.string().min(1);

/** Something that goes wrong on purpose, and for which requests. Several things may go wrong with one request. */
export const faultSchema = z.strictObject({
  /** Only requests with this method. */
  method: z.enum(['GET', 'POST']).optional(),
  /** Only requests whose path matches this regular expression: `/queries/`, `/cancel$`. */
  path: z.string().optional(),
  /** So many matching requests are left alone before. */
  skip: z.int().nonnegative().default(0),
  /** How many matching requests it is for; 0: all that come. */
  times: z.int().nonnegative().default(1),

  /** Milliseconds to wait before the request is looked at. */
  delayMs: z.int().nonnegative().optional(),
  /** Never answers: the request is not carried out, or it is. */
  hang: z.enum(['before', 'after']).optional(),
  /**
   * The connection is reset: before the request is carried out, after it, amid the answer's body; or the body is
   * ended in its middle as if that were all.
   */
  reset: z.enum(['before', 'after', 'body', 'cut']).optional(),
  /** An error is answered, and nothing carried out. */
  status: z
    .strictObject({
      code: z.int().min(300).max(599),
      /** Without it, the answer is a page of HTML, as proxies in between give it. */
      reason: z.string().optional(),
      message: z.string().default('Some error'),
      location: z.string().optional(),
      /** Seconds. */
      retryAfter: z.int().nonnegative().optional(),
    })
    .optional(),

  /** The query's job fails with this. */
  jobError: z
    .strictObject({ reason: z.string(), message: z.string(), location: z.string().optional() })
    .optional(),
  /** Milliseconds that the query's job runs before it does anything; `forever` lets it run until it is stopped. */
  jobRunsMs: z.union([z.int().nonnegative(), z.literal('forever')]).optional(),
  /** Answers at once that the job isn't complete, whatever it is. */
  incomplete: z.boolean().optional(),
  /** The page has at most so many rows. */
  rowsPerPage: z.int().positive().optional(),
  /** The page has no rows, but a token with which they come. */
  emptyPage: z.boolean().optional(),
  /** The page's token is that of the page itself. */
  repeatToken: z.boolean().optional(),

  /** Fields of the answer that get other values. */
  set: z.record(path, z.unknown()).optional(),
  /** Fields of the answer that aren't there. */
  remove: z.array(path).optional(),
  /** Fields of the answer, at its top, that stand there twice. */
  repeat: z.array(path).optional(),
  /** Sent as the body in place of what would be there. */
  body: z.string().optional(),
});

/** As it is given; what is left out has its default. */
export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.infer<typeof faultSchema>;
