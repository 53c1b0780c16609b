import { Counter, Gauge, type Registry } from 'prom-client';
import type { ApiMeter } from '../../../engines/bigquery/api/api-meter.ts';

/** Counts calls of BigQuery. */
export function bigqueryCalls(registry: Registry): ApiMeter {
  const registers = [registry];
  const attempts = new Counter({
    name: 'gateway_bigquery_attempts_total',
    help: 'Requests to BigQuery, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const retries = new Counter({
    name: 'gateway_bigquery_retries_total',
    help: 'Requests and jobs that were retried',
    registers,
  });
  const refused = new Counter({
    name: 'gateway_bigquery_refused_total',
    help: 'Calls that failed fast because the circuit breaker was open',
    registers,
  });
  const isDown = new Gauge({
    name: 'gateway_bigquery_down',
    help: 'Whether the circuit breaker of BigQuery is open: 1 or 0',
    registers,
  });
  return {
    attempt: (outcome) => attempts.inc({ outcome }),
    retry: () => retries.inc(),
    refused: () => refused.inc(),
    breaker: (isOpen) => isDown.set(isOpen ? 1 : 0),
  };
}
