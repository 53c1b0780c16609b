import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BudgetState } from '../../../base/memory/memory-budget.ts';
import { version } from '../../../base/version.ts';
import type { PermitState } from '../../../calls/executor/flights/permits.ts';
import type { ExecutorMeter } from '../../../calls/executor/meter.ts';
import type { LiveMeter } from '../../../calls/live/live-meter.ts';
import type { CountRecords } from '../../../calls/records/record-writer.ts';
import type { OriginState } from '../../../definitions/origin/origin-state.ts';
import type { SourceState } from '../../../engines/duckdb/store/source-states.ts';
import type { StoreState } from '../../../engines/duckdb/store/store-state.ts';
import type { EventMeter } from '../../collectors/event-reports.ts';
import { type EngineProcessState, engineCosts, engineProcess } from './engine-metrics.ts';
import { liveMetrics, memoryMetrics, queryMetrics } from './load-metrics.ts';
import { originMetrics } from './origin-metrics.ts';
import { cacheRequests, type RequestMeter, requestSeconds } from './request-metrics.ts';
import { eventMetrics, sourceMetrics, storeMetrics } from './store-metrics.ts';

export interface MetricsSources {
  /** {@link metricsRegistry}, to which other metrics may have been added. */
  readonly registry: Registry;
  /** The engine's name. */
  readonly engine: string;
  /** Number of cached results in this process. */
  readonly cachedEntries: () => number;
  /** Memory of the cached results in bytes, including everything derived from them. */
  readonly cachedBytes: () => number;
  /** The state of the memory budgets, including those of caches. */
  readonly memory: () => readonly BudgetState[];
  /** How busy the executor is. */
  readonly permits: () => PermitState;
  readonly states: EngineStates;
  /** The number of stored keys that expire soon. */
  readonly expiringKeys: () => number;
  /** The state of what fetches the endpoints, if something does. */
  readonly origin?: () => OriginState;
}

/** The state that an engine reports. Engines without a process or a store have no such metrics. */
interface EngineStates {
  readonly process?: () => EngineProcessState;
  readonly storeState?: () => StoreState | undefined;
  readonly store?: { sourceStates(): Promise<readonly SourceState[]> };
}

/** The metrics of `/metrics`: https://prometheus.io/docs/practices/naming/ */
export interface GatewayMetrics {
  readonly executor: ExecutorMeter;
  readonly requests: RequestMeter;
  readonly events: EventMeter;
  readonly live: LiveMeter;
  /** Counts rows of one of the gateway's own sources. */
  readonly records: (source: string) => CountRecords;
  /** Prints all metrics in Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Reads all metrics. */
  numbers(): Promise<MetricNumbers>;
}

/** From cached answers to queries at their time limit, in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];

const processRegistry = new Registry();

/**
 * The metrics of Node.js, which are those of the whole process. All gateways in a process share them: each set would watch
 * garbage collections until the process ends.
 */
function processMetrics(): Registry {
  if (processRegistry.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: processRegistry });
  return processRegistry;
}

/** A registry with the metrics of the process. */
export function metricsRegistry(): Registry {
  return Registry.merge([processMetrics()]);
}

