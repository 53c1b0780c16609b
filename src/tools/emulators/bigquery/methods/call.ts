import type { Clock } from '../../../../base/clock/clock.ts';
import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import type { Fault } from '../faults/fault.ts';
import type { JobList } from '../jobs/job-list.ts';
import type { Planning } from '../jobs/plan-job.ts';
import type { QueryCache } from '../jobs/query-cache.ts';
import type { RequestIds } from '../jobs/request-ids.ts';
import type { Streaming } from '../rows/streaming.ts';
import type { QueryField } from '../wire/query-string.ts';
import type { ReceivedRequest } from '../wire/request.ts';

/** The state and services that the API's methods use. */
export interface Backend extends Planning {
  readonly engine: Pick<DuckDbEngine, 'run'>;
  readonly jobs: JobList;
  readonly requestIds: RequestIds;
  /** Rows that are streamed into tables. Undefined if the tables only have the rows that they were given. */
  readonly streaming: Streaming | undefined;
  readonly cache: QueryCache;
  /** Existing projects, including those of the datasets. */
  readonly projects: ReadonlySet<string>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The base URL of the API, for the addresses in resources. */
  readonly baseUrl: string;
  /**
   * Whether `jobs.insert` fails for a query that can't be planned, or creates a job that fails. BigQuery has done both.
   */
  readonly invalidQueries: 'answer' | 'job';
}

/** A call of a method. */
export interface Call {
  readonly request: ReceivedRequest;
  /** The variable parts of the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  /** The query string, after checking it. */
  readonly query: ReadonlyMap<string, string>;
  /** The injected fault. */
  readonly fault: Fault | undefined;
}

/** A method of the API. */
export interface Method {
  readonly method: 'GET' | 'POST';
  /** The path after the base URL: `/projects/:project/jobs`. */
  readonly path: string;
  readonly query: Readonly<Record<string, QueryField>>;
  /** Returns the response's JSON, or throws a GoogleError. */
  readonly handle: (call: Call, backend: Backend) => Promise<object>;
}

export const projectPath = '/projects/:project';

/** A variable part of the path, as named in the method's pattern. */
export function part({ parts }: Call, name: string): string {
  const value = parts[name];
  if (value === undefined) throw new Error(`The path has no ${name}`);
  return value;
}
