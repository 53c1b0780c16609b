/** A result that may be reused, as it is kept. */
export interface Entry {
  /** Of the query that it answers. */
  readonly key: string;
  /** The rows, not redacted, as `ResultRows.packed` gives them. */
  readonly rows: Buffer;
  readonly rowCount: number;
  readonly truncated: boolean;
  /** Milliseconds that the engine worked for it. */
  readonly engineMs: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** Until when it may be used, in milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until when it may stand in for a result that can't be had; not before `freshUntil`. */
  readonly keptUntil: number;
}
