import { z } from 'zod';
import { jobLocation } from '../engines/job-location.ts';
import { reservationPattern } from './reservation.ts';

const bytes = z.int().min(0);

/** An endpoint's settings for its jobs on BigQuery. Absent ones have the deployment's values. */
export const bigquerySettings = z.strictObject({
  location: jobLocation.optional(),
  /** The most bytes that a query may be billed. A query above it fails and bills nothing. */
  maxBytesBilled: bytes.min(1).optional(),
  /** Milliseconds after which BigQuery itself ends a job. */
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
  /** Bytes that its queries may be billed per day (UTC). */
  maxBytesPerDay: bytes.optional(),
});