/** Creates the metrics of a gateway. Labels contain endpoint names, but never parameters, keys or queries. */
export function gatewayMetrics({
  registry,
  engine,
  cachedEntries,
  cachedBytes,
  memory,
  permits,
  states,
  expiringKeys,
  origin,
}: MetricsSources): GatewayMetrics {
  const registers = [registry];
  buildInfo(registry, engine);
  const engineQueries = new Counter({
    name: 'gateway_engine_queries_total',
    help: 'Queries that the engine completed',
    labelNames: ['endpoint', 'engine', 'outcome'],
    registers,
  });
  const cacheRequest = cacheRequests(registry);
  const collapsed = new Counter({
    name: 'gateway_collapsed_requests_total',
    help: 'Calls that shared the result of an identical call in flight',
    labelNames: ['endpoint'],
    registers,
  });
  const slices = new Counter({
    name: 'gateway_slices_total',
    help: 'Slices of rows by time from which results were merged: kept ones, and those made for later runs',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  const allowanceRefusals = new Counter({
    name: 'gateway_allowance_refusals_total',
    help: 'Calls that were refused because an allowance was spent, by what it is of and whose it is',
    labelNames: ['of', 'kind'],
    registers,
  });
  const warmRuns = new Counter({
    name: 'gateway_warm_runs_total',
    help: 'Results that were refreshed in the background',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  const engineSeconds = new Histogram({
    name: 'gateway_engine_seconds',
    help: 'Duration of queries on the engine, in seconds',
    labelNames: ['endpoint', 'engine'],
    buckets,
    registers,
  });
  const endpointErrors = new Counter({
    name: 'gateway_endpoint_errors_total',
    help: 'Failed requests, by endpoint and error code',
    labelNames: ['endpoint', 'code'],
    registers,
  });
  const deprecatedRequests = new Counter({
    name: 'gateway_deprecated_requests_total',
    help: 'Requests that called a deprecated endpoint or version',
    labelNames: ['endpoint', 'version'],
    registers,
  });
  const records = new Counter({
    name: 'gateway_records_total',
    help: 'Rows of the gateway’s own sources, by outcome: stored, or dropped because they could not be stored for too long',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const engineCost = engineCosts(registry);
  memoryMetrics(registry, memory);
  queryMetrics(registry, permits);
  if (origin !== undefined) originMetrics(registry, origin);
  const { process, storeState, store } = states;
  if (storeState !== undefined) storeMetrics(registry, storeState);
  if (store !== undefined) sourceMetrics(registry, () => store.sourceStates());
  if (process !== undefined) engineProcess(registry, process);
  gauge('gateway_keys_expiring', 'Valid stored keys that expire within 14 days', expiringKeys);
  gauge('gateway_cache_entries', 'Cached entries in this process', cachedEntries);
  gauge('gateway_cache_bytes', 'Memory used by cached entries, in bytes', cachedBytes);

  function gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }

  return {
    executor: {
      engineRun(endpoint, outcome, seconds, { cost, slices: merged } = {}) {
        engineQueries.inc({ endpoint, engine, outcome });
        engineSeconds.observe({ endpoint, engine }, seconds);
        if (cost !== undefined) engineCost(endpoint, engine, cost);
        if (merged === undefined) return;
        slices.inc({ endpoint, outcome: 'kept' }, merged.kept);
        slices.inc({ endpoint, outcome: 'made' }, merged.made);
      },
      cacheRequest,
      collapsed: (endpoint) => collapsed.inc({ endpoint }),
      allowanceSpent: (kind, of) => allowanceRefusals.inc({ kind, of }),
      warmRun: (endpoint, outcome) => warmRuns.inc({ endpoint, outcome }),
    },
    requests: {
      ...requestSeconds(buckets, registry),
      failed: (endpoint, code) => endpointErrors.inc({ endpoint, code }),
      deprecated: (endpoint, version) => deprecatedRequests.inc({ endpoint, version }),
    },
    events: eventMetrics(registry),
    live: liveMetrics(registry),
    records: (source) => (outcome, rows) => records.inc({ source, outcome }, rows),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    numbers: () => metricNumbers(registry),
  };
}

/**
 * Adds a metric that is always 1 and whose labels say what runs: the gateway's version, Node's, and the engine. Other
 * metrics are joined with it: https://www.robustperception.io/exposing-the-software-version-to-prometheus/
 */
function buildInfo(registry: Registry, engine: string): void {
  new Gauge({
    name: 'gateway_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
  }).set({ version, node: process.versions.node, engine }, 1);
}

/** A number of a metric. */
interface MetricNumber {
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

/** The numbers of metrics, by the name of the metric. Those of histograms have their names as printed, such as `…_sum`. */
export type MetricNumbers = ReadonlyMap<string, readonly MetricNumber[]>;

/** Reads all metrics of a registry. */
async function metricNumbers(registry: Registry): Promise<MetricNumbers> {
  const numbers = new Map<string, MetricNumber[]>();
  for (const { name, values } of await registry.getMetricsAsJSON()) {
    for (const { labels, value, ...more } of values) {
      const printedName =
        'metricName' in more && typeof more.metricName === 'string' ? more.metricName : name;
      const own = numbers.get(printedName) ?? [];
      numbers.set(printedName, own);
      own.push({ labels, value: Number(value) });
    }
  }
  return numbers;
}
