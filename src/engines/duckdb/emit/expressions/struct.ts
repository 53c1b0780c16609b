import { duckType } from '../../duck-type.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed, totalWeight, wholeWeight } from '../expression.ts';
import { fieldOf, recordValue } from '../flat/flat-record.ts';
import { recordAt } from '../flat/record-at.ts';

export const makeStruct: ExpressionEmitter = (node, emitter) => {
  const type = node.type();
  if (type.kind !== 'STRUCT') throw node.refusal(type.kind);
  const fields = node.list('field_list').map((field) => emitter.expression(field));
  // DuckDB's struct_pack fails where it loses the name of a field, as it does in aggregates of correlated subqueries.
  const row = `row(${fields.map(({ sql }) => sql).join(', ')})`;
  return computed(`CAST(${row} AS ${duckType(type)})`, type, totalWeight(fields));
};

export const getStructField: ExpressionEmitter = (node, emitter) => {
  const record = recordAt(node.child('expr'), emitter);
  if (record !== undefined) {
    const field = fieldOf(record, node.integer('field_idx'));
    if (typeof field === 'string') return computed(field, node.type(), 1);
    return computed(recordValue(field), node.type(), wholeWeight);
  }
  const struct = emitter.expression(node.child('expr'));
  const index = node.integer('field_idx');
  return computed(`struct_extract_at(${struct.sql}, ${index + 1})`, node.type(), struct.weight);
};
