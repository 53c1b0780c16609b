import { computed } from '../../dialect/expression.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { jsonMember } from '../../udf/json/extract-functions.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';

/** `json.field` as JSON: JSON null stays, a missing field is NULL. */
export const getJsonField: ExpressionEmitter = (node, emitter) => {
  const json = emitter.expression(node.child('expr'));
  const member = jsonMember.call([json.sql, stringLiteral(node.text('field_name'))]);
  return computed(member, node.type(), json.weight);
};
