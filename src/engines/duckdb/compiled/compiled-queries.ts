import { LRUCache } from 'lru-cache';
import type { CompiledQuery } from './compiled-query.ts';

/** The maximum length of all compiled SQL together, in characters. */
const maxLength = 16_000_000;
/** What a plan takes besides its SQL, in characters. */
const planLength = 500;
/** Structures of one plan's SQL: one for each tenant, if their values decide it. */
const maxForEachPlan = 32;
/** Compilations that need not have paid yet. */
const maxTrials = 8;

interface CompiledPlan {
  /** The newest first. */
  readonly queries: readonly CompiledQuery[];
  /** The runs that compiled a query. */
  readonly compiled: number;
  /** The runs that used one. */
  used: number;
}

/**
 * Compiled queries, those of the most recently used plans. A plan is compiled when it runs for the second time, and no
 * longer if its compiled queries aren't used.
 */
export class CompiledQueries {
  readonly #plans = new LRUCache<string, CompiledPlan>({
    maxSize: maxLength,
    sizeCalculation: ({ queries }) => queries.reduce((sum, { size }) => sum + size, planLength),
  });

  /** @param key the plan, and all that SQL depends on besides values and tables */
  of(key: string): readonly CompiledQuery[] {
    return this.#plans.get(key)?.queries ?? [];
  }

  /** Notes that a run has used a query of a plan. */
  used(key: string): void {
    const plan = this.#plans.peek(key);
    if (plan !== undefined) plan.used++;
  }

  /** Compiles a query that was emitted, unless it is the plan's first run or compiling doesn't pay. */
  learn(key: string, compile: () => CompiledQuery | undefined): void {
    const plan = this.#plans.get(key);
    if (plan === undefined) {
      this.#plans.set(key, { queries: [], compiled: 0, used: 0 });
    } else if (plan.compiled < maxTrials || plan.used >= plan.compiled) {
      const query = compile();
      const queries = query === undefined ? plan.queries : [query, ...plan.queries].slice(0, maxForEachPlan);
      this.#plans.set(key, { queries, compiled: plan.compiled + 1, used: plan.used });
    }
  }
}
