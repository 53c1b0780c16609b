import type { Config } from '../config.ts';
import { type BudgetState, type MeasuredBudget, MemoryBudget } from './memory-budget.ts';
import { SharedMemory } from './shared-memory.ts';

/** The budgets of what callers make the gateway keep, other than its caches. */
export interface MemoryBudgets {
  /** Caches that are bounded by themselves. They are only measured. */
  readonly caches: MeasuredBudget[];
  /** Bodies of requests, until their answers are sent. */
  readonly bodies: MemoryBudget;
  /** Bodies of collectors, until their rows are committed. */
  readonly events: MemoryBudget;
  /** Rows and responses, from the engine until clients have read them. */
  readonly answers: SharedMemory;
  /** What live answers keep between their events. */
  readonly live: SharedMemory;
}

type MemorySettings = Pick<
  Config,
  'answerMemoryMb' | 'liveMemoryMb' | 'ingestMaxPendingBytes' | 'ingestMaxBodyBytes'
>;

const megabyte = 1_000_000;

/** Memory for the bodies of all requests, in bytes. */
const maxBodyBytes = 128 * megabyte;

/** The budgets of one gateway. */
export function memoryBudgets({
  answerMemoryMb = 512,
  liveMemoryMb = 256,
  ingestMaxPendingBytes = 64_000_000,
  ingestMaxBodyBytes = 32_000_000,
}: Partial<MemorySettings> = {}): MemoryBudgets {
  // One key may always send the largest body.
  const ofKey = Math.max(Math.ceil(ingestMaxPendingBytes / 2), ingestMaxBodyBytes);
  return {
    caches: [],
    bodies: new MemoryBudget({ name: 'bodies', maxBytes: maxBodyBytes }),
    events: new MemoryBudget({ name: 'events', maxBytes: ingestMaxPendingBytes, maxKeyBytes: ofKey }),
    answers: new SharedMemory(new MemoryBudget({ name: 'answers', maxBytes: answerMemoryMb * megabyte })),
    live: new SharedMemory(new MemoryBudget({ name: 'live', maxBytes: liveMemoryMb * megabyte })),
  };
}

/** The states of all budgets. */
export function budgetStates({
  caches,
  bodies,
  events,
  answers,
  live,
}: MemoryBudgets): readonly BudgetState[] {
  return [...caches, bodies, events, answers.budget, live.budget].map(({ state }) => state);
}
