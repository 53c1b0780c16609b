/** A result in the cache. */
export interface Entry {
  /** The key of the query that it answers. */
  readonly key: string;
  /** The rows, not redacted, as `ResultRows.packed` gives them. */
  readonly rows: Buffer;
  readonly rowCount: number;
  readonly truncated: boolean;
  /** Milliseconds that the engine worked for the result. */
  readonly engineMs: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** The end of its freshness, in milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until when it may replace a result that the engine can't make; not before `freshUntil`. */
  readonly keptUntil: number;
}
