import type {
  Entry,
  EntryStore,
  InvalidationFilter,
} from '../../../../src/calls/executor/entries/entry-store.ts';
import { isInvalidated } from '../../../../src/calls/executor/entries/entry-store.ts';
import { packedRows } from '../../../../src/engines/rows/result-rows.ts';

/** What replicas share, in this process: stores that hold the same entries and leases. */
export class SharedMemory {
  readonly entries = new Map<string, Entry>();
  readonly leases = new Set<string>();
  readonly #listeners: ((filter: InvalidationFilter) => void)[] = [];

  /** The store of another replica. */
  store(): EntryStore {
    const { entries, leases } = this;
    return {
      async get({ key }) {
        const entry = entries.get(key);
        return entry && { entry, rows: packedRows([entry.rows], entry.rowCount) };
      },
      async set(entry) {
        entries.set(entry.key, entry);
        return true;
      },
      async lease(key) {
        if (leases.has(key)) return 'taken';
        leases.add(key);
        return { release: async () => void leases.delete(key) };
      },
      invalidate: async (filter) => {
        const keys = [...entries.keys()].filter((key) => isInvalidated(key, filter));
        for (const key of keys) entries.delete(key);
        for (const listener of this.#listeners) listener(filter);
        return keys.length;
      },
      onInvalidate: (listener) => void this.#listeners.push(listener),
      close: async () => {},
    };
  }
}
