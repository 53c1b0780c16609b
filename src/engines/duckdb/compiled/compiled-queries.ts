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

/** The compiled queries of a plan, the newest first. */
export interface PlanQueries {
  readonly queries: readonly CompiledQuery[];
  /** Runs that compiled, and runs that used compiled SQL. */
  readonly compiled: number;
  readonly used: number;
}

const unknown: PlanQueries = { queries: [], compiled: 0, used: 0 };

/**
 * Compiled queries, those of the most recently used plans. A plan is compiled when it runs for the second time, and no
 * longer if its compiled queries aren't used.
 */
export class CompiledQueries {
  readonly #plans = new LRUCache<string, PlanQueries>({
    maxSize: maxLength,
    sizeCalculation: ({ queries }) => queries.reduce((sum, { size }) => sum + size, planLength),
  });

  /** @param key the plan, and all that SQL depends on besides values and tables */
  of(key: string): PlanQueries | undefined {
    return this.#plans.get(key);
  }

  used(key: string): void {
    const plan = this.#plans.peek(key);
    if (plan !== undefined) this.#plans.set(key, { ...plan, used: plan.used + 1 });
  }

  /** Compiles a query that was emitted, unless it is the plan's first run or compiling doesn't pay. */
  learn(key: string, compile: () => CompiledQuery | undefined): void {
    const plan = this.#plans.get(key);
    if (plan === undefined) {
      this.#plans.set(key, unknown);
    } else if (plan.compiled < maxTrials || plan.used >= plan.compiled) {
      const query = compile();
      const queries = query === undefined ? plan.queries : [query, ...plan.queries].slice(0, maxForEachPlan);
      this.#plans.set(key, { ...plan, queries, compiled: plan.compiled + 1 });
    }
  }
}
