import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { plain, type Sql } from '../../dialect/calls.ts';
import type { Emitted } from '../../dialect/expression.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { productSide } from '../emitter/one-thread.ts';
import { outerColumns } from '../emitter/outer-columns.ts';
import {
  continued,
  fromItem,
  named,
  type Relation,
  relation,
  singleRow,
  unordered,
  withColumns,
} from '../emitter/relation.ts';
import { filter } from '../emitter/steps.ts';
import { columnName } from '../pieces/column-name.ts';
import { isVolatile } from '../volatile/is-volatile.ts';
import { volatileValues } from '../volatile/volatile-values.ts';
import { conditionOf } from './condition.ts';

export const joinScan: ScanEmitter = (node, emitter) => {
  const type = node.choice('join_type', ['INNER', 'LEFT', 'RIGHT', 'FULL']);
  const left = unordered(emitter.scan(node.child('left_scan')));
  const right = unordered(emitter.scan(node.child('right_scan')));
  const columnsOf = (side: 'left_scan' | 'right_scan') =>
    node.child(side).columns('column_list').map(columnName);
  const condition = node.optionalChild('join_expr');
  const on = condition === undefined ? plain('true') : emitter.expression(conditionOf(condition, emitter));
  if (type === 'INNER') {
    const isSafe = ({ arrived }: ResolvedNode) => !emitter.context.isVolatile || !isVolatile(arrived);
    const product = crossJoin(
      { rows: left, isMovable: isSafe(node.child('left_scan')) },
      { rows: right, isMovable: isSafe(node.child('right_scan')) },
    );
    return on.sql === 'true' ? product : filter(product, on);
  }
  const [first, second] = [
    { rows: left, columns: columnsOf('left_scan') },
    { rows: right, columns: columnsOf('right_scan') },
  ];
  const read = outerColumns([type === 'FULL' ? node.wrapped : condition?.wrapped], emitter.fieldColumns);
  const isRandom = emitter.context.isVolatile && isVolatile(node.arrived);
  if (read.size > 0) {
    if (!isRandom) return outerJoinInParts(type, first, second, on.sql);
    if (type === 'FULL')
      throw node.refusal('random values in a FULL JOIN that reads columns of the query around it');
  }
  const values = volatileValues(node, emitter);
  const isByRows = condition !== undefined && on.calls.subquery && type === 'FULL';
  const direct = isByRows ? withoutSubquery(condition, emitter) : on;
  if (values.length === 0 && !direct.calls.subquery)
    return joinedAs(`${fromItem(left)} ${type} JOIN ${fromItem(right)} ON ${direct.sql}`, left, right);
  const pairs: Pairs = { values, on: on.sql };
  if (type === 'LEFT') return leftJoinByPairs(first, second, pairs);
  if (type === 'RIGHT') return leftJoinByPairs(second, first, pairs);
  return fullJoinByPairs(first, second, pairs);
};

/** The condition as in a lambda, where lists are searched without a subquery if possible. */
function withoutSubquery(condition: ResolvedNode, emitter: Emitter): Emitted {
  return emitter.lambdas.within(new Map(), () => emitter.expression(conditionOf(condition, emitter)));
}

interface Side {
  readonly rows: Relation;
  readonly columns: readonly string[];
}

/** The condition of a join, and the values in it that are new for each pair of rows. */
interface Pairs {
  readonly values: readonly Sql[];
  readonly on: string;
}

function matching(product: string, { values, on }: Pairs): string {
  return `${values.length === 0 ? product : withColumns(product, values)} WHERE ${on}`;
}

/**
 * DuckDB doesn't support subqueries in the condition of an outer join, and evaluates volatile calls in it for the rows of
 * one side: an inner join finds the pairs, which are then joined by row numbers.
 */
function leftJoinByPairs(kept: Side, other: Side, on: Pairs): Relation {
  const numbered = `SELECT *, row_number() OVER () AS row_of_pair FROM ${fromItem(kept.rows)}`;
  const pairColumns = [...columnsOfSide(other), 'row_of_pair AS paired_row'].join(', ');
  const product = `numbered CROSS JOIN ${fromItem(other.rows)}`;
  const pairs = `SELECT ${pairColumns} FROM ${matching(product, on)}`;
  return ofSides(
    [kept, other],
    `numbered AS MATERIALIZED (${numbered})`,
    `numbered LEFT JOIN (${pairs}) ON row_of_pair = paired_row`,
  );
}

