import { bigqueryCalls } from '../../src/server/observability/metrics/engine-metrics.ts';
import {
  gatewayMetrics,
  type MetricsSources,
  metricsRegistry,
} from '../../src/server/observability/metrics/gateway-metrics.ts';
import { loopDelays } from '../../src/server/observability/metrics/loop-metrics.ts';

/** The metrics of a gateway with an empty cache, nothing to do and an engine without states. */
export function metricsOf(sources: Partial<MetricsSources> = {}) {
  const registry = metricsRegistry();
  const bigquery = bigqueryCalls(registry);
  const loops = loopDelays(registry);
  const metrics = gatewayMetrics({
    registry,
    engine: 'none',
    cachedEntries: () => 0,
    cachedBytes: () => 0,
    memory: () => [],
    permits: () => ({ running: 0, waiting: 0, permits: 1, classes: [] }),
    states: {},
    expiringKeys: () => 0,
    ...sources,
  });
  return { ...metrics, bigquery, loops };
}
