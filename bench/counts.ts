import { prove, proveIs } from './proof.ts';

/** Counters of a gateway since its start, from its metrics. */
export interface Counts {
  /** Queries that ran on the engine and returned rows: `gateway_engine_queries_total`. */
  readonly engineRuns: number;
  /** Queries that ran on the engine and failed or were cancelled. */
  readonly vainRuns: number;
  /** Calls answered from the cache: `gateway_cache_requests_total`. */
  readonly hits: number;
  /** Calls that shared another call's run: `gateway_collapsed_requests_total`. */
  readonly collapsed: number;
}

/** Reads the counts from metrics in Prometheus's text format. */
export function readCounts(metrics: string): Counts {
  const engineQueries = 'gateway_engine_queries_total';
  const engineRuns = sumOf(metrics, engineQueries, 'outcome="success"');
  return {
    engineRuns,
    vainRuns: sumOf(metrics, engineQueries) - engineRuns,
    hits: sumOf(metrics, 'gateway_cache_requests_total', 'result="hit"'),
    collapsed: sumOf(metrics, 'gateway_collapsed_requests_total'),
  };
}

/**
 * Fetches the counters of a running gateway from its metrics.
 *
 * @param url its address, without a path
 * @throws MeasurementError if it exposes no metrics
 */
export async function fetchMetrics(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: { 'X-API-KEY': key } });
  const text = await answer.text();
  prove(answer.status === 200 && text.includes('gateway_'), `${url}/metrics answered ${answer.status}`);
  return text;
}

/** The metrics as counters. */
export async function fetchCounts(url: string, key: string): Promise<Counts> {
  return readCounts(await fetchMetrics(url, key));
}

/** The difference of two counters. */
export function countsBetween(before: Counts, after: Counts): Counts {
  return {
    engineRuns: after.engineRuns - before.engineRuns,
    vainRuns: after.vainRuns - before.vainRuns,
    hits: after.hits - before.hits,
    collapsed: after.collapsed - before.collapsed,
  };
}

/**
 * Requires that every call had its own run on the engine and returned rows.
 *
 * @throws MeasurementError
 */
export function proveEngineRuns(counted: Counts, calls: number): void {
  proveIs(counted.hits, 0, 'answers from the cache');
  proveIs(counted.collapsed, 0, 'calls that shared a run');
  proveIs(counted.vainRuns, 0, 'failed engine runs');
  proveIs(counted.engineRuns, calls, 'engine runs');
}

/**
 * Requires that every call was answered from the cache.
 *
 * @throws MeasurementError
 */
export function proveHits(counted: Counts, calls: number): void {
  proveIs(counted.engineRuns + counted.vainRuns, 0, 'engine runs');
  proveIs(counted.hits, calls, 'answers from the cache');
}

/** The sum of a metric over all series with this label. */
function sumOf(metrics: string, name: string, label = ''): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
