import type { SqlType } from '../../../../sql/values/type.ts';
import { withCalls } from '../../dialect/calls.ts';
import { computed, type Expression, totalWeight } from '../../dialect/expression.ts';
import { withNamedValues } from '../../macros/named-values.ts';

/** How often a macro repeats its argument, on average. */
const repetitions = 3;

/** Calls with a greater estimated weight bind their arguments to names. */
const maxWeight = 13;

/** Emits an expression for its arguments. */
type Emit = (args: readonly Expression[]) => string | Expression;

/**
 * Emits an expression that may repeat its arguments. DuckDB expands macros in place: a dozen nested calls that repeat
 * their argument three times would become half a million expressions.
 */
export function overArguments(args: readonly Expression[], type: SqlType, emit: Emit): Expression {
  const [result, calls] = withCalls(() => emit(args));
  if (typeof result !== 'string') return result;
  const weight = 1 + totalWeight(args);
  // A macro may repeat its arguments.
  if (!calls.macro && !repeats(result, args)) return computed(result, type, weight);
  if (weight * repetitions <= maxWeight) return computed(result, type, weight * repetitions);
  return computed(bound(args, emit), type, weight);
}

/** Characters that are searched for repeated arguments: in about a tenth of a second. */
const maxSearched = 100_000_000;

/** Whether the SQL contains an argument more than once. It counts as if it did when there is too much to search. */
function repeats(sql: string, args: readonly Expression[]): boolean {
  const searched = args.filter(({ weight }) => weight > 1);
  return (
    searched.length * sql.length > maxSearched ||
    searched.some(
      (argument) => sql.indexOf(argument.sql, sql.indexOf(argument.sql) + argument.sql.length) > 0,
    )
  );
}

/** The expression with its non-constant arguments bound to names. */
function bound(args: readonly Expression[], emit: Emit): string {
  const computedArgs = args
    .map(({ sql }, i) => [i, sql] as const)
    .filter(([i]) => args[i]?.constant === undefined);
  const emitOver = (named: Readonly<Record<string, string>>) => {
    const result = emit(
      args.map((argument, i) => {
        const sql = named[i];
        return sql === undefined ? argument : { ...argument, sql, weight: 1 };
      }),
    );
    return typeof result === 'string' ? result : result.sql;
  };
  return computedArgs.length === 0
    ? emitOver({})
    : withNamedValues('b', Object.fromEntries(computedArgs), emitOver);
}
