import { Counter, type Registry } from 'prom-client';
import type { CacheFacts } from '../../../calls/executor/executor.ts';

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
