import { convert } from '../../functions/conversions.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed, type Expression } from '../expression.ts';

export const cast: ExpressionEmitter = (node, emitter) => {
  if (node.has('format')) throw node.refusal('FORMAT');
  if (node.has('type_modifiers')) throw node.refusal('a type with parameters');
  const value = emitter.expression(node.child('expr'));
  const zone = node.optionalChild('time_zone');
  const type = node.type();
  const sql = convert(value.type, type, {
    value: value.sql,
    safe: node.flag('return_null_on_error'),
    zone: zone && emitter.expression(zone),
  });
  return sql === value.sql ? unchanged(value, type) : computed(sql, type, value.repetition + 1);
};

/** A value that is the same in the other type, too; a constant's form depends on its type. */
function unchanged(value: Expression, type: Expression['type']): Expression {
  const same = value.type.kind === type.kind || value.constant === null;
  return { ...value, type, constant: same ? value.constant : undefined };
}
