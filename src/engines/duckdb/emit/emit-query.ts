import { fieldUses } from '../../../sql/plan/used-fields.ts';
import { type AnyNode, asList, asMessage } from '../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import { plain, type Sql } from '../dialect/calls.ts';
import { duckType } from '../dialect/duck-type.ts';
import { type KeySql, usualKey } from '../store/tables/key-sql.ts';
import { whenRoomInAnswer } from '../udf/js/claim.ts';
import type { EmitContext, EmittedQuery, LateQuery } from './emitter/context.ts';
import { withFreeWork } from './emitter/free-work.ts';
import { inAllThreads, inOneThreadEach } from './emitter/one-thread.ts';
import {
  isLate,
  type LateTable,
  type LateValue,
  lateAlias,
  type Relation,
  render,
} from './emitter/relation.ts';
import { cut, rename } from './emitter/steps.ts';
import { lateColumns } from './late-columns.ts';
import { maxLateRows } from './max-late-rows.ts';
import { columnName } from './pieces/column-name.ts';
import { hasKey } from './pieces/has-key.ts';
import { sharedCalls } from './shared/shared-calls.ts';
import { sliceStatement } from './sliced/slice-statement.ts';
import { StatementEmitter } from './statement-emitter.ts';
import { volatileColumns } from './volatile/volatile-columns.ts';

/**
 * Adds a check that fails the query if there is no memory for the texts of a result vector: DuckDB makes about two
 * thousand rows at a time, whatever their size.
 *
 * @param columns the columns of the query that may contain texts
 */
function withRoom(sql: string, columns: readonly Column[]): string {
  const lengths = columns.flatMap(({ name, type }) =>
    lengthOf[type.kind] === undefined ? [] : [`coalesce(${lengthOf[type.kind]}(${name}), 0)`],
  );
  if (lengths.length === 0) return sql;
  return `SELECT * FROM (${sql}) AS r WHERE CASE ${whenRoomInAnswer(`(${lengths.join(' + ')})`)} true END`;
}

/** Whether the check of {@link withRoom} knows the size of such values, if they are long. */
function hasKnownSize({ kind }: SqlType): boolean {
  return kind !== 'ARRAY' && kind !== 'STRUCT';
}

const lengthOf: Readonly<Partial<Record<SqlType['kind'], string>>> = {
  STRING: 'strlen',
  JSON: 'strlen',
  BYTES: 'octet_length',
};

/** Messages that can't contain a scan. Skipping them shortens the walk. */
const leaves = new Set(['type', 'column', 'column_list', 'signature', 'value', 'table', 'function']);

/**
 * Counts the references to each CTE in emitted text: in the main query, or in a CTE that is itself referenced. A CTE
 * without a count is not emitted.
 */
function countCteReferences(statement: AnyNode): ReadonlyMap<string, number> {
  const bodies = new Map<string, AnyNode>();
  const counts = new Map<string, number>();
  const pending: unknown[] = [statement];

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      visitMessage(value as AnyNode);
    }
  };
  const visitMessage = (message: AnyNode): void => {
    for (const field in message) {
      if (field === 'with_entry_list') {
        for (const entry of asList(message[field], field)) {
          const { with_query_name, with_subquery } = asMessage(entry, field);
          bodies.set(String(with_query_name), asMessage(with_subquery, 'with_subquery'));
        }
      } else if (field === 'resolved_with_ref_scan_node') {
        count(String(asMessage(message[field], field).with_query_name));
      } else if (!leaves.has(field)) {
        visit(message[field]);
      }
    }
  };
  const count = (name: string): void => {
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    if (before === 0) pending.push(name);
  };

  // References are below their WITH clause, so its entries are known when a reference is found.
  for (const item of pending) visit(typeof item === 'string' ? bodies.get(item) : item);
  return counts;
}

/**
 * Emits DuckDB SQL for a resolved query statement. Parameters become constants, so the SQL is valid for one set of
 * values only.
 *
 * @throws GatewayError QUERY_FAILED naming the construct that can't be run exactly
 */
