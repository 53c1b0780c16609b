import { z } from 'zod';
import { jobLocation } from '../engines/job-location.ts';
import { reservationPattern } from './reservation.ts';

const bytes = z.int().min(0);

/** What an endpoint sets for its jobs on BigQuery; what it leaves out is the deployment's. */
export const bigquerySettings = z.strictObject({
  location: jobLocation.optional(),
  /** A query that would be billed more fails, and bills nothing. */
  maxBytesBilled: bytes.min(1).optional(),
  /** Milliseconds after which BigQuery ends a job by itself. */
  jobTimeoutMs: z.int().min(1).max(86_400_000).optional(),
  priority: z.enum(['interactive', 'batch']).optional(),
  queryCache: z.boolean().optional(),
  jobCreation: z.enum(['required', 'optional']).optional(),
  /** Whether callers may choose a reservation by a header. */
  allowReservation: z.boolean().default(false),
  reservation: z
    .string()
    .regex(reservationPattern, 'expected projects/<project>/locations/<location>/reservations/<name>')
    .optional(),
  /** What its queries may be billed in a day (UTC). */
  maxBytesPerDay: bytes.optional(),
});
