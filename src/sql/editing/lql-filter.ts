import { lqlConditions } from '../lql/compile/compile-filter.ts';
import { rowName } from '../lql/compile/query-scope.ts';
import { parseLql } from '../lql/parse/parse-lql.ts';
import { regexpMistake } from '../regexp/parse.ts';
import { parseType } from '../values/parse-type.ts';
import type { Column } from '../values/type.ts';

/** A table whose rows LQL can filter. */
export interface FilteredTable {
  readonly name: string;
  /** With types as GoogleSQL writes them. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The column with the time of a row. */
  readonly time?: string | undefined;
}

/** The alias of a table's rows: no column has its name. */
export function rowAlias({ columns }: Pick<FilteredTable, 'columns'>): string {
  return rowName(columns.map(({ name }) => name));
}

/**
 * An LQL text that only filters, as SQL conditions on the rows of a table, whose alias is that of `rowAlias`.
 *
 * @throws Error that says what is wrong with the text, and where
 */
export function lqlFilterSql(text: string, table: FilteredTable): readonly string[] {
  const columns = table.columns.flatMap(({ name, type }): readonly Column[] => {
    const parsed = parseType(type);
    return parsed === undefined ? [] : [{ name, type: parsed }];
  });
  const { name, time } = table;
  return lqlConditions(
    text,
    { name, columns, ...(time !== undefined && { time }) },
    rowAlias(table),
    regexpMistake,
  );
}

/** The clauses of an LQL text, each as it is written. @throws Error that says what is wrong with the text, and where */
export function lqlClauses(text: string): readonly string[] {
  const places = parseLql(text).clauses.map(({ at }) => at);
  return places.map((at, index) => text.slice(at, places[index + 1]).trim());
}
