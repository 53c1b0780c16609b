import { labelValue, maxLabels } from '../../labels.ts';
import type { Job } from '../job.ts';

/** What a deployment sets for its jobs. What an endpoint sets for its own counts more. */
export interface BigQuerySettings {
  readonly location?: string;
  readonly maxBytesBilled?: number;
  /** Milliseconds after which BigQuery ends a job by itself, if the request's deadline isn't earlier. */
  readonly jobTimeoutMs?: number;
  readonly priority: 'interactive' | 'batch';
  readonly queryCache: boolean;
  readonly jobCreation: 'required' | 'optional';
  /** Labels of every job, cleaned already. */
  readonly labels: ReadonlyMap<string, string>;
}

/** What counts for one job: {@link BigQuerySettings} and the endpoint's own together. */
export interface EffectiveSettings {
  readonly location?: string;
  readonly maxBytesBilled?: number;
  /** Milliseconds, the request's deadline left out. */
  readonly timeoutMs?: number;
  readonly priority: 'interactive' | 'batch';
  readonly queryCache: boolean;
  readonly jobCreation: 'required' | 'optional';
  readonly reservation?: string;
  readonly labels: Readonly<Record<string, string>>;
}

export function effectiveSettings(deployment: BigQuerySettings, job: Job): EffectiveSettings {
  const location = job.location ?? deployment.location;
  const maxBytesBilled = job.maxBytesBilled ?? deployment.maxBytesBilled;
  const timeoutMs = job.timeoutMs ?? deployment.jobTimeoutMs;
  const { reservation } = job;
  return {
    ...(location !== undefined && { location }),
    ...(maxBytesBilled !== undefined && { maxBytesBilled }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(reservation !== undefined && { reservation }),
    priority: job.priority ?? deployment.priority,
    queryCache: job.queryCache ?? deployment.queryCache,
    jobCreation: job.jobCreation ?? deployment.jobCreation,
    labels: jobLabels(deployment.labels, job),
  };
}

/** Ours can't be replaced; the endpoint's and its caller's replace the deployment's, which are the first to be left out. */
function jobLabels(ofDeployment: BigQuerySettings['labels'], job: Job): Record<string, string> {
  const labels = new Map([
    ['managed_by', 'endpoint-gateway'],
    ['endpoint', labelValue(job.endpoint.name.replaceAll('.', '_'))],
    ['endpoint_id', labelValue(job.endpoint.id)],
  ]);
  for (const [key, value] of [...job.labels, ...ofDeployment]) {
    if (labels.size < maxLabels && !labels.has(key)) labels.set(key, value);
  }
  return Object.fromEntries(labels);
}
