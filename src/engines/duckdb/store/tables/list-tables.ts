import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../../definitions/sources/source.ts';
import { listTable } from './row-table.ts';

/** Whether all rows of a source, given by its name, are in flat form. */
export type IsFlatOnly = (source: string) => boolean;

/** The sources that have rows without a flat form. The others are read from their flat table alone. */
export class ListTables {
  readonly #used: Set<string>;

  private constructor(used: Set<string>) {
    this.#used = used;
  }

  static async find(connection: DuckDBConnection, sources: readonly Source[]): Promise<ListTables> {
    const tables = new ListTables(new Set());
    await tables.findMore(connection, sources);
    return tables;
  }

  /** Looks for the rows of further sources. */
  async findMore(connection: DuckDBConnection, sources: readonly Source[]): Promise<void> {
    for (const source of sources) {
      if (this.#used.has(source.name)) continue;
      const { rowCount } = await connection.run(`SELECT 1 FROM ${listTable(source).sql} LIMIT 1`);
      if (rowCount > 0) this.use(source);
    }
  }

  readonly isFlatOnly: IsFlatOnly = (source) => !this.#used.has(source);

  /** Called before such rows are committed, so that readers who see the rows find the source here. */
  use({ name }: Source): void {
    this.#used.add(name);
  }
}
