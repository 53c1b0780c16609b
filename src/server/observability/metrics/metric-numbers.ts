import type { Registry } from 'prom-client';

/** A number of a metric. */
interface MetricNumber {
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

/** The numbers of metrics, by the name of the metric. Those of histograms have their names as printed, such as `…_sum`. */
export type MetricNumbers = ReadonlyMap<string, readonly MetricNumber[]>;

/** Reads all metrics of a registry. */
export async function metricNumbers(registry: Registry): Promise<MetricNumbers> {
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
