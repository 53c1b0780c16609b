import type { Source } from '../../definitions/sources/source.ts';
import { DuckDbEngine } from '../../engines/duckdb/run/duckdb-engine.ts';
import { type MemoryStore, openMemoryStore } from '../../engines/duckdb/store/memory-store.ts';
import type { ReadyCase } from './load-tests.ts';

/** Enough for any case, and little enough for several workers at a time. */
const memoryLimit = '1GB';

/** The rows of one case at a time, in memory, and the embedded engine over them. */
export class CaseStore implements AsyncDisposable {
  readonly store: MemoryStore;
  readonly engine: DuckDbEngine;
  /** What the clock of queries shows, in microseconds since the epoch. */
  readonly #clock: { now: bigint };
  #rows: ReadyCase['rows'] = [];

  private constructor(store: MemoryStore, engine: DuckDbEngine, clock: { now: bigint }) {
    this.store = store;
    this.engine = engine;
    this.#clock = clock;
  }

  static async open(sources: readonly Source[]): Promise<CaseStore> {
    const store = await openMemoryStore(sources, { threads: 1, memoryLimit });
    try {
      const clock = { now: 0n };
      return new CaseStore(store, await DuckDbEngine.open({ store, now: () => clock.now }), clock);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  get now(): bigint {
    return this.#clock.now;
  }

  /** Puts the rows of a case in place of those of the case before, and sets the clock. No query may be running. */
  async use(rows: ReadyCase['rows'], now: bigint): Promise<void> {
    this.#clock.now = now;
    if (haveSameRows(rows, this.#rows)) return;
    this.#rows = [];
    await this.store.replaceRows(rows);
    this.#rows = rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    await this.store.close();
  }
}

/** Whether two cases have the same rows: lists that are shared are the same objects. */
export function haveSameRows(a: ReadyCase['rows'], b: ReadyCase['rows']): boolean {
  return (
    a.length === b.length &&
    a.every(({ parts }, index) => {
      const others = b[index]?.parts ?? [];
      return parts.length === others.length && parts.every((part, i) => part === others[i]);
    })
  );
}
