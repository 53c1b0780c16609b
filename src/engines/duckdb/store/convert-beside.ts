import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../dialect/duck-type.ts';
import type { PlannedSource } from './planned-source.ts';
import { convertedValue } from './tables/convert-values.ts';
import { flatTableSql } from './tables/flat-layout.ts';
import { convertedName, type Leaf, leavesOf } from './tables/leaves.ts';

/** Rows that are converted together. */
export const conversionStepRows = 122_880;

/** A column of a flat table that gets another type. */
interface Conversion {
  readonly table: string;
  readonly leaf: Leaf;
}

/**
 * Converts columns of flat tables in steps, into new columns that nobody reads yet: while an ALTER changes a type, DuckDB keeps all
 * readers of the table waiting. `prepareTables` puts them in the place of the old ones. If the process ends before, the
 * next opening drops them.
 */
export class ConversionBeside {
  readonly #conversions: readonly Conversion[];

  private constructor(conversions: readonly Conversion[]) {
    this.#conversions = conversions;
  }

  /** The conversions of large tables. Others are done at once. */
  static async of(
    connection: DuckDBConnection,
    planned: readonly PlannedSource[],
    stepRows: number,
  ): Promise<ConversionBeside> {
    const conversions: Conversion[] = [];
    for (const { storedName, columns, faults } of planned) {
      if (storedName === undefined || faults.length > 0) continue;
      const leaves = leavesOf(columns).filter(isConverted);
      if (leaves.length === 0) continue;
      const table = flatTableSql(storedName);
      const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
      if (Number(counted.value(0, 0)) > stepRows)
        conversions.push(...leaves.map((leaf) => ({ table, leaf })));
    }
    return new ConversionBeside(conversions);
  }

  get isNone(): boolean {
    return this.#conversions.length === 0;
  }

  /** The columns that are converted: the table, as SQL, and the name, with a space between them. */
  get columns(): ReadonlySet<string> {
    return new Set(this.#conversions.map(({ table, leaf }) => `${table} ${leaf.oldName}`));
  }

  /** Adds the new columns. Nobody else may write. */
  async begin(connection: DuckDBConnection): Promise<void> {
    await dropConverted(connection);
    for (const { table, leaf } of this.#conversions)
      await connection.run(`ALTER TABLE ${table} ADD COLUMN ${newColumn(leaf)} ${leaf.flatType}`);
  }

  /** Converts some more rows, or all that are left. Returns how many. */
  async step(connection: DuckDBConnection, rows?: number): Promise<number> {
    for (const { table, leaf } of this.#conversions) {
      const old = quoteIdentifier(leaf.oldName ?? '');
      const { from, kind } = leaf.column;
      const value = convertedValue(from?.kind ?? kind, kind, old);
      // Values of new rows that can't be converted are found when the tables are prepared.
      const isLeft = `${newColumn(leaf)} IS NULL AND ${old} IS NOT NULL AND ${value} IS NOT NULL`;
      const some =
        rows === undefined ? isLeft : `rowid IN (SELECT rowid FROM ${table} WHERE ${isLeft} LIMIT ${rows})`;
      const changed = await connection.run(`UPDATE ${table} SET ${newColumn(leaf)} = ${value} WHERE ${some}`);
      if (changed.rowsChanged > 0) return changed.rowsChanged;
    }
    return 0;
  }
}

/** Drops what conversions that didn't end have left. */
export async function dropConverted(connection: DuckDBConnection): Promise<void> {
  const left = await connection.runAndReadAll(
    `SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'flat' AND starts_with(column_name, '${convertedName('')}')`,
  );
  for (const [table, column] of left.getRows())
    await connection.run(
      `ALTER TABLE ${flatTableSql(String(table))} DROP COLUMN ${quoteIdentifier(String(column))}`,
    );
}

/** A single value: DuckDB updates a list by deleting and inserting its row. */
function isConverted({ column, oldName, isPresence }: Leaf): boolean {
  const { from, kind, mode } = column;
  if (isPresence || oldName === undefined || from === undefined) return false;
  return from.kind !== kind && mode !== 'REPEATED' && from.mode !== 'REPEATED';
}

function newColumn({ oldName }: Leaf): string {
  return quoteIdentifier(convertedName(oldName ?? ''));
}
