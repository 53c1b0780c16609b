import { isKeywordType, keywordFromProto } from '../../../../sql/resolved/keyword.ts';
import { asMessage } from '../../../../sql/resolved/node.ts';
import { valueFromProto } from '../../../../sql/resolved/value-from-proto.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { type Constant, fixed } from '../../dialect/constant.ts';
import { constantExpression } from '../../dialect/expression.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';

/** A constant in the query's text. A keyword such as DAY becomes a string with its name. */
export const literal: ExpressionEmitter = (node) => {
  const value = asMessage(node.message('value').value, 'value');
  const type = node.message('type');
  if (isKeywordType(type))
    return constantExpression({ kind: 'STRING' }, fixed(keywordFromProto(type, value)));
  return constantExpression(node.type(), fixed(valueFromProto(node.type(), value)));
};

export const parameter: ExpressionEmitter = (node, emitter) => {
  const name = node.text('name');
  if (node.has('position') || name === '') throw node.refusal('a parameter without a name');
  if (node.flag('is_untyped')) throw node.refusal(`the undeclared parameter ${name}`);
  const type = node.type();
  for (const [declared, constant] of emitter.context.parameters) {
    if (declared.toLowerCase() === name.toLowerCase()) return constantExpression(type, constant);
  }
  throw new TypeError(`The parameter ${name} has no value`);
};

/** A precomputed value. */
export const constant: ExpressionEmitter = (node) =>
  constantExpression(node.raw('type') as SqlType, (node.raw('constant') as () => Constant)());
