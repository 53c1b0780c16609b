import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../../sql/type.ts';
import type { FunctionEntry } from '../../functions/entry.ts';
import { FunctionCall } from '../../functions/function-call.ts';
import { scalarFunctions } from '../../functions/scalar-functions.ts';
import { macroDatabase } from '../../macros/macro.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed, deepest, type Expression } from '../expression.ts';
import { argumentsOf } from './arguments.ts';
import { functionName } from './function-name.ts';

/** From here on, repeated arguments are bound to a name before they are used. */
const maxRepetition = 3;

export const functionCall: ExpressionEmitter = (node, emitter) => {
  const { key, label } = functionName(node);
  const entry = Object.hasOwn(scalarFunctions, key) ? scalarFunctions[key] : undefined;
  if (entry === undefined) throw unsupported(`the function ${label}`);
  const safe = node.choice('error_mode', ['DEFAULT_ERROR_MODE', 'SAFE_ERROR_MODE']) === 'SAFE_ERROR_MODE';
  if (safe && !entry.safe) throw unsupported(`the prefix SAFE. before ${label}`);
  const type = node.type();
  const emit = (args: readonly Expression[]) => {
    const call = new FunctionCall(label, args, type, { safe, now: emitter.context.now });
    const result = entry.emit(call);
    call.assertRead();
    return result;
  };
  return withoutRepetition(entry, argumentsOf(node, emitter), type, emit);
};

function withoutRepetition(
  entry: FunctionEntry,
  args: readonly Expression[],
  type: SqlType,
  emit: (args: readonly Expression[]) => string | Expression,
): Expression {
  const result = emit(args);
  if (typeof result !== 'string') return result;
  const repetition = deepest(args);
  if (!repeats(result, args)) return computed(result, type, repetition);
  if (repetition < maxRepetition || entry.lazy) return computed(result, type, repetition + 1);
  return computed(bound(args, emit), type, 1);
}

/** Whether an argument stands in the SQL more than once, or in the call of a macro, which may repeat it. */
function repeats(sql: string, args: readonly Expression[]): boolean {
  const calls = (text: string) => text.split(`${macroDatabase}.main.`).length - 1;
  const inside = args.reduce((count, argument) => count + calls(argument.sql), 0);
  if (calls(sql) > inside) return true;
  return args.some((argument) => argument.repetition > 0 && sql.split(argument.sql).length > 2);
}

/**
 * The call with its repetitive arguments under a name: a list of one struct, transformed by a lambda. A
 * dozen nested calls that use their argument twice each would be thousands of expressions otherwise.
 */
function bound(
  args: readonly Expression[],
  emit: (args: readonly Expression[]) => string | Expression,
): string {
  const named = args.map((argument, i) =>
    argument.repetition === 0 ? argument : computed(`b.a${i}`, argument.type, 0),
  );
  const fields = args.flatMap(({ repetition, sql }, i) => (repetition === 0 ? [] : [`a${i} := ${sql}`]));
  const result = emit(named);
  const body = typeof result === 'string' ? result : result.sql;
  return `list_extract(list_transform([struct_pack(${fields.join(', ')})], lambda b: ${body}), 1)`;
}
