import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { listTable } from './row-table.ts';

/** Tells of a source, by its name, whether all of its rows are in flat form. */
export type IsFlatOnly = (source: string) => boolean;

/** Which sources have rows without a flat form. The others are read from their flat table alone. */
export class ListTables {
  readonly #used: Set<string>;

  private constructor(used: Set<string>) {
    this.#used = used;
  }

  static async find(connection: DuckDBConnection, sources: readonly Source[]): Promise<ListTables> {
    const used = new Set<string>();
    for (const source of sources) {
      const { rowCount } = await connection.run(`SELECT 1 FROM ${listTable(source).sql} LIMIT 1`);
      if (rowCount > 0) used.add(source.name);
    }
    return new ListTables(used);
  }

  readonly isFlatOnly: IsFlatOnly = (source) => !this.#used.has(source);

  /** To be called before such rows are committed: whoever sees them then finds the source here. */
  use({ name }: Source): void {
    this.#used.add(name);
  }
}
