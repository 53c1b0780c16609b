import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { BudgetedTable, MemoryBudget } from '../../executor/cache/memory-budget.ts';

/** What a request target asks. */
export interface KnownTarget {
  readonly endpoint: Endpoint;
  /** Of the question, and of the entry that answers it. */
  readonly key: string;
}

/** How much of the memory for results the targets may take: callers can spell one question in any number of ways. */
const share = 1 / 4;
/** What a target takes beside its text. The key is the entry's own. */
const ownBytes = 50;

/**
 * Request targets, as they were sent, that were answered from a result that is kept: each for those who share answers, as
 * `cachePartition` tells.
 */
export class KnownTargets {
  readonly #targets: BudgetedTable<KnownTarget>;

  constructor(budget: MemoryBudget) {
    this.#targets = budget.table(share);
  }

  get(target: string, share: string): KnownTarget | undefined {
    return this.#targets.get(nameOf(target, share));
  }

  add(target: string, share: string, known: KnownTarget): void {
    const name = nameOf(target, share);
    const { endpoint, key } = this.#targets.peek(name) ?? {};
    if (endpoint === known.endpoint && key === known.key) return;
    this.#targets.set(name, known, ownBytes);
  }

  delete(target: string, share: string): void {
    this.#targets.delete(nameOf(target, share));
  }
}

/** No target holds a space. */
function nameOf(target: string, share: string): string {
  return share === '' ? target : `${share} ${target}`;
}
