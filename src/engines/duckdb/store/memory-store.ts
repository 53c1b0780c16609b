import { DuckDBInstance } from '@duckdb/node-api';
import type { Source } from '../../../definitions/sources/source.ts';
import { lockDown } from './database/open-database.ts';
import { GroupWriter } from './insert/group-writer.ts';
import type { IngestPart } from './insert/ingest-batch.ts';
import { prepareTables } from './prepare-tables.ts';
import type { Store } from './store.ts';
import { ListTables } from './tables/list-tables.ts';
import { rowTables } from './tables/row-table.ts';
import { SnapshotGate } from './transactions/snapshot-gate.ts';
import { inSnapshot, inTransaction } from './transactions/transaction.ts';

/** Rows for a store in memory. */
interface MemoryRows {
  readonly source: Source;
  readonly parts: readonly IngestPart[];
}

/** A store in memory, for few rows that are replaced often. */
export interface MemoryStore extends Pick<Store, 'sources' | 'connect' | 'read' | 'close'> {
  /**
   * Replaces all rows of all sources. No query may be running. Rows must have different ids within a source.
   */
  replaceRows(rows: readonly MemoryRows[]): Promise<void>;
}

interface MemoryStoreOptions {
  readonly threads: number;
  /** DuckDB's `memory_limit`, such as `1GB`. Queries that need more fail: nothing is written to a disk. */
  readonly memoryLimit: string;
}

/**
 * Opens an empty store in memory with the tables of these sources.
 *
 * @throws StoreError (`schema`) for columns that can't be stored
 */
export async function openMemoryStore(
  sources: readonly Source[],
  { threads, memoryLimit }: MemoryStoreOptions,
): Promise<MemoryStore> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: memoryLimit,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
  });
  try {
    await lockDown(instance);
    const writing = await instance.connect();
    await prepareTables(writing, sources);
    return new OpenMemoryStore(instance, sources, await ListTables.find(writing, []));
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

class OpenMemoryStore implements MemoryStore {
  readonly sources: readonly Source[];
  readonly #instance: DuckDBInstance;
  readonly #gate = new SnapshotGate();
  #listTables: ListTables;
  #filled: readonly Source[] = [];

  constructor(instance: DuckDBInstance, sources: readonly Source[], listTables: ListTables) {
    this.#instance = instance;
    this.sources = sources;
    this.#listTables = listTables;
  }

  connect(): ReturnType<Store['connect']> {
    return this.#instance.connect();
  }

  read: Store['read'] = (connection, task) =>
    inSnapshot(connection, this.#gate, () => task(this.#listTables.isFlatOnly));

  async replaceRows(rows: readonly MemoryRows[]): Promise<void> {
    const connection = await this.#instance.connect();
    try {
      for (const source of this.#filled)
        for (const { sql } of rowTables(source)) await connection.run(`TRUNCATE ${sql}`);
      this.#filled = rows.map(({ source }) => source);
      this.#listTables = await ListTables.find(connection, []);
    } finally {
      connection.closeSync();
    }
    if (rows.length === 0) return;
    const writer = await GroupWriter.create(this.#instance, this.#listTables);
    try {
      const batches = rows.map(({ source, parts }) => ({
        // The store is empty, so that no earlier rows are searched for the same ids.
        ...{ source, parts, minTimestamp: 0n, ranges: [] },
      }));
      await inTransaction(
        writer.connection,
        () => this.#gate,
        () => writer.add(batches),
      );
    } finally {
      writer.close();
    }
  }

  async close(): Promise<void> {
    this.#instance.closeSync();
  }
}
