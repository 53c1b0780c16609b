/** Limits of ad-hoc queries, checked before they are analyzed or run. */
export interface SandboxLimits {
  /** Bytes of a text in UTF-8. */
  readonly maxBytes: number;
  /** Nested brackets and CASEs. */
  readonly maxNesting: number;
  /**
   * Levels from the outermost expression to the innermost, counted by brackets and chains of operators. The analyzer
   * takes 0.15 s for 300 levels and 7 s for 3,000 (measured).
   */
  readonly maxDepth: number;
  /** Joins, written as JOIN or as a comma, in one FROM clause. 10,000 took the analyzer more than a minute (measured). */
  readonly maxJoins: number;
  /** SELECTs in the whole text. */
  readonly maxSelects: number;
  /**
   * Nested subqueries in expressions. The embedded engine takes twice as long for each further level, and can't be
   * interrupted meanwhile (measured).
   */
  readonly maxSubqueryDepth: number;
  /** Reads of tables, where those in a CTE count for each use. */
  readonly maxReads: number;
  /** BigQuery's own limit for a result. */
  readonly maxColumns: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  maxBytes: 128 * 1024,
  maxNesting: 200,
  maxDepth: 300,
  maxJoins: 100,
  maxSelects: 500,
  maxSubqueryDepth: 10,
  maxReads: 500,
  maxColumns: 10_000,
};
