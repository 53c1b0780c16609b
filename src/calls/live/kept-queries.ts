import type { Account } from '../../base/fairness/account.ts';
import type { SharedMemory } from '../../base/memory/shared-memory.ts';
import type { Clock } from '../../base/system/clock.ts';

interface Kept<Query> extends Disposable {
  readonly query: Query;
  /** The key whose client left last. */
  readonly owner: string;
}

interface KeptQueriesParts {
  readonly clock: Clock;
  readonly memory: SharedMemory;
  /** How many may be kept. */
  readonly maxQueries: number;
}

/** So long a query is kept for clients that connect again, in milliseconds. */
const keptMs = 300_000;

/** Questions that nobody watches at present, by their keys. They take no turns. */
export class KeptQueries<Query extends { readonly bytes: number }> {
  readonly #parts: KeptQueriesParts;
  /** The oldest first. */
  readonly #kept = new Map<string, Kept<Query>>();

  constructor(parts: KeptQueriesParts) {
    this.#parts = parts;
  }

  /** The kept queries, by their keys. The oldest first. */
  get all(): Iterable<readonly [string, Query]> {
    return this.#kept.entries().map(([key, { query }]) => [key, query] as const);
  }

  /** Keeps a query for a while. The oldest one of the key that has most is dropped if there are too many. */
  keep(key: string, query: Query, account: Account): void {
    const { clock, memory, maxQueries } = this.#parts;
    const drop = () => {
      if (this.#kept.get(key)?.query === query) this.drop(key);
    };
    const use = memory.use(account, query, query.bytes, drop);
    const timer = clock.after(keptMs, drop);
    const end = () => {
      timer.cancel();
      use[Symbol.dispose]();
    };
    this.#kept.set(key, { query, owner: account.key, [Symbol.dispose]: end });
    while (this.#kept.size > maxQueries) this.#dropOldest();
  }

  /** Hands a query over that was kept. It counts in the memory until the result is disposed of. */
  take(key: string): (Disposable & { readonly query: Query }) | undefined {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    return kept;
  }

  /** Forgets a query, if it is kept. */
  drop(key: string): void {
    this.take(key)?.[Symbol.dispose]();
  }

  #dropOldest(): void {
    const byOwner = Map.groupBy(this.#kept, ([, { owner }]) => owner);
    const [largest = []] = [...byOwner.values()].sort((a, b) => b.length - a.length);
    for (const [key] of largest.slice(0, 1)) this.drop(key);
  }
}
