import { convert } from '../../functions/conversions.ts';
import { castWithFormat } from '../../functions/format-cast.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import type { Expression } from '../expression.ts';
import { overArguments } from './bound-arguments.ts';

export const cast: ExpressionEmitter = (node, emitter) => {
  if (node.has('type_modifiers')) throw node.refusal('a type with parameters');
  const value = emitter.expression(node.child('expr'));
  const format = node.optionalChild('format');
  const zoneNode = node.optionalChild('time_zone');
  const zone = zoneNode === undefined ? undefined : emitter.expression(zoneNode);
  const type = node.type();
  const safe = node.flag('return_null_on_error');
  if (format !== undefined) {
    const given = [value, emitter.expression(format), ...(zone === undefined ? [] : [zone])];
    const { now } = emitter.context;
    return overArguments(given, type, ([from = value, pattern = value, where]) =>
      castWithFormat({ value: from, type, format: pattern, zone: where, safe, now }),
    );
  }
  return overArguments([value, ...(zone === undefined ? [] : [zone])], type, ([from = value, where]) => {
    const sql = convert(from.type, type, { value: from.sql, constant: from.constant, safe, zone: where });
    return sql === from.sql ? unchanged(from, type) : sql;
  });
};

/** A value that is the same in the other type, too; a constant's form depends on its type. */
function unchanged(value: Expression, type: Expression['type']): Expression {
  const same = value.type.kind === type.kind || value.constant === null;
  return { ...value, type, constant: same ? value.constant : undefined };
}
