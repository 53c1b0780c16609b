import { Gauge, type Registry } from 'prom-client';
import type { PermitState } from '../../../calls/executor/flights/permits.ts';

/** Adds metrics of the queries that run and wait. They are read on demand. */
export function queryMetrics(registry: Registry, stateOf: () => PermitState): void {
  function gauge(name: string, help: string, value: (state: PermitState) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value(stateOf()));
      },
    });
  }

  gauge('gateway_queries_running', 'Queries that are planned or run on the engine', ({ running }) => running);
  gauge('gateway_queries_waiting', 'Queries that wait in the queue', ({ waiting }) => waiting);
  gauge('gateway_query_permits', 'Queries that may run at the same time', ({ permits }) => permits);
  gauge('gateway_query_queue_limit', 'Queries that may wait in the queue', ({ maxWaiting }) => maxWaiting);
}
