import { z } from 'zod';

/** Where a job runs: a region or multi-region of Google's, in any letter case. */
export const jobLocation = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'expected a location such as EU or europe-west4');
