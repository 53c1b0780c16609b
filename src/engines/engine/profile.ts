/** A step of a run, as the engine has measured it. */
export interface ProfileStep {
  /** What it does, in the engine's words: `HASH_JOIN`. */
  readonly name: string;
  /** On what, such as a table, conditions or groups. Each with its name. */
  readonly details: readonly { readonly name: string; readonly text: string }[];
  /** The rows that it hands on. */
  readonly rows: number;
  /** The rows of a table that it has read. Absent if it reads none. */
  readonly scanned?: number;
  /** Milliseconds of all threads together. */
  readonly milliseconds: number;
  /** What it gets its rows from. */
  readonly children: readonly ProfileStep[];
}

/** Where the time of a run went. */
export interface QueryProfile {
  readonly steps: readonly ProfileStep[];
  /** Milliseconds from its begin to its end. */
  readonly milliseconds: number;
}
