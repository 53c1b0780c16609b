import { Keyv } from 'keyv';
import { packedRows } from '../../../engines/rows/result-rows.ts';
import type { Entry } from '../entries/entry.ts';
import type { EntryStore } from '../entries/entry-store.ts';
import type { EntryTable } from './entry-table.ts';

/** A store for a single process: keyv over the process's own table, which bounds its size. */
export function localStore(table: EntryTable): EntryStore {
  const keyv = new Keyv<Entry>({ store: tableAdapter(table), useKeyPrefix: false });
  // Entries stay objects.
  keyv.serialize = undefined;
  keyv.deserialize = undefined;
  return {
    async get({ key }) {
      const entry = await keyv.get<Entry>(key);
      return entry && { entry, rows: packedRows([entry.rows], entry.rowCount) };
    },
    set: (entry) => keyv.set(entry.key, entry, entry.keptUntil - entry.madeAt),
    lease: async () => undefined,
    invalidate: async () => 0,
    onInvalidate: () => {},
    close: async () => {},
  };
}

/** The table, in the form of a map that keyv can use. */
function tableAdapter(table: EntryTable) {
  return {
    get: (key: string) => {
      const cachedEntry = table.get(key);
      return cachedEntry && { value: cachedEntry.entry, expires: undefined };
    },
    // The executor puts entries into the table, with their accounts.
    set: () => {},
    delete: (key: string) => table.delete(key),
    has: (key: string) => table.peek(key) !== undefined,
    clear: () => void table.invalidate(() => true),
  };
}
