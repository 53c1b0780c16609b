import type { Column, SqlType } from '../../../sql/values/type.ts';
import { whenRoom } from '../udf/js/claim.ts';

/**
 * Adds a check that fails the query if there is no memory for the texts of a result vector: DuckDB makes about two
 * thousand rows at a time, whatever their size.
 *
 * @param columns the columns of the query that may contain texts
 */
export function withRoom(sql: string, columns: readonly Column[]): string {
  const lengths = columns.flatMap(({ name, type }) =>
    lengthOf[type.kind] === undefined ? [] : [`coalesce(${lengthOf[type.kind]}(${name}), 0)`],
  );
  if (lengths.length === 0) return sql;
  return `SELECT * FROM (${sql}) AS r WHERE CASE ${whenRoom(`(${lengths.join(' + ')})`)} true END`;
}

const lengthOf: Readonly<Partial<Record<SqlType['kind'], string>>> = {
  STRING: 'strlen',
  JSON: 'strlen',
  BYTES: 'octet_length',
};
