import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { fixed } from '../../dialect/constant.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { computed, constantExpression, totalWeight, wholeWeight } from '../../dialect/expression.ts';
import { structField } from '../../functions/call/struct-field.ts';
import type { Emitter, ExpressionEmitter } from '../emitter/emitter.ts';
import { fieldOf, recordValue } from '../emitter/flat-record.ts';
import { recordAt } from '../flat/record-at.ts';
import { columnName } from '../pieces/column-name.ts';
import { fieldColumn } from '../pieces/field-column.ts';

export const makeStruct: ExpressionEmitter = (node, emitter) => {
  const type = node.type();
  if (type.kind !== 'STRUCT') throw node.refusal(type.kind);
  const fields = node.list('field_list').map((field) => emitter.expression(field));
  // DuckDB's struct_pack fails if it loses the name of a field, as in aggregates of correlated subqueries.
  const row = `row(${fields.map(({ sql }) => sql).join(', ')})`;
  return computed(`CAST(${row} AS ${duckType(type)})`, type, totalWeight(fields));
};

/** The column with a single field of a record. Undefined if there is none. */
function fieldColumnOf(node: ResolvedNode, emitter: Emitter): string | undefined {
  if (emitter.form.kind !== undefined || emitter.fieldColumns.size === 0) return undefined;
  const positions: number[] = [];
  let part = node;
  while (part.kind === 'resolved_get_struct_field_node') {
    positions.unshift(part.integer('field_idx'));
    part.type();
    part = part.child('expr');
  }
  if (part.kind !== 'resolved_column_ref_node') return undefined;
  part.type();
  const column = fieldColumn(columnName(part.column('column')), positions.join('.'));
  return emitter.fieldColumns.has(column) ? column : undefined;
}

export const getStructField: ExpressionEmitter = (node, emitter) => {
  const record = recordAt(node.child('expr'), emitter);
  if (record !== undefined) {
    const field = fieldOf(record, node.integer('field_idx'));
    if (typeof field === 'string') return computed(field, node.type(), 1);
    return computed(recordValue(field), node.type(), wholeWeight);
  }
  const column = fieldColumnOf(node, emitter);
  if (column !== undefined) return computed(column, node.type(), 0);
  const struct = emitter.expression(node.child('expr'));
  const index = node.integer('field_idx');
  if (struct.constant?.isNull) return constantExpression(node.type(), fixed(null));
  return computed(structField(struct.sql, index, node.type()), node.type(), struct.weight);
};
