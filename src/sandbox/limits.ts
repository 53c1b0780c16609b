/** What bounds the queries of callers before anything looks into them, and the memory that is kept for them. */
export interface SandboxLimits {
  /** Bytes of a text in UTF-8. */
  readonly maxBytes: number;
  /** Brackets and CASEs within each other. */
  readonly maxNesting: number;
  /**
   * Steps from the outermost expression to the innermost, as far as brackets and chains of operators tell. The
   * analyzer takes 0.15 s for 300 of them and 7 s for 3,000 (measured).
   */
  readonly maxDepth: number;
  /** Joins, written as JOIN or as a comma, in one FROM clause. 10,000 took the analyzer more than a minute (measured). */
  readonly maxJoins: number;
  /** SELECTs in the whole text. */
  readonly maxSelects: number;
  /**
   * Subqueries in expressions within each other. The embedded engine takes twice as long for each further one, and
   * can't be interrupted meanwhile (measured).
   */
  readonly maxSubqueryDepth: number;
  /** Reads of tables, those in a CTE counted for each use. */
  readonly maxReads: number;
  /** BigQuery's own limit for a result. */
  readonly maxColumns: number;
  /** Characters of texts, and bytes of their plans, that are kept for when the same text comes again. */
  readonly cacheCharacters: number;
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
  cacheCharacters: 30_000_000,
};
