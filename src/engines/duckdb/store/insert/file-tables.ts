import type { DuckDBConnection } from '@duckdb/node-api';
import { isReference } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { flatColumns } from '../tables/flat-layout.ts';
import { keySql } from '../tables/key-sql.ts';
import { listColumns } from '../tables/list-layout.ts';
import { readBlocks } from '../tables/read-blocks.ts';
import { type RowTable, rowTables } from '../tables/row-table.ts';
import { overlapDepth } from '../tables/time-order.ts';
import type { FileRows, FileSelect } from './file-rows.ts';
import { byTime, insertRows, place } from './insert-rows.ts';
import { StagedTable } from './staged-table.ts';

/** The number of rows in each form. */
interface FormCounts {
  readonly flat: number;
  readonly lists: number;
}

interface Part {
  readonly table: RowTable;
  readonly name: string;
  readonly columns: string;
  readonly select: string;
}

/**
 * Rows that DuckDB itself reads from a file. If all ids are different and new, or rows have no ids, the rows go straight into
 * the source's tables; otherwise, and if they are to replace others, they are staged.
 */
export class FileTables {
  /** How many rows were read. */
  readonly taken: number;
  /** The staged rows, by form. */
  readonly #staged: readonly (StagedTable | undefined)[];
  readonly #inserted: readonly number[];
  readonly #parts: readonly Part[];

  private constructor(
    parts: readonly Part[],
    staged: readonly (StagedTable | undefined)[],
    inserted: readonly number[],
  ) {
    this.#parts = parts;
    this.#staged = staged;
    this.#inserted = inserted;
    const counts = [...inserted, ...this.staged.map(({ rows }) => rows)];
    this.taken = counts.reduce((sum, rows) => sum + rows, 0);
  }

  get staged(): StagedTable[] {
    return this.#staged.filter((table) => table !== undefined);
  }

  /** Reads the rows, in the transaction that will be committed. */
  static async take(
    connection: DuckDBConnection,
    source: Source,
    file: FileRows,
    isStaged = isReference(source),
  ): Promise<FileTables> {
    const parts = partsOf(source, file);
    file.prepare(connection);
    await connection.run(`CREATE TEMP TABLE file_keys AS ${file.keys}`);
    const isNew = !isStaged && (await hasNewIds(connection, source));
    const isSorted = isNew && (await isOutOfOrder(connection));
    await connection.run('DROP TABLE temp.file_keys');
    const staged: (StagedTable | undefined)[] = [];
    const inserted: number[] = [];
    let left = file.rowCount;
    for (const { table, name, columns, select } of parts) {
      if (left === 0) break;
      if (isNew) {
        const rows = await insertRows(connection, table.sql, {
          ...{ columns, from: `(${select})` },
          order: isSorted ? byTime(keySql(source).time) : undefined,
        });
        inserted.push(rows);
        left -= rows;
      } else {
        const of = await StagedTable.of(connection, source, { name, columns, select });
        staged.push(of);
        left -= of.rows;
      }
    }
    return new FileTables(parts, staged, inserted);
  }

  /** Copies staged rows into the source's tables. Returns how many rows of the file the tables have. */
  async copy(isSorted: (table: StagedTable) => boolean): Promise<FormCounts> {
    const counts = [...this.#inserted];
    for (const [i, { table }] of this.#parts.entries()) {
      const staged = this.#staged[i];
      if (staged !== undefined) counts[i] = await staged.copy(table, isSorted(staged));
    }
    const [flat = 0, lists = 0] = counts;
    return { flat, lists };
  }
}

function partsOf(source: Source, { flat, lists }: FileRows): Part[] {
  const [flatTable, listTable] = rowTables(source);
  const part = (table: RowTable, all: readonly { name: string }[], { columns, sql }: FileSelect): Part => ({
    table,
    name: `file_${table.schema}`,
    columns: columns.map((index) => quoteIdentifier(all[index]?.name ?? '')).join(', '),
    select: sql,
  });
  return [
    part(flatTable, flatColumns(source.columns), flat),
    part(listTable, listColumns(source.columns), lists),
  ];
}

/** Whether all ids are different and new to the store. Rows without an id are invalid. */
async function hasNewIds(connection: DuckDBConnection, source: Source): Promise<boolean> {
  const { id } = keySql(source);
  if (id === undefined) return true;
  const known = rowTables(source).map(({ sql }) => `SELECT ${id} FROM ${sql}`);
  const counted = await connection.runAndReadAll(
    `SELECT count(id) = count(DISTINCT id) AND NOT coalesce(bool_or(id IN (${known.join(' UNION ALL ')})), false)
     FROM temp.file_keys`,
  );
  return counted.value(0, 0) === true;
}

async function isOutOfOrder(connection: DuckDBConnection): Promise<boolean> {
  const timed = '(SELECT * FROM temp.file_keys WHERE "timestamp" IS NOT NULL)';
  const blocks = await readBlocks(connection, timed, '"timestamp"', place);
  return blocks.length <= 1 || overlapDepth(blocks) > 1;
}
