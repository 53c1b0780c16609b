import { z } from 'zod';

/** The location of a job: a Google region or multi-region, in any letter case. */
export const jobLocation = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'expected a location such as EU or europe-west4');
