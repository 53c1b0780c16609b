import { memoized } from '../../../../base/async/memoized.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { fitsFlat, flatColumns, flatTableSql, wholeValue } from './flat-layout.ts';
import { type KeySql, keySql } from './key-sql.ts';
import { listColumns, listTableSql, valueOfLists } from './list-layout.ts';
import { columnDefinitions, columnList } from './source-table.ts';

/** One of the two tables of a source's rows. */
export interface RowTable {
  readonly schema: 'flat' | 'lists' | 'logs';
  readonly name: string;
  /** The key of its rows. */
  readonly key: KeySql;
  /** The table's whole name, as SQL. */
  readonly sql: string;
  /** The column definitions, for CREATE TABLE. */
  readonly definitions: string;
  /** The names of all columns, in order. */
  readonly columns: string;
  /** The SELECT list that gives these columns, over a whole row. */
  readonly values: string;
  /** The columns of a whole row, as SQL over the table's own. */
  readonly whole: string;
  /** The condition, over a whole row, that the row belongs in this table. Never NULL. */
  readonly takes: string;
}

/** The two tables of a source: flat rows, then rows without a flat form. */
export function rowTables(source: Source): readonly [flat: RowTable, list: RowTable] {
  return [flatTable(source), listTable(source)];
}

/** The table of rows with a column for each leaf. It is described once. */
export const flatTable: (source: Source) => RowTable = memoized((source: Source): RowTable => {
  const { name, columns } = source;
  const flat = flatColumns(columns);
  return {
    schema: 'flat',
    name,
    key: keySql(source),
    sql: flatTableSql(name),
    definitions: flat.map((column) => `${quoteIdentifier(column.name)} ${column.type}`).join(', '),
    columns: flat.map((column) => quoteIdentifier(column.name)).join(', '),
    values: flat.map((column) => `${column.value} AS ${quoteIdentifier(column.name)}`).join(', '),
    whole: columns
      .map(
        (column) =>
          `${wholeValue(column.name, column.type, quoteIdentifier)} AS ${quoteIdentifier(column.name)}`,
      )
      .join(', '),
    takes: fitsFlat(columns),
  };
});

/** The table of rows without a flat form. It is described once. */
export const listTable: (source: Source) => RowTable = memoized((source: Source): RowTable => {
  const { name, columns } = source;
  const lists = listColumns(columns);
  return {
    schema: 'lists',
    name,
    key: keySql(source),
    sql: listTableSql(name),
    definitions: lists.map((column) => `${quoteIdentifier(column.name)} ${column.type}`).join(', '),
    columns: lists.map((column) => quoteIdentifier(column.name)).join(', '),
    values: lists.map((column) => `${column.value} AS ${quoteIdentifier(column.name)}`).join(', '),
    whole: columns
      .map(
        (column) =>
          `${valueOfLists(column.name, column.type, quoteIdentifier)} AS ${quoteIdentifier(column.name)}`,
      )
      .join(', '),
    takes: `NOT (${fitsFlat(columns)})`,
  };
});

/**
 * The SELECT of the whole rows that belong in a table, in the table's form.
 *
 * @param from the relation of whole rows, as SQL, with its further clauses
 * @param kept further columns of that relation to select
 */
export function selectFor(
  { columns, values, takes }: RowTable,
  from: string,
  { kept }: { readonly kept?: string } = {},
): string {
  // No column begins with a dot. Comparisons with volatile values stay in the SELECT list (see `fitsFlat`).
  const isTaken = `(${takes}) = (random() < 2) AS ".taken"`;
  const inner = [values, ...(kept === undefined ? [] : [kept]), isTaken].join(', ');
  const outer = kept === undefined ? columns : '* EXCLUDE (".taken")';
  return `SELECT ${outer} FROM (SELECT ${inner} FROM ${from}) WHERE ".taken"`;
}

/**
 * The tables of older formats, whose rows have the form of the schema, until all rows are moved. In format 1 the first one
 * held all rows. In format 2 it held the rows without a flat form, and the other one the remaining rows of format 1.
 */
export function oldTables(source: Source): readonly RowTable[] {
  const { name } = source;
  return [name, `${name} (old)`].map((tableName) => ({
    ...wholeRows(source),
    name: tableName,
    sql: `logs.${quoteIdentifier(tableName)}`,
  }));
}

/** A table whose rows have the form of the schema. */
export function wholeRows(source: Source): RowTable {
  const { name, columns } = source;
  const all = columnList(columns);
  return {
    ...{ schema: 'logs', name, sql: `logs.${quoteIdentifier(name)}`, key: keySql(source) },
    definitions: columnDefinitions(columns),
    columns: all,
    values: all,
    whole: all,
    takes: 'true',
  };
}

/** All rows of a source in the form of the schema, from both tables: a subquery, in parentheses. */
export function allRowsSql(source: Source): string {
  const selects = rowTables(source).map(({ whole, sql }) => `SELECT ${whole} FROM ${sql}`);
  return `(${selects.join(' UNION ALL ')})`;
}
