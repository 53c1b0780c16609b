import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Emitted } from '../../dialect/expression.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { continued, fromItem, type Relation, relation, withColumns } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';
import { volatileValues } from '../volatile/volatile-values.ts';

/** UNNEST, alone or joined with the rows of a relation. */
export const arrayScan: ScanEmitter = (node, emitter) => {
  const input = node.optionalChild('input_scan');
  if (input === undefined) {
    const array = emitter.expression(node.child('array_expr'));
    const unnested = unnest(array, outputs(node), node.flag('is_outer'));
    return relation(`(SELECT ${unnested})`);
  }
  return unnestBeside(emitter.scan(input), node, emitter);
};

/** UNNEST joined with the rows of its input scan. */
export function unnestBeside(source: Relation, node: ResolvedNode, emitter: Emitter): Relation {
  const outer = node.flag('is_outer');
  const array = emitter.expression(node.child('array_expr'));
  const condition = joinCondition(node, emitter);
  if (condition === 'true') {
    return continued(
      source,
      withColumns(fromItem(source), [{ ...array, sql: unnest(array, outputs(node), outer) }]),
    );
  }
  const elements = `(SELECT ${unnest(array, outputs(node), false)})`;
  const values = volatileValues(node, emitter);
  const pairs = values.length === 0 ? elements : withColumns(elements, values);
  const columns = Object.values(outputs(node)).filter((name) => name !== undefined);
  const lateral = `(SELECT ${values.length === 0 ? '*' : columns.join(', ')} FROM ${pairs} WHERE ${condition})`;
  const join = outer ? 'LEFT' : 'INNER';
  return continued(source, `(${fromItem(source)} ${join} JOIN LATERAL ${lateral} ON true)`);
}

interface Outputs {
  readonly element: string;
  readonly offset: string | undefined;
}

function outputs(node: ResolvedNode): Outputs {
  const offset = node.optionalChild('array_offset_column');
  return {
    element: columnName(node.column('element_column')),
    offset: offset && columnName(offset.column('column')),
  };
}

function joinCondition(node: ResolvedNode, emitter: Emitter): string {
  const condition = node.optionalChild('join_expr');
  if (condition === undefined) return 'true';
  const { constant, sql } = emitter.expression(condition);
  return constant?.value === true ? 'true' : sql;
}

/** The select list that makes a row for each element. With `outer`, an empty array makes one row with NULL. */
function unnest(array: Emitted, { element, offset }: Outputs, outer: boolean): string {
  const list = array.sql;
  const elements = outer ? `CASE WHEN len(${list}) > 0 THEN ${list} ELSE [NULL] END` : list;
  const columns = [`unnest(${elements}) AS ${element}`];
  if (offset !== undefined) {
    const indexes = `range(len(${list}))`;
    const all = outer
      ? `CASE WHEN len(${list}) > 0 THEN ${indexes} ELSE CAST([NULL] AS BIGINT[]) END`
      : indexes;
    columns.push(`unnest(${all}) AS ${offset}`);
  }
  return columns.join(', ');
}
