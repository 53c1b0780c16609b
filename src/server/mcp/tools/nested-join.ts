import { identifier } from '../../../sql/text/sql-text.ts';
import { columnNames, structFieldNames } from '../../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';

/** Names that GoogleSQL reads without quotes, unless they are keywords. */
const plainName = /^[a-z]\w*$/;

/**
 * An example of how GoogleSQL reads arrays of records: the `FROM` clause that joins the first one of a table, and the
 * first one within that.
 *
 * @returns undefined if the table has none
 */
export function nestedJoin(table: string, columns: readonly Column[]): string | undefined {
  const column = columns.findIndex(({ type }) => recordOf(type) !== undefined);
  const record = recordOf(columns[column]?.type);
  const name = columnNames(columns)[column];
  if (record === undefined || name === undefined) return undefined;
  const outer = `FROM ${named(table)} AS t CROSS JOIN UNNEST(t.${named(name)}) AS a`;
  const field = record.fields.findIndex(({ type }) => recordOf(type) !== undefined);
  const inner = structFieldNames(record.fields)[field];
  return inner === undefined ? outer : `${outer} CROSS JOIN UNNEST(a.${named(inner)}) AS b`;
}

/** The record that an array has as elements. */
function recordOf(type: SqlType | undefined) {
  return type?.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element : undefined;
}

function named(name: string): string {
  return plainName.test(name) ? name : identifier(name);
}
