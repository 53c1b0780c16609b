import { jsonMember } from '../../functions/json-path.ts';
import { stringLiteral } from '../../literal.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed } from '../expression.ts';

/** `json.field`, which is JSON again: JSON null stays, a missing field is NULL. */
export const getJsonField: ExpressionEmitter = (node, emitter) => {
  const json = emitter.expression(node.child('expr'));
  const path = jsonMember(node.text('field_name'));
  return computed(
    `CAST(json_extract(${json.sql}, ${stringLiteral(path)}) AS VARCHAR)`,
    node.type(),
    json.weight,
  );
};
