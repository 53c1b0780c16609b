/** What `run` reports about the printed rows. */
export interface Answer {
  readonly rows: number;
  /** Whether the query has more rows. */
  readonly truncated: boolean;
  /** Further facts: `engine 12 ms`, `1,000 bytes billed`. */
  readonly notes: readonly string[];
}
