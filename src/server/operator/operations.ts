import type { StoredKey } from '../../calls/access/key/stored-key.ts';
import { type QueryClass, queryClasses } from '../../definitions/classes/query-class.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { OriginState } from '../../definitions/origin/origin-state.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { EndpointActivity } from '../discovery/describe-endpoint.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';
import type { MetricNumbers } from '../observability/metrics/gateway-metrics.ts';

/** Numbers by name, such as errors by code. */
type Counts = Readonly<Record<string, number>>;

/** The state of this gateway. Counts begin at its start. */
export interface OperationsDocument {
  /** When the counts began, in RFC 3339. */
  readonly startedAt: string;
  /** Of the gateway. */
  readonly version: string;
  readonly engine: string;
  /** The fetched version of the endpoints; null if they are in folders. */
  readonly endpointsFrom: {
    /** The setting, without secrets. */
    readonly origin: string;
    /** A commit, or `sha256:` and the digest of a tarball. */
    readonly version: string;
    /** When it was last known to be the latest, in RFC 3339; null if that is not known since the start. */
    readonly confirmedAt: string | null;
    /** Why a later version, if there is one, is not used. */
    readonly failure: string | null;
  } | null;
  readonly cache: {
    /** Calls by what the cache had: `hit`, `miss`, `stale` or `bypass`. */
    readonly calls: Counts;
    readonly entries: number;
    readonly bytes: number;
  };
  readonly queries: {
    readonly running: number;
    readonly waiting: number;
    readonly permits: number;
    /** Of all classes together. */
    readonly maxWaiting: number;
    /** The same by class. */
    readonly classes: readonly ClassOperations[];
  };
  /** Requests by API, and of each by status. */
  readonly requests: readonly { readonly api: string; readonly status: number; readonly count: number }[];
  readonly endpoints: readonly EndpointOperations[];
  /** The process of the embedded engine; null on BigQuery. */
  readonly engineProcess: {
    readonly up: boolean;
    readonly restarts: number;
    readonly memoryBytes: number;
  } | null;
  /** The disk of the store; null on BigQuery, and where it is not known. */
  readonly disk: { readonly bytes: number; readonly freeBytes: number; readonly full: boolean } | null;
  /** Live streams, and the different results and tails that they watch. */
  readonly live: { readonly streams: number; readonly queries: number };
  readonly sources: readonly SourceOperations[];
  /** The stored keys that expire within 14 days, with the time in RFC 3339, the first of them first. */
  readonly expiringKeys: readonly { readonly id: string; readonly name: string; readonly expires: string }[];
}

interface ClassOperations {
  readonly name: QueryClass;
  readonly running: number;
  readonly waiting: number;
  readonly maxWaiting: number;
}

interface EndpointOperations {
  readonly name: string;
  readonly calls: Counts;
  /** Failed requests by code. */
  readonly errors: Counts;
  /** Queries on the engine by outcome: `success`, `error` or `cancelled`. */
  readonly queries: Counts;
  /** Their total duration, in seconds. */
  readonly querySeconds: number;
  readonly activity: EndpointActivity | null;
}

interface SourceOperations {
  readonly name: string;
  /** Null where it is not known, such as on BigQuery. */
  readonly rows: number | null;
  readonly bytes: number | null;
  /** The times of the oldest and the newest row, in RFC 3339. */
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly retentionDays: number | null;
  /** Rows from collectors: `added` or `duplicate`. */
  readonly collected: Counts;
  /** Rejected events of collectors by cause. */
  readonly rejected: Counts;
}

/** What the document is made of. */
export interface OperationsParts {
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly version: string;
  readonly engine: string;
  readonly origin?: OriginState | undefined;
  readonly numbers: MetricNumbers;
  readonly endpoints: readonly Endpoint[];
  readonly activityOf: (endpoint: Endpoint) => EndpointActivity | undefined;
  readonly sources: readonly Source[];
  readonly expiringKeys: readonly StoredKey[];
}

