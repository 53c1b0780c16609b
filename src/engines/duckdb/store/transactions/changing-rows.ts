import type { Span } from '../../../../base/forms/spans.ts';
import type { SnapshotGate } from './snapshot-gate.ts';

/** Rows of a source that a commit adds or removes. */
export interface Changing {
  readonly source: string;
  /** The times of the rows; all times if absent. In microseconds since the epoch. */
  readonly spans?: readonly Span[];
  /** How many rows are added. */
  readonly added?: number;
}

/** Receives the changes of a commit, before it and after it. */
type OnChanging = (changes: readonly Changing[], isOver: boolean) => void;

/**
 * Knows which rows commits change, and when. What is derived from rows of a snapshot belongs to another snapshot, too, if no
 * commit has changed these rows between the two. Every commit that changes rows runs in {@link during}.
 */
export class ChangingRows {
  readonly #running = new Set<readonly Changing[]>();
  readonly #watches = new Set<RowWatch>();
  readonly #listeners = new Set<OnChanging>();

  /** Runs a commit. It may become visible at any moment of it. */
  async during<T>(changes: readonly Changing[], commit: () => Promise<T>): Promise<T> {
    this.#running.add(changes);
    this.#tell(changes, false);
    try {
      return await commit();
    } finally {
      this.#running.delete(changes);
      this.#tell(changes, true);
    }
  }

  /** The gate for the commit of these changes. */
  gate(changes: readonly Changing[], gate?: Pick<SnapshotGate, 'commit'>): Pick<SnapshotGate, 'commit'> {
    return {
      commit: (commit) => this.during(changes, () => gate?.commit(commit) ?? commit()),
    };
  }

  /** Watches from now on, with the commits that are running. To be called before a snapshot is taken. */
  watch(): RowWatch {
    const watch = new RowWatch(() => this.#watches.delete(watch));
    for (const changes of this.#running) watch.add(changes);
    this.#watches.add(watch);
    return watch;
  }

  /** Calls back at the beginning and at the end of each commit. Returns a function that ends this. */
  onChanging(listener: OnChanging): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(changes: readonly Changing[], isOver: boolean): void {
    for (const watch of this.#watches) watch.add(changes);
    for (const listener of this.#listeners) listener(changes, isOver);
  }
}

/** The changes since a moment. */
export class RowWatch {
  readonly #changes: Changing[] = [];
  readonly #end: () => void;

  constructor(end: () => void) {
    this.#end = end;
  }

  add(changes: readonly Changing[]): void {
    this.#changes.push(...changes);
  }

  /** The changes of a source. */
  of(source: string): readonly Changing[] {
    return this.#changes.filter((change) => change.source === source);
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
