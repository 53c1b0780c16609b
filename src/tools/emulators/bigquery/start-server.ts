import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { DuckDbEngine } from '../../../engines/duckdb/run/duckdb-engine.ts';
import { type Fault, type FaultInput, Faults, faultSchema } from './faults/faults.ts';
import { apiHandler } from './http-handler.ts';
import type { Job } from './jobs/job.ts';
import { JobList, normalLocation } from './jobs/job-list.ts';
import type { Planning } from './jobs/plan-job.ts';
import { RequestIds } from './jobs/request-ids.ts';
import { QueryCache } from './jobs/run-job.ts';
import type { Backend, Method } from './methods/call.ts';
import { getQueryResults } from './methods/get-query-results.ts';
import { insertAll } from './methods/insert-all.ts';
import { insertJob } from './methods/insert-job.ts';
import { cancelJob, getJob, listJobs } from './methods/jobs.ts';
import { query } from './methods/query.ts';
import { getTable, listTables } from './methods/tables.ts';
import { Partitions } from './partitions/partitions.ts';
import { Streaming } from './rows/streaming.ts';
import type { ServedTable } from './tables/served-table.ts';
import { GoogleError } from './wire/google-error.ts';
import { checkQuery } from './wire/query-string.ts';
import type { ReceivedRequest } from './wire/request.ts';
import { readRequest } from './wire/request.ts';

/** The prefix of the API's paths. */
const apiPath = '/bigquery/v2';

const methods: readonly Method[] = [
  query,
  getQueryResults,
  insertJob,
  getJob,
  cancelJob,
  listJobs,
  listTables,
  getTable,
  insertAll,
];

