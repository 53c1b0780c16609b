import type { DropFilter } from './entry-store.ts';
import { isDropped } from './is-invalidated.ts';

/** A piece of work on an entry that takes a while. */
export interface Work {
  readonly key: string;
  /** Whether the entry has been dropped since the work began. */
  isDropped: boolean;
}

/** What is under way, so that a drop meanwhile is about it, too. */
export class Underway {
  readonly #works = new Set<Work>();

  async during<T>(key: string, work: (work: Work) => Promise<T>): Promise<T> {
    const started: Work = { key, isDropped: false };
    this.#works.add(started);
    try {
      return await work(started);
    } finally {
      this.#works.delete(started);
    }
  }

  drop(filter: DropFilter): void {
    for (const work of this.#works) if (isDropped(work.key, filter)) work.isDropped = true;
  }
}
