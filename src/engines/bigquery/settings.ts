import type { Job, JobSettings } from '../job.ts';
import { labelValue, maxLabels } from '../labels.ts';

/** Settings of which every job has one. */
type Decided = Required<Pick<JobSettings, 'priority' | 'queryCache' | 'jobCreation'>>;

/** What a deployment sets for its jobs. What an endpoint sets for its own counts more. */
export interface BigQuerySettings extends Omit<JobSettings, keyof Decided>, Decided {
  /** Labels of every job, cleaned already. */
  readonly labels: ReadonlyMap<string, string>;
}

/** What counts for one job: {@link BigQuerySettings} and the endpoint's own together. */
export interface EffectiveSettings extends Omit<BigQuerySettings, 'labels'>, Pick<Job, 'reservation'> {
  readonly labels: Readonly<Record<string, string>>;
}

export function effectiveSettings(deployment: BigQuerySettings, job: Job): EffectiveSettings {
  const { endpoint: _, ...own } = job;
  return { ...deployment, ...own, labels: jobLabels(deployment.labels, job) };
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
