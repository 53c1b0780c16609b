import type { Value } from '../../../../sql/values/value.ts';
import type { Expression } from '../../dialect/expression.ts';
import type { Macro } from '../../macros/macro.ts';
import type { AggregateCall } from './aggregate-call.ts';
import type { FunctionCall } from './function-call.ts';

/** How to emit a scalar function of the allow-list. */
export interface FunctionEntry {
  /** Returns the SQL of a call, of exactly the DuckDB type of the call's type, or a simplified expression. */
  readonly emit: (call: FunctionCall) => string | Expression;
  /** Whether the SAFE. prefix is supported: the function can't fail, or `emit` uses `call.safe`. */
  readonly safe: boolean;
  /** Whether it can't fail, whatever its arguments. If it depends on constants: by the values of the arguments after the first. */
  readonly isTotal?: boolean | ((others: readonly Value[]) => boolean);
  /** Whether unneeded arguments must not be evaluated, as in CASE. */
  readonly lazy?: boolean;
}

export type FunctionEntries = Readonly<Record<string, FunctionEntry>>;

/** How to emit an aggregate or analytic function. */
export type AggregateEntry = (call: AggregateCall) => string;

export type AggregateEntries = Readonly<Record<string, AggregateEntry>>;

type Emit = FunctionEntry['emit'];

/** A function that can't fail. */
export function total(emit: Emit): FunctionEntry {
  return { emit, safe: true, isTotal: true };
}

/** A function that can't fail with some constants after its first argument. */
export function totalWith(isTotal: (others: readonly Value[]) => boolean, emit: Emit): FunctionEntry {
  return { emit, safe: true, isTotal };
}

/** A function that uses `call.safe`. */
export function guarded(emit: Emit): FunctionEntry {
  return { emit, safe: true };
}

/** A function that can fail and has no safe variant: SAFE. is refused. */
export function failing(emit: Emit): FunctionEntry {
  return { emit, safe: false };
}

/** A function that can't fail and evaluates only the arguments that it needs. */
export function lazy(emit: Emit): FunctionEntry {
  return { emit, safe: true, isTotal: true, lazy: true };
}

/** A SQL template in which `$1` stands for the first argument. */
export function template(text: string): (call: FunctionCall) => string {
  return (call) => text.replace(/\$(\d)/g, (_, index) => call.sql(Number(index) - 1));
}

/**
 * A macro or a function in JavaScript with the same arguments as the function. A macro that raises no error can't fail: that
 * there is no memory for its value depends on what else runs.
 */
export function macro(definition: Pick<Macro, 'call'> & Partial<Pick<Macro, 'isFallible'>>): FunctionEntry {
  const emit: Emit = (call) => {
    const args = call.all().map((argument) => argument.sql);
    return definition.call(args, call.safe);
  };
  return definition.isFallible === false ? total(emit) : guarded(emit);
}
