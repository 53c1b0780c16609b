import type { QueryParameter } from '../values/query-parameters.ts';
import type { JobReference } from './answers.ts';
import type { EffectiveSettings } from './settings.ts';

/** A query as it is sent. */
export interface JobQuery {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  readonly settings: EffectiveSettings;
}

/** The common part of jobs.query and a job's configuration. */
function queryFields({ sql, parameters, settings }: JobQuery) {
  return {
    query: sql,
    useLegacySql: false,
    useQueryCache: settings.queryCache,
    ...(parameters.length > 0 && { parameterMode: 'NAMED', queryParameters: parameters }),
  };
}

const billedAtMost = ({ maxBytesBilled }: EffectiveSettings) =>
  maxBytesBilled === undefined ? {} : { maximumBytesBilled: String(maxBytesBilled) };

const reserved = ({ reservation }: EffectiveSettings) => (reservation === undefined ? {} : { reservation });

export interface JobBody {
  readonly jobReference: JobReference;
  readonly configuration: object;
}

/**
 * The `Job` for jobs.insert.
 *
 * @param timeoutMs milliseconds after which BigQuery ends it
 */
export function jobBody(query: JobQuery, jobReference: JobReference, timeoutMs: number): JobBody {
  const { settings } = query;
  return {
    jobReference,
    configuration: {
      labels: settings.labels,
      jobTimeoutMs: String(timeoutMs),
      ...reserved(settings),
      query: {
        ...queryFields(query),
        ...billedAtMost(settings),
        priority: settings.priority === 'batch' ? 'BATCH' : 'INTERACTIVE',
      },
    },
  };
}

/**
 * The `Job` for a dry run. It has no limit on its bytes, which are the result, and bypasses BigQuery's cache, which
 * would hide them. It has an id like those of Google's own clients; no job is created.
 */
export function dryRunBody(query: JobQuery, jobReference: JobReference): JobBody {
  const { settings } = query;
  return {
    jobReference,
    configuration: {
      dryRun: true,
      labels: settings.labels,
      ...reserved(settings),
      query: { ...queryFields(query), useQueryCache: false },
    },
  };
}

/** The `QueryRequest` for jobs.query, with which BigQuery may respond without creating a job. It has no priority. */
export function queryBody(
  query: JobQuery,
  {
    requestId,
    timeoutMs,
    waitMs,
    maxRows,
  }: {
    readonly requestId: string;
    /** Milliseconds after which BigQuery ends the query. */
    readonly timeoutMs: number;
    /** Milliseconds after which BigQuery responds, whether it has the rows or not. */
    readonly waitMs: number;
    readonly maxRows: number;
  },
) {
  const { settings } = query;
  return {
    ...queryFields(query),
    ...billedAtMost(settings),
    ...reserved(settings),
    ...(settings.location !== undefined && { location: settings.location }),
    labels: settings.labels,
    jobCreationMode: 'JOB_CREATION_OPTIONAL',
    requestId,
    jobTimeoutMs: String(timeoutMs),
    timeoutMs: waitMs,
    maxResults: maxRows,
    formatOptions: { useInt64Timestamp: true },
  };
}