function fullJoinByPairs(left: Side, right: Side, on: Pairs): Relation {
  const numbered = ({ rows }: Side, name: string) =>
    `numbered_${name} AS MATERIALIZED (SELECT *, row_number() OVER () AS row_of_${name} FROM ${fromItem(rows)})`;
  const product = 'numbered_left CROSS JOIN numbered_right';
  const pairs = `SELECT row_of_left AS paired_left, row_of_right AS paired_right FROM ${matching(product, on)}`;
  return ofSides(
    [left, right],
    `${numbered(left, 'left')}, ${numbered(right, 'right')}`,
    `numbered_left LEFT JOIN (${pairs}) ON row_of_left = paired_left FULL JOIN numbered_right ON row_of_right = paired_right`,
  );
}

/**
 * DuckDB supports columns of the query around it neither in the condition of an outer join, nor in the sides of a FULL
 * JOIN, but in its parts: the pairs, and the rows of each side that have no match.
 */
function outerJoinInParts(type: 'LEFT' | 'RIGHT' | 'FULL', left: Side, right: Side, on: string): Relation {
  const [ofLeft, ofRight] = [columnsOfSide(left), columnsOfSide(right)];
  const [first, second] = [fromItem(left.rows), fromItem(right.rows)];
  const nulls = (columns: readonly string[]) => columns.map((name) => `NULL AS ${name}`);
  const select = (columns: readonly string[]) => `SELECT ${columns.join(', ') || '1 AS c0'}`;
  const alone = (rows: string, others: string) =>
    `FROM ${rows} WHERE NOT EXISTS (SELECT 1 FROM ${others} WHERE ${on})`;
  const parts = [`${select([...ofLeft, ...ofRight])} FROM ${first} CROSS JOIN ${second} WHERE ${on}`];
  if (type !== 'RIGHT') parts.push(`${select([...ofLeft, ...nulls(ofRight)])} ${alone(first, second)}`);
  if (type !== 'LEFT') parts.push(`${select([...nulls(ofLeft), ...ofRight])} ${alone(second, first)}`);
  const rows = relation(`(${parts.join(' UNION ALL ')})`);
  return { ...rows, fields: new Map([left, right].flatMap((side) => [...side.rows.fields])) };
}

function ofSides(sides: readonly Side[], ctes: string, from: string): Relation {
  const columns = sides.flatMap(columnsOfSide).join(', ') || '1 AS c0';
  const rows = relation(`(WITH ${ctes} SELECT ${columns} FROM ${from})`);
  return { ...rows, fields: new Map(sides.flatMap((side) => [...side.rows.fields])) };
}

function columnsOfSide({ rows, columns }: Side): string[] {
  const isThere = (column: string) => rows.others !== '' || rows.select.has(column);
  const values = columns.filter((column) => isThere(column) && rows.fields.get(column)?.isValue !== false);
  return [...values, ...[...rows.fields.values()].flatMap(({ names }) => names)];
}

/**
 * Joins a single row by adding its expressions to the other side's SELECT: a time bound in it then reaches the other
 * side's scan.
 */
function crossJoin(left: Factor, right: Factor): Relation {
  if (isExpressions(left)) return beside(right.rows, left.rows);
  if (isExpressions(right)) return beside(left.rows, right.rows);
  const [first, second] = [left, right].map(({ rows }) => productSide(fromItem(rows)));
  return joinedAs(`${first} CROSS JOIN ${second}`, left.rows, right.rows);
}

/** A side of a product. */
interface Factor {
  readonly rows: Relation;
  /** Whether its expressions have the same values wherever they are evaluated. */
  readonly isMovable: boolean;
}

function joinedAs(from: string, left: Relation, right: Relation): Relation {
  const rows = relation(`(${from})`);
  return {
    ...rows,
    times: new Map([...left.times, ...right.times]),
    fields: new Map([...left.fields, ...right.fields]),
  };
}

function isExpressions({ rows: source, isMovable }: Factor): boolean {
  if (!isMovable) return false;
  const whole = source.where.length === 0 && source.limit === '' && source.offset === '';
  return whole && source.from === singleRow && source.groupBy === undefined && source.ctes.length === 0;
}

function beside(rows: Relation, single: Relation): Relation {
  const columns = [...single.select].map(([name, sql]) => named(sql, name));
  return continued(rows, withColumns(fromItem(rows), columns));
}
