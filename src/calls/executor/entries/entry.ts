/** A result in the cache. */
export interface Entry {
  /** The key of the query that it answers. */
  readonly key: string;
  /** The rows, not redacted, as `ResultRows.packed` gives them. */
  readonly rows: Buffer;
  readonly rowCount: number;
  readonly truncated: boolean;
  /** Engine time for the result, in milliseconds. */
  readonly engineMs: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** The end of its freshness, in milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until when it may be served if the engine fails; not before `freshUntil`. */
  readonly keptUntil: number;
}