const routes = methods.map((method) => ({
  method,
  pattern: new RegExp(`^${apiPath}${method.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

const projectPattern = /^(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{4,61}[a-z0-9]$/;

/**
 * Executes a request. Returns the response's JSON, or undefined if there is no such method.
 *
 * @throws GoogleError
 */
async function route(
  request: ReceivedRequest,
  fault: Fault | undefined,
  backend: Backend,
): Promise<object | undefined> {
  for (const { method, pattern } of routes) {
    if (method.method !== request.method) continue;
    const groups = pattern.exec(request.path)?.groups;
    if (groups === undefined) continue;
    const parts = Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text)]));
    checkProject(parts.project ?? '', backend);
    return method.handle({ request, parts, query: checkQuery(request.query, method.query), fault }, backend);
  }
  return undefined;
}

function checkProject(project: string, { projects }: Backend): void {
  if (!projectPattern.test(project)) {
    const rule =
      'Project IDs must contain 6-63 lowercase letters, digits, or dashes. Some project IDs also include domain name separated by a colon. IDs must start with a letter and may not end with a dash.';
    throw GoogleError.invalid(`Invalid project ID '${project}'. ${rule}`);
  }
  if (!projects.has(project)) throw GoogleError.notFound(`Project ${project}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw GoogleError.invalid('The path is not percent-encoded UTF-8');
  }
}

const faultsPath = '/faults';

/** `POST` adds a fault, given as JSON; `DELETE` removes all. BigQuery has no such path. */
function faultsHandler(faults: Faults) {
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, json: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(json)}\n`);
    };
    const { method, body } = await readRequest(message, 0);
    if (method === 'DELETE') {
      faults.clear();
      return answer(200, { cleared: true });
    }
    if (method !== 'POST') return answer(405, { error: 'POST a fault, or DELETE them all' });
    try {
      const fault = faultSchema.parse(JSON.parse(body));
      faults.add(fault);
      return answer(200, { added: fault });
    } catch (error) {
      const text = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      return answer(400, { error: text });
    }
  };
}

export interface BigQueryServerOptions {
  readonly analyzer: Planning['analyzer'];
  /** Executes queries over a store that contains the tables' sources. */
  readonly engine: Pick<DuckDbEngine, 'run'>;
  readonly tables: readonly ServedTable[];
  /** The number of rows of a source, for the billed bytes. */
  readonly rowCount: (source: string) => Promise<number>;
  /** Adds rows, given as NDJSON, to a source. Without it, `tabledata.insertAll` is refused. */
  readonly addRows?: (source: string, ndjson: string) => Promise<void>;
  /** Further projects to run jobs in, besides those of the tables. */
  readonly projects?: readonly string[];
  /** The location of all datasets. */
  readonly location?: string;
  readonly clock: Clock;
  /** Returns unique job ids: letters, digits, `-` and `_`. */
  readonly newId: () => string;
  /** The required bearer token: none, any, or this one. */
  readonly authorization?: 'none' | 'any' | { readonly token: string };
  /**
   * Whether `jobs.insert` fails for a query that can't be planned, or creates a job that fails. BigQuery has done both.
   */
  readonly invalidQueries?: 'answer' | 'job';
  /** Whether rows may come from a cache, as in BigQuery. */
  readonly queryCache?: boolean;
  readonly host?: string;
  /** 0 chooses a free port. */
  readonly port?: number;
  readonly log?: Log;
}

/** The number of requests to record: a demo may run for days. */
const maxRequests = 10_000;

export interface BigQueryServer {
  /** The base URL of the API, with `/bigquery/v2`, for `BIGQUERY_EMULATOR_HOST`. */
  readonly url: string;
  /** The last 10,000 requests of the API, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** The jobs, including the last thousand completed ones, newest first. */
  readonly jobs: readonly Job[];
  /** Injects a fault. */
  fail(fault: FaultInput): void;
  /** Removes all faults. */
  clearFaults(): void;
  /** Cancels running jobs and closes open connections. */
  close(): Promise<void>;
}

/**
 * Starts a server that implements the parts of BigQuery's REST API (v2) that query clients use, and executes queries on
 * the embedded engine. Its wire forms follow BigQuery's public reference, and it is as strict.
 */
export async function startBigQueryServer(options: BigQueryServerOptions): Promise<BigQueryServer> {
  const { tables, clock, rowCount, host = '127.0.0.1', log } = options;
  const faults = new Faults();
  const jobs = new JobList();
  const requests: ReceivedRequest[] = [];
  const closing = new AbortController();

  const server = createServer({ keepAliveTimeout: 60_000 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: options.port ?? 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${apiPath}`;
  const backend = {
    analyzer: options.analyzer,
    engine: options.engine,
    tables,
    partitions: new Partitions(options),
    rowCount,
    location: normalLocation(options.location ?? 'US'),
    jobs,
    requestIds: new RequestIds(),
    streaming: options.addRows && new Streaming(options.addRows, clock),
    cache: new QueryCache(options.queryCache ?? true, rowCount),
    projects: new Set([...tables.map(({ projectId }) => projectId), ...(options.projects ?? [])]),
    clock,
    newId: options.newId,
    baseUrl: url,
    invalidQueries: options.invalidQueries ?? 'job',
  };
  const handleApi = apiHandler({
    faults,
    clock,
    closing: closing.signal,
    log,
    authorization: options.authorization ?? 'none',
    record: (request) => {
      requests.push(request);
      if (requests.length > maxRequests) requests.shift();
    },
    route: (request, fault) => route(request, fault, backend),
  });
  const handleFaults = faultsHandler(faults);
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    const handle = message.url === faultsPath ? handleFaults : handleApi;
    handle(message, response).catch((error: unknown) => fail(response, error));
  });
  const fail = (response: ServerResponse, error: unknown) => {
    // The client has disconnected, or the server is closing: nobody reads a response.
    if (response.destroyed || closing.signal.aborted) return;
    const known = error instanceof GoogleError;
    if (!known) log?.error('the BigQuery server failed', { error: String(error) });
    response.writeHead(known ? error.status : 500, {
      'content-type': 'application/json',
      connection: 'close',
    });
    response.end(known ? JSON.stringify(error.body) : '{}');
  };

  return {
    url,
    requests,
    get jobs() {
      return jobs.all;
    },
    fail: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    async close() {
      closing.abort();
      for (const job of jobs.all) job.cancel();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
