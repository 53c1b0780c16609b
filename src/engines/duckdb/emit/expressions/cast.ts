import { asMessage } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Expression } from '../../dialect/expression.ts';
import { convert } from '../../functions/conversions/conversions.ts';
import { constrain, type TypeParameters } from '../../functions/conversions/type-parameters.ts';
import { castWithFormat } from '../../functions/text/format-cast.ts';
import { isSizeConstant, workOfCast } from '../../functions/work.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';
import { overArguments } from './bound-arguments.ts';
import { inParts } from './in-parts.ts';

export const cast: ExpressionEmitter = (node, emitter) => {
  const parameters = typeParameters(node);
  const value = emitter.expression(node.child('expr'));
  const format = node.optionalChild('format');
  const zoneNode = node.optionalChild('time_zone');
  const zone = zoneNode === undefined ? undefined : emitter.expression(zoneNode);
  const type = node.type();
  const safe = node.flag('return_null_on_error');
  if (format !== undefined) {
    if (parameters !== undefined) throw node.refusal('a type with parameters and a format');
    const given = [value, emitter.expression(format), ...(zone === undefined ? [] : [zone])];
    const { now } = emitter.context;
    const whole = (args: readonly Expression[]) =>
      overArguments(args, type, ([from = value, pattern = value, where]) =>
        castWithFormat({ value: from, type, format: pattern, zone: where, safe, now }),
      );
    const work = ([from = value]: readonly Expression[]) => workOfCast(from, type);
    return inParts(given, type, work, whole, emitter.lambdas.isInside);
  }
  const given = [value, ...(zone === undefined ? [] : [zone])];
  const whole = (args: readonly Expression[]) =>
    overArguments(args, type, ([from = value, where]) => {
      const sql = convert(from.type, type, { value: from.sql, constant: from.constant, safe, zone: where });
      return sql === from.sql ? unchanged(from, type) : sql;
    });
  const work = ([from = value]: readonly Expression[]) => workOfCast(from, type);
  const result = inParts(given, type, work, whole, emitter.lambdas.isInside);
  const converted = isSizeConstant(value.type) ? { ...result, isShort: true } : result;
  if (parameters === undefined) return converted;
  if (safe) throw node.refusal('a type with parameters in SAFE_CAST');
  return overArguments([converted], type, ([result = converted]) => constrain(result.sql, type, parameters));
};

/** The parameters of the target type, such as those of `STRING(10)`. */
function typeParameters(node: ResolvedNode): TypeParameters | undefined {
  if (!node.has('type_modifiers')) return undefined;
  const modifiers = node.message('type_modifiers');
  const { string_type_parameters: text, numeric_type_parameters: decimal } = asMessage(
    modifiers.type_parameters ?? {},
    'type_parameters',
  );
  if (text !== undefined && text !== null)
    return { maxLength: BigInt(String(asMessage(text, 'parameters').max_length)) };
  if (decimal === undefined || decimal === null) throw node.refusal('a type with parameters');
  const { precision, scale } = asMessage(decimal, 'parameters');
  return { precision: BigInt(String(precision)), scale: BigInt(String(scale)) };
}

/**
 * A value with the same representation in the other type. Constants are converted, as their SQL depends on the type.
 */
function unchanged(value: Expression, type: Expression['type']): Expression {
  const same = value.type.kind === type.kind || value.constant?.isNull;
  return { ...value, type, constant: same ? value.constant : undefined };
}
