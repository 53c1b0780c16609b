import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EventMeter } from '../../collectors/event-meter.ts';

/** From a commit of a few rows to one that waited behind an import, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts what collectors send. */
export function eventMetrics(registry: Registry): EventMeter {
  const registers = [registry];
  const rows = new Counter({
    name: 'gateway_ingest_rows_total',
    help: 'Rows from collectors, by source and outcome: added, or duplicate',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const rejected = new Counter({
    name: 'gateway_ingest_rejected_total',
    help: 'Events from collectors that are not rows of their source, by source and cause',
    labelNames: ['source', 'cause'],
    registers,
  });
  const committed = new Histogram({
    name: 'gateway_ingest_commit_seconds',
    help: 'Time from the arrival of a body until its rows were committed, in seconds',
    buckets,
    registers,
  });
  const lag = new Gauge({
    name: 'gateway_ingest_lag_seconds',
    help: 'Age of the newest row of the last body on its arrival, by source, in seconds',
    labelNames: ['source'],
    registers,
  });
  return {
    rows: (source, outcome, count) => rows.inc({ source, outcome }, count),
    rejected: (source, cause, count) => rejected.inc({ source, cause }, count),
    committed: (seconds) => committed.observe(seconds),
    lag: (source, seconds) => lag.set({ source }, seconds),
  };
}
