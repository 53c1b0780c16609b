import { CacheBudget } from '../../base/memory/cache-budget.ts';
import { type BudgetState, MemoryBudget } from '../../base/memory/memory-budget.ts';
import { SharedMemory } from '../../base/memory/shared-memory.ts';
import type { Config } from './config.ts';

/** The budgets of what callers make the gateway keep. */
export interface MemoryBudgets {
  /** Cached results, and responses with them. */
  readonly results: CacheBudget;
  /** Checked GraphQL documents. */
  readonly documents: CacheBudget;
  /** Plans of ad-hoc queries, and refusals. */
  readonly plans: CacheBudget;
  /** Verified tokens. */
  readonly tokens: CacheBudget;
  /** Events of subscriptions, for clients that get the same ones later. */
  readonly subscriptions: CacheBudget;
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
  'cacheMemoryMb' | 'answerMemoryMb' | 'liveMemoryMb' | 'ingestMaxPendingBytes' | 'ingestMaxBodyBytes'
>;

const megabyte = 1_000_000;

/** Memory for caches without a setting, in bytes. */
const [maxDocumentBytes, maxPlanBytes] = [50 * megabyte, 30 * megabyte];
const [maxTokenBytes, maxSubscriptionBytes] = [32 * megabyte, 16 * megabyte];
/** Memory for the bodies of one key's requests, in bytes. */
const maxBodyBytes = 128 * megabyte;
/** Bodies that are complete can't be ended: beyond what one key may have, so much is there for others. */
const forOthers = 1.5;

/** The budgets of one gateway. */
export function memoryBudgets({
  cacheMemoryMb = 256,
  answerMemoryMb = 1024,
  liveMemoryMb = 256,
  ingestMaxPendingBytes = 64_000_000,
  ingestMaxBodyBytes = 32_000_000,
}: Partial<MemorySettings> = {}): MemoryBudgets {
  // One key may always send the largest body.
  const maxEventBytes = Math.max(ingestMaxPendingBytes, ingestMaxBodyBytes);
  return {
    results: new CacheBudget({ name: 'results', maxBytes: cacheMemoryMb * megabyte }),
    documents: new CacheBudget({ name: 'documents', maxBytes: maxDocumentBytes }),
    plans: new CacheBudget({ name: 'plans', maxBytes: maxPlanBytes }),
    tokens: new CacheBudget({ name: 'tokens', maxBytes: maxTokenBytes }),
    subscriptions: new CacheBudget({
      ...{ name: 'subscriptions', maxBytes: maxSubscriptionBytes },
      // An event that isn't kept is made for each client.
      maxItemBytes: maxSubscriptionBytes,
    }),
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
export function budgetStates({ answers, live, ...others }: MemoryBudgets): readonly BudgetState[] {
  return [...Object.values(others), answers.budget, live.budget].map(({ state }) => state);
}
