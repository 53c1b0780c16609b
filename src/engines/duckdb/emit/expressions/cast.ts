import { convert } from '../../functions/conversions.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import type { Expression } from '../expression.ts';
import { overArguments } from './bound-arguments.ts';

export const cast: ExpressionEmitter = (node, emitter) => {
  if (node.has('format')) throw node.refusal('FORMAT');
  if (node.has('type_modifiers')) throw node.refusal('a type with parameters');
  const value = emitter.expression(node.child('expr'));
  const zone = node.optionalChild('time_zone');
  const type = node.type();
  const safe = node.flag('return_null_on_error');
  const zones = zone === undefined ? [] : [emitter.expression(zone)];
  return overArguments([value, ...zones], type, ([from = value, zone]) => {
    const sql = convert(from.type, type, { value: from.sql, constant: from.constant, safe, zone });
    return sql === from.sql ? unchanged(from, type) : sql;
  });
};

/** A value that is the same in the other type, too; a constant's form depends on its type. */
function unchanged(value: Expression, type: Expression['type']): Expression {
  const same = value.type.kind === type.kind || value.constant === null;
  return { ...value, type, constant: same ? value.constant : undefined };
}
