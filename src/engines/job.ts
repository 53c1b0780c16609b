/** How a query is to run on an engine that runs jobs, as BigQuery does. The embedded engine ignores it. */
export interface Job extends JobSettings {
  /** The endpoint that it runs for. */
  readonly endpoint: { readonly id: string; readonly name: string };
  /** Labels for the job, cleaned already (`labels.ts`): what endpoint and caller give it. */
  readonly labels: ReadonlyMap<string, string>;
  /** `projects/P/locations/L/reservations/R`, where the endpoint allows one. */
  readonly reservation?: string;
}

/** What endpoints, and all of a deployment, may set for jobs. What an endpoint doesn't set is the deployment's. */
export interface JobSettings {
  /** Where the job runs: `EU`, `europe-west4`. */
  readonly location?: string;
  /** A query that would be billed more fails, and bills nothing. */
  readonly maxBytesBilled?: number;
  /** Milliseconds after which BigQuery ends the job, if the request's deadline isn't earlier. */
  readonly jobTimeoutMs?: number;
  readonly priority?: 'interactive' | 'batch';
  /** Whether rows may come from BigQuery's own cache. */
  readonly queryCache?: boolean;
  /** `optional` lets BigQuery answer short queries without making a job of them. */
  readonly jobCreation?: 'required' | 'optional';
}
