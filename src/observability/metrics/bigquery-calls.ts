import { Counter, Gauge, type Registry } from 'prom-client';
import type { ApiMeter } from '../../engines/bigquery/api/api-meter.ts';

/** Counts what is asked of BigQuery. */
export function bigqueryCalls(registry: Registry): ApiMeter {
  const registers = [registry];
  const attempts = new Counter({
    name: 'gateway_bigquery_attempts_total',
    help: 'Requests to BigQuery, by what came of them',
    labelNames: ['outcome'],
    registers,
  });
  const retries = new Counter({
    name: 'gateway_bigquery_retries_total',
    help: 'Requests and jobs that were tried again',
    registers,
  });
  const refused = new Counter({
    name: 'gateway_bigquery_refused_total',
    help: 'Calls that were refused without asking, because BigQuery was down',
    registers,
  });
  const isDown = new Gauge({
    name: 'gateway_bigquery_down',
    help: 'Whether BigQuery counts as down: 1 or 0',
    registers,
  });
  return {
    attempt: (outcome) => attempts.inc({ outcome }),
    retry: () => retries.inc(),
    refused: () => refused.inc(),
    breaker: (isOpen) => isDown.set(isOpen ? 1 : 0),
  };
}
