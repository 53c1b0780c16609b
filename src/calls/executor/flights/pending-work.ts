import type { InvalidationFilter } from '../entries/entry-store.ts';
import { isInvalidated } from '../entries/is-invalidated.ts';

/** A piece of work on an entry. */
export interface Work {
  readonly key: string;
  /** Whether the entry was invalidated since the work began. */
  isInvalidated: boolean;
}

/** Work in flight, so that an invalidation in the meantime applies to it too. */
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

  invalidate(filter: InvalidationFilter): void {
    for (const work of this.#works) if (isInvalidated(work.key, filter)) work.isInvalidated = true;
  }
}
