import { Counter, type Metric, type Registry } from 'prom-client';
import type { CacheFacts } from '../../../calls/executor/executor.ts';
import type { ApiName } from '../../http/request/api-name.ts';

/** Counts requests for metrics. */
export interface RequestMeter {
  /**
   * Counts a request when it ends.
   *
   * @param status the HTTP status; 499 if the client left before there was one
   * @param seconds from its arrival to the end of its answer; for cached answers, until they were handed to the system
   */
  request(api: ApiName, status: number, seconds: number): void;
  /** Counts a failed request that was for an endpoint. */
  failed(endpoint: string, code: string): void;
  /** Counts a request that called a deprecated endpoint, or a deprecated version of one. */
  deprecated(endpoint: string, version: number): void;
}

type Status = CacheFacts['status'];

/** The cache status in metrics, by the status of a call. */
const results: Readonly<Record<Status, string>> = { hit: 'hit', miss: 'miss', stale: 'stale', off: 'bypass' };

/** Counts endpoint calls. prom-client gets the numbers only when they are read: see `requestSeconds`. */
export function cacheRequests(registry: Registry): (endpoint: string, status: Status) => void {
  const counts = new Map<string, Record<Status, number>>();
  new Counter({
    name: 'gateway_cache_requests_total',
    help: 'Endpoint calls answered, by cache status',
    labelNames: ['endpoint', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [endpoint, byStatus] of counts) {
        for (const status of ['hit', 'miss', 'stale', 'off'] as const) {
          if (byStatus[status] > 0) this.inc({ endpoint, result: results[status] }, byStatus[status]);
        }
      }
    },
  });
  return (endpoint, status) => {
    let byStatus = counts.get(endpoint);
    if (byStatus === undefined) {
      byStatus = { hit: 0, miss: 0, stale: 0, off: 0 };
      counts.set(endpoint, byStatus);
    }
    byStatus[status]++;
  };
}

/** The histogram of requests with one API and status. */
interface Series {
  readonly api: ApiName;
  readonly status: number;
  /** Counts by bucket. The last one is above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** A number in the registry's format. */
interface PrintedNumber {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const name = 'gateway_request_seconds';

const help = 'Duration of requests, in seconds';

/**
 * Creates a histogram of requests by API and status that is cheap to fill. prom-client's own histogram makes a text of
 * the labels for each value, which took a tenth of the time of a cached answer (measured). Here it only prints the
 * numbers.
 *
 * @param bounds the upper bounds of the buckets, in seconds, ascending
 */
export function requestSeconds(bounds: readonly number[], registry: Registry): Pick<RequestMeter, 'request'> {
  const series = new Map<ApiName, Map<number, Series>>();
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...series.values()].flatMap((byStatus) =>
      [...byStatus.values()].flatMap((each) => printed(each, bounds)),
    ),
  });
  // Despite its type, the registry uses nothing else.
  registry.registerMetric({ name, get } as unknown as Metric<string>);
  return {
    request(api, status, seconds) {
      const one = series.get(api)?.get(status) ?? add(series, api, status, bounds.length);
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket++;
      one.counts[bucket] = (one.counts[bucket] ?? 0) + 1;
      one.sum += seconds;
    },
  };
}

function add(series: Map<ApiName, Map<number, Series>>, api: ApiName, status: number, buckets: number) {
  const added: Series = { api, status, counts: new Array<number>(buckets + 1).fill(0), sum: 0 };
  series.set(api, (series.get(api) ?? new Map()).set(status, added));
  return added;
}

/** Buckets are cumulative: https://prometheus.io/docs/concepts/metric_types/#histogram */
function printed({ api, status, counts, sum }: Series, bounds: readonly number[]): PrintedNumber[] {
  const labels = { api, status };
  let count = 0;
  const buckets = counts.map((own, index) => {
    count += own;
    const le = bounds[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
