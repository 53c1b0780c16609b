import { Gauge, type Registry } from 'prom-client';
import type { StoreState } from '../../../engines/duckdb/store/store-state.ts';

/** Adds metrics of the store's disk and of the rows that wait for it. They are absent until they are known. */
export function storeMetrics(registry: Registry, stateOf: () => StoreState | undefined): void {
  function gauge(name: string, help: string, value: (state: StoreState) => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const state = stateOf();
        const current = state && value(state);
        if (current === undefined) this.remove();
        else this.set(current);
      },
    });
  }

  gauge(
    'gateway_store_disk_bytes',
    'Size of the file system of the store, in bytes',
    ({ disk }) => disk?.sizeBytes,
  );
  gauge(
    'gateway_store_disk_free_bytes',
    'Free space of the file system of the store, in bytes',
    ({ disk }) => disk?.freeBytes,
  );
  gauge(
    'gateway_store_full',
    'Whether rows are refused because the disk is full: 1 or 0',
    ({ disk }) => disk && (disk.isFull ? 1 : 0),
  );
  gauge(
    'gateway_store_waiting_bytes',
    'Size of the rows that wait for their commit, in characters',
    ({ waitingLength }) => waitingLength,
  );
  gauge(
    'gateway_store_cut_bytes',
    'Bytes of a write that was never acknowledged, cut off the write-ahead log when the store was opened',
    ({ cutBytes }) => cutBytes,
  );
}
