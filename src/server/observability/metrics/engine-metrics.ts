import { Counter, Gauge, type Registry } from 'prom-client';
import type { ApiMeter } from '../../../engines/bigquery/api/api-meter.ts';
import type { Cost } from '../../../engines/engine/engine.ts';

/** The state of the engine process. */
export interface EngineProcessState {
  readonly state: 'starting' | 'ready' | 'down';
  /** Number of processes that ended, or were ended by the watch, since the gateway's start. */
  readonly restarts: number;
  /** Resident memory; 0 without a process. */
  readonly memoryBytes: number;
}

/** Adds metrics of the engine process: readiness, restarts and memory. They are read on demand. */
export function engineProcess(registry: Registry, stateOf: () => EngineProcessState): void {
  const registers = [registry];
  new Gauge({
    name: 'gateway_engine_up',
    help: "Whether the embedded engine's process is ready: 1 or 0",
    registers,
    collect() {
      this.set(stateOf().state === 'ready' ? 1 : 0);
    },
  });
  new Counter({
    name: 'gateway_engine_restarts_total',
    help: "Restarts of the embedded engine's process",
    registers,
    collect() {
      this.reset();
      this.inc(stateOf().restarts);
    },
  });
  new Gauge({
    name: 'gateway_engine_memory_bytes',
    help: "Resident memory of the embedded engine's process, in bytes",
    registers,
    collect() {
      this.set(stateOf().memoryBytes);
    },
  });
}

/** Counts the costs of runs, on engines that report them. */
export function engineCosts(registry: Registry): (endpoint: string, engine: string, cost: Cost) => void {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['endpoint', 'engine'], registers: [registry] });
  const processed = counter('gateway_engine_bytes_processed_total', 'Bytes that queries read');
  const billed = counter('gateway_engine_bytes_billed_total', 'Bytes that queries were billed');
  const slotSeconds = counter('gateway_engine_slot_seconds_total', 'Slot seconds used by queries');
  const cacheHits = counter('gateway_engine_cache_hits_total', "Queries answered from BigQuery's own cache");
  return (endpoint, engine, { bytesProcessed, bytesBilled, slotMs, engineCacheHit }) => {
    const labels = { endpoint, engine };
    processed.inc(labels, bytesProcessed);
    if (bytesBilled !== undefined) billed.inc(labels, bytesBilled);
    if (slotMs !== undefined) slotSeconds.inc(labels, slotMs / 1000);
    if (engineCacheHit) cacheHits.inc(labels);
  };
}

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
