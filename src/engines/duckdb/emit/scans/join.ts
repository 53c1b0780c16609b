import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { plain } from '../../calls.ts';
import type { Emitted } from '../../expression.ts';
import { columnName } from '../column-name.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { productSide } from '../one-thread.ts';
import {
  continued,
  filter,
  fromItem,
  named,
  type Relation,
  relation,
  singleRow,
  unordered,
  withColumns,
} from '../relation.ts';

export const joinScan: ScanEmitter = (node, emitter) => {
  const type = node.choice('join_type', ['INNER', 'LEFT', 'RIGHT', 'FULL']);
  const left = unordered(emitter.scan(node.child('left_scan')));
  const right = unordered(emitter.scan(node.child('right_scan')));
  const columnsOf = (side: 'left_scan' | 'right_scan') =>
    node.child(side).columns('column_list').map(columnName);
  const condition = node.optionalChild('join_expr');
  const on = condition === undefined ? plain('true') : conditionOf(condition, type, emitter);
  if (type === 'INNER') {
    const product = crossJoin(left, right);
    return on.sql === 'true' ? product : filter(product, on);
  }
  if (condition === undefined || !on.calls.subquery)
    return joined(left, right, `${type} JOIN`, ` ON ${on.sql}`);
  if (type === 'FULL') throw condition.refusal('a subquery in the condition of a FULL JOIN');
  const [kept, other] = [
    { rows: left, columns: columnsOf('left_scan') },
    { rows: right, columns: columnsOf('right_scan') },
  ];
  return type === 'LEFT' ? leftJoinBySubquery(kept, other, on.sql) : leftJoinBySubquery(other, kept, on.sql);
};

/** DuckDB allows no subquery in the condition of a FULL JOIN, as in a lambda: there, lists are searched instead. */
function conditionOf(condition: ResolvedNode, type: string, emitter: Emitter): Emitted {
  const emit = () => emitter.expression(condition);
  return type === 'FULL' ? emitter.lambdas.within(new Map(), emit) : emit();
}

interface Side {
  readonly rows: Relation;
  readonly columns: readonly string[];
}

/**
 * DuckDB doesn't support subqueries in the condition of an outer join: an inner join finds the pairs, which are then
 * joined by row numbers.
 */
function leftJoinBySubquery(kept: Side, other: Side, on: string): Relation {
  const numbered = `SELECT *, row_number() OVER () AS row_of_pair FROM ${fromItem(kept.rows)}`;
  const pairColumns = [...columnsOfSide(other), 'row_of_pair AS paired_row'].join(', ');
  const pairs = `SELECT ${pairColumns} FROM numbered CROSS JOIN ${fromItem(other.rows)} WHERE ${on}`;
  const columns = [...columnsOfSide(kept), ...columnsOfSide(other)].join(', ') || '1 AS c0';
  const rows = relation(`(WITH numbered AS MATERIALIZED (${numbered})
    SELECT ${columns} FROM numbered LEFT JOIN (${pairs}) ON row_of_pair = paired_row)`);
  return { ...rows, fields: new Map([...kept.rows.fields, ...other.rows.fields]) };
}

function columnsOfSide({ rows, columns }: Side): string[] {
  const values = columns.filter((column) => rows.fields.get(column)?.isValue !== false);
  return [...values, ...[...rows.fields.values()].flatMap(({ names }) => names)];
}

/**
 * Joins a single row by adding its expressions to the other side's SELECT: a time bound in it then reaches the other
 * side's scan.
 */
function crossJoin(left: Relation, right: Relation): Relation {
  if (isExpressions(left)) return beside(right, left);
  if (isExpressions(right)) return beside(left, right);
  const [first, second] = [left, right].map((side) => productSide(fromItem(side)));
  return joinedAs(`${first} CROSS JOIN ${second}`, left, right);
}

function joined(left: Relation, right: Relation, join: string, on: string): Relation {
  return joinedAs(`${fromItem(left)} ${join} ${fromItem(right)}${on}`, left, right);
}

function joinedAs(from: string, left: Relation, right: Relation): Relation {
  const rows = relation(`(${from})`);
  return {
    ...rows,
    times: new Map([...left.times, ...right.times]),
    fields: new Map([...left.fields, ...right.fields]),
  };
}

function isExpressions(source: Relation): boolean {
  const whole = source.where.length === 0 && source.limit === '' && source.offset === '';
  return whole && source.from === singleRow && source.groupBy === '' && source.ctes.length === 0;
}

function beside(rows: Relation, single: Relation): Relation {
  const columns = [...(single.select ?? [])].map(([name, sql]) => named(sql, name));
  return continued(rows, withColumns(fromItem(rows), columns));
}
