import { referenceOf } from '../tables/served-table.ts';
import type { ErrorProto } from '../wire/google-error.ts';
import { etagOf } from '../wire/request.ts';
import { resultSchema } from '../wire/results.ts';
import type { Job, JobReference } from './job.ts';
import type { PlannedJob } from './plan-job.ts';
import type { QuerySpec } from './query-spec.ts';

/** `Job` of BigQuery's reference, as in responses of `jobs.insert` and `jobs.get`. */
export function jobResource(job: Job, baseUrl: string) {
  const { reference, spec } = job;
  const resource = {
    kind: 'bigquery#job',
    ...identity(reference, baseUrl),
    user_email: userEmail,
    configuration: configuration(spec),
    status: statusOf(job),
    statistics: statistics(job),
    jobCreationReason: { code: 'REQUESTED' },
    principal_subject: `user:${userEmail}`,
  };
  return { ...resource, etag: etagOf(resource) };
}

/** The response to a dry run: a job that was not created, and so has no id. */
export function dryRunResource(
  spec: QuerySpec,
  planned: PlannedJob,
  location: string,
  now: number,
  baseUrl: string,
): object {
  const { projectId } = spec;
  const resource = {
    kind: 'bigquery#job',
    id: `${projectId}:${location}.`,
    selfLink: `${baseUrl}/projects/${projectId}/jobs/?location=${location}`,
    user_email: userEmail,
    configuration: { ...configuration(spec), dryRun: true },
    jobReference: { projectId, location },
    status: { state: 'DONE' },
    statistics: {
      creationTime: String(now),
      totalBytesProcessed: String(planned.bytesProcessed),
      query: {
        totalBytesProcessed: String(planned.bytesProcessed),
        totalBytesBilled: '0',
        totalPartitionsProcessed: String(planned.partitionsProcessed),
        totalSlotMs: '0',
        cacheHit: false,
        statementType: 'SELECT',
        totalBytesProcessedAccuracy: 'PRECISE',
        ...referencedTables(planned),
        schema: resultSchema(planned.plan.columns),
      },
    },
  };
  return { ...resource, etag: etagOf(resource) };
}

const userEmail = 'somebody@example.com';

function identity({ projectId, jobId, location }: JobReference, baseUrl: string) {
  return {
    id: `${projectId}:${location}.${jobId}`,
    selfLink: `${baseUrl}/projects/${projectId}/jobs/${jobId}?location=${location}`,
    jobReference: { projectId, jobId, location },
  };
}

function configuration({ query, labels, jobTimeoutMs, reservation, priority }: QuerySpec) {
  return {
    jobType: 'QUERY',
    query: {
      query: query.sql,
      priority,
      useLegacySql: query.useLegacySql,
      useQueryCache: query.useQueryCache,
      writeDisposition: 'WRITE_TRUNCATE',
      ...(query.parameters.length > 0 && {
        parameterMode: query.parameterMode,
        queryParameters: query.parameters,
      }),
      ...(query.defaultDataset !== undefined && { defaultDataset: query.defaultDataset }),
      ...(query.maximumBytesBilled !== undefined && { maximumBytesBilled: String(query.maximumBytesBilled) }),
    },
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(jobTimeoutMs !== undefined && { jobTimeoutMs: String(jobTimeoutMs) }),
    ...(reservation !== undefined && { reservation }),
  };
}

/** As in BigQuery's reference. */
interface JobStatus {
  readonly state: 'RUNNING' | 'DONE';
  readonly errorResult?: ErrorProto;
  readonly errors?: readonly ErrorProto[];
}

export function statusOf({ isDone, error }: Job): JobStatus {
  if (!isDone) return { state: 'RUNNING' };
  return { state: 'DONE', ...(error !== undefined && { errorResult: error, errors: [error] }) };
}

/** The cost of a job: zero if it failed before it ran, or if its rows came from the cache. */
export function costOf({ planned, result, endTime, creationTime }: Job) {
  const runMs = Math.max(1, (endTime ?? creationTime) - creationTime);
  const isBilled = planned !== undefined && result?.cacheHit === false;
  return {
    bytesProcessed: isBilled ? planned.bytesProcessed : 0,
    bytesBilled: isBilled ? planned.bytesBilled : 0,
    partitionsProcessed: isBilled ? planned.partitionsProcessed : 0,
    slotMs: isBilled ? runMs : 0,
  };
}

function statistics(job: Job): object {
  const { creationTime, endTime, planned, result, spec } = job;
  const times = { creationTime: String(creationTime), startTime: String(creationTime) };
  if (endTime === undefined) return { ...times, query: { statementType: 'SELECT' } };
  const { bytesProcessed, bytesBilled, partitionsProcessed, slotMs } = costOf(job);
  return {
    ...times,
    endTime: String(endTime),
    totalBytesProcessed: String(bytesProcessed),
    totalSlotMs: String(slotMs),
    finalExecutionDurationMs: String(endTime - creationTime),
    ...(spec.reservation !== undefined && { reservation_id: spec.reservation }),
    query: {
      totalBytesProcessed: String(bytesProcessed),
      totalBytesBilled: String(bytesBilled),
      totalSlotMs: String(slotMs),
      billingTier: bytesBilled > 0 ? 1 : 0,
      cacheHit: result?.cacheHit ?? false,
      statementType: 'SELECT',
      totalPartitionsProcessed: String(partitionsProcessed),
      ...(planned !== undefined && referencedTables(planned)),
    },
  };
}

function referencedTables({ referencedTables: tables }: PlannedJob) {
  return tables.length > 0 ? { referencedTables: tables.map(referenceOf) } : {};
}
