import type { Column } from '../../../sql/values/type.ts';
import type { LateQuery } from './emitter/context.ts';
import { type LateTable, type LateValue, lateAlias, type Relation } from './emitter/relation.ts';
import { withRoom } from './with-room.ts';

/** A late query before the position of its key is known. */
type NamedLateQuery = Omit<LateQuery, 'key'> & { readonly keyColumn: string };

/**
 * The queries for the late columns of a result, one for each table that has any.
 *
 * @param result has the columns `o0`, `o1` …
 * @param outputs these columns
 */
export function lateQueries({ late }: Relation, outputs: readonly Column[]): NamedLateQuery[] {
  return (late?.tables ?? [])
    .map((table) => lateQuery(table, outputs))
    .filter(({ values }) => values.size > 0);
}

function lateQuery({ table, key, columns }: LateTable, outputs: readonly Column[]): NamedLateQuery {
  const values = new Map<number, LateValue>();
  const items: string[] = [];
  const texts: Column[] = [];
  for (const [position, output] of outputs.entries()) {
    const value = columns.get(`o${position}`);
    if (value === undefined) continue;
    values.set(position, value);
    const parts = typeof value === 'string' ? [value] : value.leaves;
    if (typeof value === 'string') texts.push({ type: output.type, name: `v${items.length}` });
    items.push(...parts);
  }
  const list = items.map((sql, i) => `${sql} AS v${i}`);
  return {
    keyColumn: key,
    values,
    sqlFor(keys) {
      const wanted = `SELECT unnest(CAST([${keys.join(', ')}] AS BIGINT[])) AS key, unnest(range(${keys.length})) AS place`;
      const from = `(${wanted}) AS wanted JOIN ${table} AS ${lateAlias} ON ${lateAlias}.rowid = wanted.key`;
      // The table may have a column of this name, too.
      return withRoom(`SELECT ${['wanted.place', ...list].join(', ')} FROM ${from}`, texts);
    },
  };
}
