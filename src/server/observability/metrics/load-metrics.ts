import { Counter, Gauge, type Registry } from 'prom-client';
import type { BudgetState } from '../../../base/memory/memory-budget.ts';
import type { ClassState, PermitState } from '../../../calls/executor/flights/permits.ts';
import type { LiveMeter } from '../../../calls/live/live-meter.ts';

/** Adds metrics of the queries that run and wait. They are read on demand. */
export function queryMetrics(registry: Registry, stateOf: () => PermitState): void {
  const registers = [registry];
  function byClass(name: string, help: string, value: (state: ClassState) => number): void {
    new Gauge({
      ...{ name, help, labelNames: ['class'], registers },
      collect() {
        for (const state of stateOf().classes) this.set({ class: state.name }, value(state));
      },
    });
  }

  byClass(
    'gateway_queries_running',
    'Queries that are planned or run on the engine',
    ({ running }) => running,
  );
  byClass('gateway_queries_waiting', 'Queries that wait in the queue', ({ waiting }) => waiting);
  byClass('gateway_query_queue_limit', 'Queries that may wait in the queue', ({ maxWaiting }) => maxWaiting);
  new Gauge({
    name: 'gateway_query_permits',
    help: 'Queries that may run at the same time',
    registers,
    collect() {
      this.set(stateOf().permits);
    },
  });
}

/** Adds the metrics of the memory budgets. */
export function memoryMetrics(registry: Registry, states: () => readonly BudgetState[]): void {
  const registers = [registry];
  new Gauge({
    name: 'gateway_memory_used_bytes',
    help: 'Memory in use, by budget, in bytes',
    labelNames: ['budget'],
    registers,
    collect() {
      for (const { name, usedBytes } of states()) this.set({ budget: name }, usedBytes);
    },
  });
  new Gauge({
    name: 'gateway_memory_max_bytes',
    help: 'Memory that may be in use, by budget, in bytes',
    labelNames: ['budget'],
    registers,
    collect() {
      for (const { name, maxBytes } of states()) this.set({ budget: name }, maxBytes);
    },
  });
  new Counter({
    name: 'gateway_memory_full_total',
    help: 'What was ended or refused because a memory budget was full',
    labelNames: ['budget', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const { name, ended, refused } of states()) {
        this.inc({ budget: name, outcome: 'ended' }, ended);
        this.inc({ budget: name, outcome: 'refused' }, refused);
      }
    },
  });
}

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
