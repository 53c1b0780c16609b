import type { Column, SqlType } from '../../../sql/type.ts';
import { whenRoom } from '../udf/claim.ts';

/**
 * The query, refused when so much text comes out at once that there is no room for it: a result is made some two thousand rows at a
 * time, whatever they hold.
 *
 * @param columns the columns of the query that may be texts
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
