import { duckType, physicalFieldNames } from '../../duck-type.ts';
import { namedField } from '../../macros/named-values.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed, totalWeight } from '../expression.ts';

export const makeStruct: ExpressionEmitter = (node, emitter) => {
  const type = node.type();
  if (type.kind !== 'STRUCT') throw node.refusal(type.kind);
  duckType(type); // Refuses a STRUCT that DuckDB can't have.
  const names = physicalFieldNames(type);
  const fields = node.list('field_list').map((field) => emitter.expression(field));
  const items = fields.map(({ sql }, i) => namedField(names[i] ?? '', sql));
  return computed(`struct_pack(${items.join(', ')})`, type, totalWeight(fields));
};

export const getStructField: ExpressionEmitter = (node, emitter) => {
  const struct = emitter.expression(node.child('expr'));
  const index = node.integer('field_idx');
  return computed(`struct_extract_at(${struct.sql}, ${index + 1})`, node.type(), struct.weight);
};
