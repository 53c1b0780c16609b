import type { ResolvedColumn } from '../../../sql/resolved/column.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../sql/type.ts';
import { fieldUses } from '../../../sql/used-fields.ts';
import { duckType } from '../duck-type.ts';
import { whenRoom } from '../functions-in-js/claim.ts';
import { columnName } from './column-name.ts';
import type { EmitContext, EmittedQuery, RecordInLeaves, RecordsInLeaves } from './context.ts';
import { countCteReferences } from './cte-references.ts';
import { lateColumns, mostLateRows } from './late-columns.ts';
import {
  cut,
  fromItem,
  type LateColumns,
  type LeavesOfRecord,
  lateAlias,
  type Relation,
  relation,
  rename,
  render,
  unionOf,
} from './relation.ts';
import { StatementEmitter } from './statement-emitter.ts';

/**
 * The DuckDB SQL of a resolved query statement. Parameters are part of it as constants, so it is good for
 * one set of values only.
 *
 * @throws GatewayError QUERY_FAILED, naming the construct, for everything that can't be done exactly.
 */
export function emitQuery(statement: AnyNode, context: EmitContext): EmittedQuery {
  const node = new ResolvedNode(statement);
  if (node.kind !== 'resolved_query_stmt_node') throw node.refusal('a statement other than a query');
  // A value table is the one column that its output list has.
  node.skip('is_value_table');
  const { rowLimit = Number.POSITIVE_INFINITY } = context;
  const references = countCteReferences(statement);
  const late = rowLimit <= mostLateRows ? lateColumns(statement, references) : undefined;
  const emitter = new StatementEmitter(statement, context, references, late);
  const source = emitter.rootScan(node.child('query'));
  const outputs = node.list('output_column_list').map((output) => ({
    name: output.text('name'),
    column: output.column('column'),
  }));
  const { wanted = 'all' } = context;
  const select = outputs.map(({ column }, i): [string, string] => {
    const isWanted = fieldUses(wanted, i) !== undefined;
    return [`o${i}`, isWanted ? columnName(column) : `CAST(NULL AS ${duckType(column.type)})`];
  });
  const result = limited(rename(source, new Map(select)), context.rowLimit);
  const names = select.map(([name]) => name);
  const { rows, records } = withLateColumns(result, names);
  const sql = emitter.leaves.written(render(rows, true));
  node.assertRead();
  return {
    sql: context.rowLimit === undefined ? sql : withRoom(sql, outputs),
    columns: outputs.map(({ name, column }) => ({ name, type: column.type })),
    records,
  };
}

interface RowsOfResult {
  readonly rows: Relation;
  readonly records: RecordsInLeaves | undefined;
}

/** The rows of a result with those columns that are read for them alone, found by their keys. */
function withLateColumns(result: Relation, columns: readonly string[]): RowsOfResult {
  const { late, order } = result;
  if (late === undefined) return { rows: result, records: undefined };
  const keys = order.map(({ column }) => column).filter((column) => !columns.includes(column));
  const { names: further, ...records } = leavesOf(late, columns);
  // Values are made above the join, for the rows that it gives.
  const parts = late.tables.map(({ table, key, columns: read }) => {
    const inLeaves = new Map<string, string>();
    let isFlat = false;
    const items = columns.map((name): [string, string] => {
      const value = read.get(name);
      if (value === undefined || typeof value === 'string') return [name, value ?? `n.${name}`];
      isFlat = value.form === 'flat';
      for (const [i, leaf] of value.leaves.entries()) inLeaves.set(leafColumn(name, value, i), leaf);
      return [name, 'NULL'];
    });
    const leaves = further.map((name): [string, string] => [name, inLeaves.get(name) ?? 'NULL']);
    const from = `result_rows AS n JOIN ${table} AS ${lateAlias} ON ${lateAlias}.rowid = n.${key}`;
    return { from, select: new Map([...items, [flatMark, String(isFlat)], ...leaves]) };
  });
  const ctes = [`result_rows AS MATERIALIZED ${fromItem(result)}`];
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) {
    return { rows: { ...relation(only.from), ctes, select: only.select, order }, records };
  }
  const selects = parts.map(({ from, select }) => {
    const all = new Map([...select, ...keys.map((name): [string, string] => [name, `n.${name}`])]);
    return render({ ...relation(from), select: all });
  });
  const select = new Map([...columns, flatMark, ...further].map((name) => [name, name]));
  return { rows: { ...unionOf(selects), ctes, select, order }, records };
}

/** The column that tells of a row whether it is of a table in flat form. */
const flatMark = 'is_flat';

const leafColumn = (column: string, { form }: LeavesOfRecord, index: number) => `${column}_${form}_${index}`;

/** Where the leaves of late records are going to be: behind the columns of the result, and the one that tells the forms apart. */
function leavesOf(late: LateColumns, columns: readonly string[]) {
  const found = { flat: new Map<number, RecordInLeaves>(), lists: new Map<number, RecordInLeaves>() };
  const names: string[] = [];
  for (const { columns: read } of late.tables) {
    for (const [position, name] of columns.entries()) {
      const value = read.get(name);
      if (value === undefined || typeof value === 'string') continue;
      found[value.form].set(position, { first: columns.length + 1 + names.length, used: value.used });
      names.push(...value.leaves.map((_, i) => leafColumn(name, value, i)));
    }
  }
  return { isFlat: columns.length, ...found, names };
}

/**
 * The query, refused when so much text comes out at once that there is no room for it: a result is made some two thousand rows at a
 * time, whatever they hold.
 */
function withRoom(sql: string, outputs: readonly { readonly column: ResolvedColumn }[]): string {
  const lengths = outputs.flatMap(({ column: { type } }, i) =>
    lengthOf[type.kind] === undefined ? [] : [`coalesce(${lengthOf[type.kind]}(o${i}), 0)`],
  );
  if (lengths.length === 0) return sql;
  return `SELECT * FROM (${sql}) AS r WHERE CASE ${whenRoom(`(${lengths.join(' + ')})`)} true END`;
}

const lengthOf: Readonly<Partial<Record<SqlType['kind'], string>>> = {
  STRING: 'strlen',
  JSON: 'strlen',
  BYTES: 'octet_length',
};

/** The relation with at most so many rows. */
function limited(source: Relation, rowLimit: number | undefined): Relation {
  if (rowLimit === undefined) return source;
  if (source.limit === '') return cut(source, String(rowLimit), source.offset);
  return Number(source.limit) <= rowLimit ? source : { ...source, limit: String(rowLimit) };
}

/**
 * The DuckDB SQL of an expression that refers to no column.
 *
 * @throws GatewayError QUERY_FAILED as `emitQuery` does.
 */
export function emitExpression(expression: AnyNode, context: EmitContext): string {
  const node = new ResolvedNode(expression);
  const emitter = new StatementEmitter(expression, context, countCteReferences(expression));
  const { sql } = emitter.expression(node);
  node.assertRead();
  return emitter.leaves.written(sql);
}
