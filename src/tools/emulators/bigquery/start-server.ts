import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../base/clock/clock.ts';
import type { Log } from '../../../base/log/log.ts';
import type { DuckDbEngine } from '../../../engines/duckdb/run/duckdb-engine.ts';
import type { FaultInput } from './faults/fault.ts';
import { Faults } from './faults/faults.ts';
import { faultsHandler, faultsPath } from './http/faults-page.ts';
import { apiHandler } from './http/handler.ts';
import type { Job } from './jobs/job.ts';
import { JobList, normalLocation } from './jobs/job-list.ts';
import type { Planning } from './jobs/plan-job.ts';
import { QueryCache } from './jobs/query-cache.ts';
import { RequestIds } from './jobs/request-ids.ts';
import { apiPath, route } from './methods/route.ts';
import { Streaming } from './rows/streaming.ts';
import type { ServedTable } from './tables/served-table.ts';
import { GoogleError } from './wire/google-error.ts';
import type { ReceivedRequest } from './wire/request.ts';

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