export function emitQuery(received: AnyNode, context: EmitContext): EmittedQuery {
  const sliced =
    context.isSliced === true && !context.isVolatile
      ? sliceStatement(received, context.parameters, (table) =>
          timestampOf(context.keyOf?.(table) ?? usualKey),
        )
      : undefined;
  const statement = sharedCalls(
    context.isVolatile ? volatileColumns(received) : (sliced?.statement ?? received),
  );
  const node = new ResolvedNode(statement);
  if (node.kind !== 'resolved_query_stmt_node') throw node.refusal('a statement other than a query');
  // A value table is the single column in its output list.
  node.skip('is_value_table');
  const { rowLimit = Number.POSITIVE_INFINITY } = context;
  const references = countCteReferences(statement);
  const readLast = rowLimit <= maxLateRows ? lateColumns(statement, references) : undefined;
  const emitter = new StatementEmitter(statement, context, references, readLast);
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
  const late = lateQueries(
    result,
    outputs.map(({ column }) => column),
  );
  const names = select.map(([name]) => name);
  const read = names.map((name): [string, Sql] => [
    name,
    isLate(result, name) ? plain('NULL') : (result.select.get(name) ?? plain(name)),
  ]);
  const keys = late.map(({ keyColumn }): [string, Sql] => [
    keyColumn,
    result.hidden.get(keyColumn) ?? plain(keyColumn),
  ]);
  const rows = { ...result, select: new Map([...read, ...keys]) };
  const written = withFreeWork(emitter.leaves.written(render(rows, true)));
  const sql = context.inOneThread ? inOneThreadEach(written) : inAllThreads(written);
  node.assertRead();
  const texts = outputs.flatMap(({ column }, i) =>
    isLate(result, `o${i}`) ? [] : [{ name: `o${i}`, type: column.type }],
  );
  return {
    sql: context.rowLimit === undefined ? sql : withRoom(sql, texts),
    columns: outputs.map(({ name, column }) => ({ name, type: column.type })),
    isSmall: rowLimit <= maxLateRows && texts.every(({ type }) => hasKnownSize(type)),
    late: late.map((query, i) => ({ ...query, key: names.length + i })),
    ...(sliced !== undefined &&
      sliced.aggregations.length > 0 && {
        slices: sliced.aggregations.map(({ table, bounds }) => ({
          table,
          bounds: bounds.map(({ operator, time }) => ({ operator, micros: time.sqlAs({ kind: 'INT64' }) })),
        })),
      }),
  };
}

/** The name of the column that orders rows, if it is a TIMESTAMP. */
function timestampOf({ timeName, isTimestamp }: KeySql): string | undefined {
  return isTimestamp ? timeName : undefined;
}

/** The relation limited to a number of rows. */
function limited(source: Relation, rowLimit: number | undefined): Relation {
  if (rowLimit === undefined) return source;
  if (source.limit === '') return cut(source, String(rowLimit), source.offset);
  return Number(source.limit) <= rowLimit ? source : { ...source, limit: String(rowLimit) };
}

/**
 * Emits DuckDB SQL for an expression without columns.
 *
 * @throws GatewayError QUERY_FAILED as `emitQuery` does
 */
export function emitExpression(expression: AnyNode, context: EmitContext): string {
  const node = new ResolvedNode(expression);
  const emitter = new StatementEmitter(expression, context, countCteReferences(expression));
  const { sql } = emitter.expression(node);
  node.assertRead();
  return inAllThreads(withFreeWork(emitter.leaves.written(sql)));
}

/** A late query before the position of its key is known. */
type NamedLateQuery = Omit<LateQuery, 'key'> & { readonly keyColumn: string };

/**
 * The queries for the late columns of a result, one for each table that has any.
 *
 * @param result has the columns `o0`, `o1` …
 * @param outputs these columns
 */
function lateQueries({ late }: Relation, outputs: readonly Column[]): NamedLateQuery[] {
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
      const rowId = `${lateAlias}.rowid`;
      // The table may have a column of this name, too.
      const items = [`${rowId} AS key`, ...list].join(', ');
      const rows = `SELECT ${items} FROM ${table} AS ${lateAlias} WHERE ${hasKey(rowId, keys)}`;
      // DuckDB reads rows that it hands out as they come in one thread, and rows that it sorts in all.
      return `${withRoom(rows, texts)} ORDER BY key`;
    },
  };
}
