import { z } from 'zod';

/** How a query runs on an engine with jobs, such as BigQuery. The embedded engine ignores it. */
export interface Job extends JobSettings {
  /** The endpoint's name. */
  readonly endpoint: { readonly id: string; readonly name: string };
  /** The job's labels from the endpoint and caller, already normalised (`labels.ts`). */
  readonly labels: ReadonlyMap<string, string>;
  /** `projects/P/locations/L/reservations/R`, if the endpoint allows one. */
  readonly reservation?: string;
}

/** Settings for jobs, of an endpoint or a whole deployment. The deployment's apply where the endpoint's are absent. */
export interface JobSettings {
  /** The location of the job: `EU`, `europe-west4`. */
  readonly location?: string;
  /** The most bytes that a query may be billed. A query above it fails and bills nothing. */
  readonly maxBytesBilled?: number;
  /** Milliseconds after which BigQuery ends the job, unless the request's deadline is earlier. */
  readonly jobTimeoutMs?: number;
  readonly priority?: 'interactive' | 'batch';
  /** Whether rows may come from BigQuery's own cache. */
  readonly queryCache?: boolean;
  /** `optional` lets BigQuery answer short queries without creating a job. */
  readonly jobCreation?: 'required' | 'optional';
}

/** The form of a reservation's name in BigQuery. Only BigQuery knows whether it exists. */
export const reservationPattern =
  /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,64}\/reservations\/[\w-]{1,64}$/;

/** The location of a job: a Google region or multi-region, in any letter case. */
export const jobLocation = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'expected a location such as EU or europe-west4');
