import { fieldUses } from '../../../sql/plan/used-fields.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import { plain, type Sql } from '../dialect/calls.ts';
import { duckType } from '../dialect/duck-type.ts';
import { maxLateRows } from '../store/database/max-late-rows.ts';
import type { EmitContext, EmittedQuery } from './emitter/context.ts';
import { withFreeWork } from './emitter/free-work.ts';
import { inAllThreads, inOneThreadEach } from './emitter/one-thread.ts';
import { cut, isLate, type Relation, rename, render } from './emitter/relation.ts';
import { lateColumns } from './late-columns.ts';
import { lateQueries } from './late-queries.ts';
import { columnName } from './pieces/column-name.ts';
import { StatementEmitter } from './statement-emitter.ts';
import { countCteReferences } from './tree/cte-references.ts';
import { volatileColumns } from './volatile/volatile-columns.ts';
import { withRoom } from './with-room.ts';

/**
 * Emits DuckDB SQL for a resolved query statement. Parameters become constants, so the SQL is valid for one set of
 * values only.
 *
 * @throws GatewayError QUERY_FAILED naming the construct that can't be run exactly
 */
export function emitQuery(received: AnyNode, context: EmitContext): EmittedQuery {
  const statement = context.isVolatile ? volatileColumns(received) : received;
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
    isLate(result, name) ? plain('NULL') : (result.select?.get(name) ?? plain(name)),
  ]);
  const keys = late.map(({ keyColumn }): [string, Sql] => [keyColumn, plain(keyColumn)]);
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
    late: late.map((query, i) => ({ ...query, key: names.length + i })),
  };
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
