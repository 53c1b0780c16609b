import { LRUCache } from 'lru-cache';
import { type Plan, unpackPlan } from '../../../sql/plan/plan.ts';
import { type AnalyzedNames, analyzedNames } from './analyzed-names.ts';

/** Trees of plans that are kept: they are large, and few files are worked on at a time. */
const maxTrees = 8;

/** A valid plan of a file, and the names in its query. */
export interface AnalyzedPlan {
  readonly plan: Plan;
  readonly names: AnalyzedNames;
}

interface PlansByFile {
  get(file: string): Plan | undefined;
  set(file: string, plan: Plan): unknown;
}

/** The last valid plans of files: while a query is being written, most of the time it has errors. */
export class ValidPlans {
  readonly #plans: PlansByFile;
  readonly #names = new LRUCache<string, AnalyzedNames>({ max: maxTrees });

  /** @param plans keeps them by file: all of them by default */
  constructor(plans: PlansByFile = new Map<string, Plan>()) {
    this.#plans = plans;
  }

  set(file: string, plan: Plan): void {
    this.#plans.set(file, plan);
  }

  analyzed(file: string): AnalyzedPlan | undefined {
    const plan = this.#plans.get(file);
    if (plan === undefined) return undefined;
    let names = this.#names.get(plan.id);
    if (names === undefined) {
      names = analyzedNames(unpackPlan(plan.packed));
      this.#names.set(plan.id, names);
    }
    return { plan, names };
  }
}
