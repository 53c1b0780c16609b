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

/** Memory for the bodies of one key's requests, in bytes. */
const maxBodyBytes = 128 * megabyte;
/** Bodies that are complete can't be ended: beyond what one key may have, so much is there for others. */
const forOthers = 1.5;

/** The budgets of one gateway. */
export function memoryBudgets({
  answerMemoryMb = 1024,
  liveMemoryMb = 256,
  ingestMaxPendingBytes = 64_000_000,
  ingestMaxBodyBytes = 32_000_000,
}: Partial<MemorySettings> = {}): MemoryBudgets {
  // One key may always send the largest body.
  const maxEventBytes = Math.max(ingestMaxPendingBytes, ingestMaxBodyBytes);
  return {
    caches: [],
    bodies: new MemoryBudget({
      ...{ name: 'bodies', content: 'request bodies' },
      ...{ maxBytes: forOthers * maxBodyBytes, maxKeyBytes: maxBodyBytes },
    }),
    events: new MemoryBudget({
      ...{ name: 'events', content: 'bodies of events', setting: 'INGEST_MAX_PENDING_BYTES' },
      ...{ maxBytes: forOthers * maxEventBytes, maxKeyBytes: maxEventBytes },
    }),
    answers: new SharedMemory(
      new MemoryBudget({
        ...{ name: 'answers', content: 'answers', setting: 'ANSWER_MEMORY_MB' },
        maxBytes: answerMemoryMb * megabyte,
      }),
    ),
    live: new SharedMemory(
      new MemoryBudget({
        ...{ name: 'live', content: 'live answers', setting: 'LIVE_MEMORY_MB' },
        maxBytes: liveMemoryMb * megabyte,
      }),
    ),
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
