import type { Job, JobSettings } from '../../../definitions/jobs/job.ts';
import { labelValue, maxLabels } from '../../../definitions/jobs/labels.ts';

/** Settings that every job has. */
type Decided = Required<Pick<JobSettings, 'priority' | 'queryCache' | 'jobCreation'>>;

/** A deployment's settings for its jobs. An endpoint's own settings take precedence. */
export interface BigQuerySettings extends Omit<JobSettings, keyof Decided>, Decided {
  /** Labels of every job, already normalised. */
  readonly labels: ReadonlyMap<string, string>;
}

/** The settings of one job: {@link BigQuerySettings} overridden by the endpoint's own. */
export interface EffectiveSettings extends Omit<BigQuerySettings, 'labels'>, Pick<Job, 'reservation'> {
  readonly labels: Readonly<Record<string, string>>;
}

/** @param maxScanBytes the most bytes that the query may read. BigQuery bills no less than a query reads */
export function effectiveSettings(
  deployment: BigQuerySettings,
  job: Job,
  maxScanBytes?: number,
): EffectiveSettings {
  const { endpoint: _, ...own } = job;
  const settings = { ...deployment, ...own, labels: jobLabels(deployment.labels, job) };
  if (maxScanBytes === undefined) return settings;
  const { maxBytesBilled = maxScanBytes } = settings;
  return { ...settings, maxBytesBilled: Math.min(maxBytesBilled, maxScanBytes) };
}

/**
 * The gateway's own labels can't be replaced. Those of the endpoint and its caller replace the deployment's, which are
 * omitted first if there are too many.
 */
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
