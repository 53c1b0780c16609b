import { Counter, type Registry } from 'prom-client';
import type { Cost } from '../../../engines/engine/engine.ts';

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
