import { Counter, Gauge, type Registry } from 'prom-client';
import type { LiveMeter } from '../../../calls/live/live-meter.ts';

/** Counts live answers. */
export function liveMetrics(registry: Registry): LiveMeter {
  const registers = [registry];
  const streams = new Gauge({
    name: 'gateway_live_streams',
    help: 'Open streams of live answers',
    registers,
  });
  const queries = new Gauge({
    name: 'gateway_live_queries',
    help: 'Different results and tails that are watched',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of ['result', 'tail']) queries.set({ kind }, 0);
  const events = new Counter({
    name: 'gateway_live_events_total',
    help: 'Events sent to streams',
    registers,
  });
  const skips = new Counter({
    name: 'gateway_live_skips_total',
    help: 'Slow clients of tails that were skipped forward',
    registers,
  });
  const ends = new Counter({
    name: 'gateway_live_ends_total',
    help: 'Streams that ended, by cause',
    labelNames: ['cause'],
    registers,
  });
  return {
    opened: () => streams.inc(),
    ended(cause) {
      streams.dec();
      ends.inc({ cause });
    },
    sent: () => events.inc(),
    skipped: () => skips.inc(),
    queries: (kind, change) => queries.inc({ kind }, change),
  };
}
