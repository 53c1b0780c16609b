import type { Plan } from '../sql/plan.ts';

/** A caller's query that was found to be allowed. */
export interface PlannedQuery {
  /** What runs: the query behind the stored WITH entries that it reads. */
  readonly plan: Plan;
  /**
   * Names what the query asks, within one version of its endpoint: the same for texts that differ in white space,
   * comments, the letter case of keywords and functions, and in nothing else that could change the answer.
   */
  readonly key: string;
  /** The names of the endpoint's tables that it reads, in lower case. */
  readonly tables: ReadonlySet<string>;
}
