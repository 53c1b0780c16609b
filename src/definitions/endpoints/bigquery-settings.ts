import { z } from 'zod';
import { jobLocation, reservationPattern } from '../jobs/job.ts';

const bytes = z.int().min(0);

/** An endpoint's settings for its jobs on BigQuery. Absent ones have the deployment's values. */
export const bigquerySettings = z.strictObject({
  location: jobLocation.optional().describe('The location of its jobs, such as EU.'),
  maxBytesBilled: bytes
    .min(1)
    .optional()
    .describe('The most bytes that a query may be billed. A query above it fails and bills nothing.'),
  jobTimeoutMs: z
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .describe('Milliseconds after which BigQuery itself ends a job.'),
  priority: z.enum(['interactive', 'batch']).optional().describe('The priority of its jobs.'),
  queryCache: z.boolean().optional().describe("Whether BigQuery's own cache of results is used."),
  jobCreation: z
    .enum(['required', 'optional'])
    .optional()
    .describe('Whether BigQuery may answer without creating a job.'),
  allowReservation: z
    .boolean()
    .default(false)
    .describe('Whether callers may choose a reservation by a header.'),
  reservation: z
    .string()
    .regex(reservationPattern, 'expected projects/<project>/locations/<location>/reservations/<name>')
    .optional()
    .describe('The reservation of its jobs.'),
  maxBytesPerDay: bytes.optional().describe('Bytes that its queries may be billed per day (UTC).'),
});
