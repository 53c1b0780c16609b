import { Counter, Gauge, type Registry } from 'prom-client';
import type { BudgetState } from '../../../base/memory/memory-budget.ts';

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
