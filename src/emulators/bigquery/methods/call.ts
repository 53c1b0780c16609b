import type { Clock } from '../../../clock.ts';
import type { DuckDbEngine } from '../../../engines/duckdb/duckdb-engine.ts';
import type { ReceivedRequest } from '../exchange.ts';
import type { Fault } from '../faults/fault.ts';
import type { JobList } from '../jobs/job-list.ts';
import type { Planning } from '../jobs/plan-job.ts';
import type { QueryCache } from '../jobs/query-cache.ts';
import type { RequestIds } from '../jobs/request-ids.ts';
import type { QueryField } from '../wire/query-string.ts';

/** What the methods of the API work on. */
export interface Backend extends Planning {
  readonly engine: Pick<DuckDbEngine, 'run'>;
  readonly jobs: JobList;
  readonly requestIds: RequestIds;
  readonly cache: QueryCache;
  /** Projects that there are; datasets' are among them. */
  readonly projects: ReadonlySet<string>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Of the API, as its resources tell their addresses. */
  readonly baseUrl: string;
  /** Whether a query that can't be planned makes `jobs.insert` fail, or the job that it makes. BigQuery has done both. */
  readonly invalidQueries: 'answer' | 'job';
}

/** A call of a method. */
export interface Call {
  readonly request: ReceivedRequest;
  /** The variable parts of the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  /** The query string, checked. */
  readonly query: ReadonlyMap<string, string>;
  /** What is to go wrong. */
  readonly fault: Fault | undefined;
}

/** A method of the API. */
export interface Method {
  readonly method: 'GET' | 'POST';
  /** Behind the base URL: `/projects/:project/jobs`. */
  readonly path: string;
  readonly query: Readonly<Record<string, QueryField>>;
  /** Gives the answer's JSON, or throws a GoogleError. */
  readonly handle: (call: Call, backend: Backend) => Promise<object>;
}

export const projectPath = '/projects/:project';

/** A part of the path that the method's pattern has. */
export function part({ parts }: Call, name: string): string {
  const value = parts[name];
  if (value === undefined) throw new Error(`The path has no ${name}`);
  return value;
}
