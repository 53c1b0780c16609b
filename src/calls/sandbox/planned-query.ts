import type { Plan } from '../../sql/plan/plan.ts';

/** An ad-hoc query that passed all checks. */
export interface PlannedQuery {
  /** The plan that runs: the query, spliced behind the stored WITH entries that it reads. */
  readonly plan: Plan;
  /**
   * Identifies the meaning of the query within one version of its endpoint. It is the same for texts that differ only
   * in white space, comments, or the letter case of keywords and functions.
   */
  readonly key: string;
  /** The names of the endpoint's tables that it reads, in lower case. */
  readonly tables: ReadonlySet<string>;
}
