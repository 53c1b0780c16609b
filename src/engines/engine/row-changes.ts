/** Rows of a source that were committed or removed. */
export interface RowChange {
  readonly source: string;
  /** The earliest time of new rows, in microseconds since the epoch. Absent if rows of any time may have changed. */
  readonly since?: bigint;
}

/** Receives changes of one commit. It must not throw. */
export type OnRowChanges = (changes: readonly RowChange[]) => void;

/** Tells of changes of rows, soon after their commit. */
export interface RowChanges {
  /** Calls back with all further changes. Returns a function that ends this. */
  onChange(listener: OnRowChanges): () => void;
}

/** Passes changes on to those who listen. */
export class RowChangeFeed implements RowChanges {
  readonly #listeners = new Set<OnRowChanges>();

  onChange(listener: OnRowChanges): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly tell: OnRowChanges = (changes) => {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) listener(changes);
  };
}