/** Makes the document from the metrics, so that both have the same numbers. */
export function operationsDocument(parts: OperationsParts): OperationsDocument {
  const { startedAt, version, engine, endpoints, activityOf, sources, expiringKeys } = parts;
  const read = reader(parts.numbers);
  const up = read.optional('gateway_engine_up');
  const diskBytes = read.optional('gateway_store_disk_bytes');
  return {
    startedAt: new Date(startedAt).toISOString(),
    version,
    engine,
    endpointsFrom: endpointsFrom(parts.origin),
    cache: {
      calls: read.counts('gateway_cache_requests_total', 'result'),
      entries: read.one('gateway_cache_entries'),
      bytes: read.one('gateway_cache_bytes'),
    },
    queries: {
      running: read.sum('gateway_queries_running'),
      waiting: read.sum('gateway_queries_waiting'),
      permits: read.one('gateway_query_permits'),
      maxWaiting: read.sum('gateway_query_queue_limit'),
      classes: queryClasses.map((name) => ({
        name,
        running: read.one('gateway_queries_running', { class: name }),
        waiting: read.one('gateway_queries_waiting', { class: name }),
        maxWaiting: read.one('gateway_query_queue_limit', { class: name }),
      })),
    },
    requests: (parts.numbers.get('gateway_request_seconds_count') ?? []).map(({ labels, value }) => ({
      ...{ api: String(labels.api), status: Number(labels.status), count: value },
    })),
    endpoints: endpoints.map((endpoint) => {
      const { name } = endpoint;
      const own = { endpoint: name };
      return {
        name,
        calls: read.counts('gateway_cache_requests_total', 'result', own),
        errors: read.counts('gateway_endpoint_errors_total', 'code', own),
        queries: read.counts('gateway_engine_queries_total', 'outcome', own),
        querySeconds: read.one('gateway_engine_seconds_sum', own),
        activity: activityOf(endpoint) ?? null,
      };
    }),
    engineProcess:
      up === undefined
        ? null
        : {
            up: up === 1,
            restarts: read.one('gateway_engine_restarts_total'),
            memoryBytes: read.one('gateway_engine_memory_bytes'),
          },
    disk:
      diskBytes === undefined
        ? null
        : {
            bytes: diskBytes,
            freeBytes: read.one('gateway_store_disk_free_bytes'),
            full: read.one('gateway_store_full') === 1,
          },
    live: {
      streams: read.one('gateway_live_streams'),
      queries: read.sum('gateway_live_queries'),
    },
    sources: sources.map(({ name, retentionDays }) => {
      const own = { source: name };
      return {
        name,
        rows: read.optional('gateway_source_rows', own) ?? null,
        bytes: read.optional('gateway_source_bytes', own) ?? null,
        oldest: timeText(read.optional('gateway_source_oldest_timestamp_seconds', own)),
        newest: timeText(read.optional('gateway_source_newest_timestamp_seconds', own)),
        retentionDays: retentionDays ?? null,
        collected: read.counts('gateway_ingest_rows_total', 'outcome', own),
        rejected: read.counts('gateway_ingest_rejected_total', 'cause', own),
      };
    }),
    expiringKeys: expiringKeys.map(({ id, name, expires = 0 }) => ({
      ...{ id, name, expires: new Date(expires).toISOString() },
    })),
  };
}

function endpointsFrom(state: OriginState | undefined): OperationsDocument['endpointsFrom'] {
  if (state === undefined) return null;
  const { from, version, confirmedAt, failure } = state;
  return {
    ...{ origin: from, version, failure: failure?.text ?? null },
    confirmedAt: confirmedAt === undefined ? null : new Date(confirmedAt).toISOString(),
  };
}

type Labels = Readonly<Partial<Record<string, string>>>;

function reader(numbers: MetricNumbers) {
  const matching = (name: string, labels: Labels) =>
    (numbers.get(name) ?? []).filter((number) =>
      Object.entries(labels).every(([label, value]) => number.labels[label] === value),
    );
  const optional = (name: string, labels: Labels = {}) => matching(name, labels)[0]?.value;
  return {
    optional,
    sum: (name: string) => matching(name, {}).reduce((sum, { value }) => sum + value, 0),
    one: (name: string, labels: Labels = {}) => optional(name, labels) ?? 0,
    /** The sums of the numbers by the value of a label. */
    counts(name: string, by: string, labels: Labels = {}): Counts {
      const counts = new Map<string, number>();
      for (const { labels: own, value } of matching(name, labels)) {
        const key = String(own[by]);
        counts.set(key, (counts.get(key) ?? 0) + value);
      }
      return Object.fromEntries(counts);
    },
  };
}

function timeText(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString();
}

/** `GET /api/operations`: the state of this gateway. */
export function operationsHandler(describe: () => Promise<OperationsDocument>): KeyedHandler {
  return async () => jsonAnswer(200, JSON.stringify(await describe()), { 'Cache-Control': 'no-store' });
}
