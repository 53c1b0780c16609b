import type { Clock } from '../../../../base/system/clock.ts';
import type { Fault } from '../faults/faults.ts';
import type { JobList } from '../jobs/job-list.ts';
import type { Planning } from '../jobs/plan-job.ts';
import type { RequestIds } from '../jobs/request-ids.ts';
import type { QueryCache } from '../jobs/run-job.ts';
import type { Streaming } from '../rows/streaming.ts';
import { checkMessage } from '../wire/check-message.ts';
import { GoogleError } from '../wire/google-error.ts';
import type { Message } from '../wire/message.ts';
import type { QueryField } from '../wire/query-string.ts';
import type { ReceivedRequest } from '../wire/request.ts';

/** The state and services that the API's methods use. */
export interface Backend extends Planning {
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

/**
 * Parses the JSON body of a request, and checks it against its message.
 *
 * @param name the message's name in errors: `job`
 * @throws GoogleError
 */
export function readBody({ headers, body }: ReceivedRequest, definition: Message, name: string): unknown {
  const contentType = headers['content-type'] ?? '';
  if (!/^application\/json(?:\s*;|$)/i.test(contentType)) {
    const message = `Media type '${contentType}' is not supported. Valid media types: [application/json]`;
    throw new GoogleError({ reason: 'badContent', message }, { status: 400 });
  }
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    const message = `Invalid JSON payload received. Unexpected token.\n${body.slice(0, 40)}\n^`;
    throw new GoogleError({ reason: 'parseError', message });
  }
  checkMessage(json, definition, name);
  return json;
}
