import type { Metric, Registry } from 'prom-client';
import type { ApiName, RequestMeter } from './request-meter.ts';

/** How many requests took how long. */
interface Series {
  readonly api: ApiName;
  readonly status: number;
  /** By bucket; the last one is of those beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

/** A number as the registry shows it. */
interface Shown {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const name = 'gateway_request_seconds';
const help = 'Duration of requests, in seconds';

/**
 * A histogram of requests by api and status that costs little to fill. prom-client's own makes a text of the labels for each
 * value, which took a tenth of the time of an answer from the cache (measured); here it only shows the numbers.
 *
 * @param bounds the upper bounds of the buckets, in seconds, in ascending order
 */
export function requestSeconds(bounds: readonly number[], registry: Registry): RequestMeter {
  const series = new Map<ApiName, Map<number, Series>>();
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...series.values()].flatMap((byStatus) =>
      [...byStatus.values()].flatMap((each) => shown(each, bounds)),
    ),
  });
  // The registry asks for nothing else, whatever its type says.
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

/** Buckets count everything up to their bound: https://prometheus.io/docs/concepts/metric_types/#histogram */
function shown({ api, status, counts, sum }: Series, bounds: readonly number[]): Shown[] {
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
