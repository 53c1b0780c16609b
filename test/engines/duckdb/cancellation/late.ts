import type { Plan } from '../../../../src/sql/plan/plan.ts';
import type { MemoryEngine } from '../support/memory-engine.ts';

/** Milliseconds that all threads have computed: time that passes would depend on what else the machine does. */
function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A second of each of DuckDB's two threads. */
export const maxLateMs = 2_000;

/** What a query computes in all, in milliseconds. It may fail. */
export async function costMs({ engine }: MemoryEngine, plan: Plan, signal: AbortSignal): Promise<number> {
  const begun = computedMs();
  // A call may reject some values: it ends early then.
  await engine.run({ plan, parameters: new Map(), maxRows: 100, signal }).catch(() => undefined);
  return computedMs() - begun;
}

/**
 * Runs a query and cancels it when it has computed for a while.
 *
 * @param beforeMs what it computes before, in milliseconds
 * @returns the milliseconds that were computed after it should have been cancelled: a function that blocks the event loop delays
 *   the message as well; negative if the query ended before
 */
export async function lateMs(memory: MemoryEngine, plan: Plan, beforeMs: number): Promise<number> {
  const controller = new AbortController();
  const begun = computedMs();
  const cancelling = setInterval(() => {
    if (computedMs() - begun >= beforeMs) controller.abort(new Error('cancelled'));
  }, 5);
  try {
    return (await costMs(memory, plan, controller.signal)) - beforeMs;
  } finally {
    clearInterval(cancelling);
  }
}
