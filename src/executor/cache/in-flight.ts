import type { InvalidationFilter } from './entry-store.ts';
import { isInvalidated } from './is-invalidated.ts';

/** A piece of work on an entry that takes a while. */
export interface Work {
  readonly key: string;
  /** Whether the entry has been dropped since the work began. */
  isInvalidated: boolean;
}

/** What is under way, so that a drop meanwhile is about it, too. */
export class PendingWork {
  readonly #works = new Set<Work>();

  async during<T>(key: string, work: (work: Work) => Promise<T>): Promise<T> {
    const started: Work = { key, isInvalidated: false };
    this.#works.add(started);
    try {
      return await work(started);
    } finally {
      this.#works.delete(started);
    }
  }

  drop(filter: InvalidationFilter): void {
    for (const work of this.#works) if (isInvalidated(work.key, filter)) work.isInvalidated = true;
  }
}
