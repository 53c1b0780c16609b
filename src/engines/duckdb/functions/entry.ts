import type { Expression } from '../expression.ts';
import type { Macro } from '../macros/macro.ts';
import type { AggregateCall } from './aggregates/aggregate-call.ts';
import type { FunctionCall } from './function-call.ts';

/** How a scalar function of the allow-list is emitted. */
export interface FunctionEntry {
  /** The SQL of a call, of exactly the DuckDB type of the call's type; or an expression that was simplified. */
  readonly emit: (call: FunctionCall) => string | Expression;
  /** Whether the SAFE. prefix may stand before it: it can't fail, or `emit` uses `call.safe`. */
  readonly safe: boolean;
  /** Whether arguments that aren't needed must not be evaluated, as those of CASE. */
  readonly lazy?: boolean;
}

export type FunctionEntries = Readonly<Record<string, FunctionEntry>>;

/** How an aggregate or analytic function is emitted. */
export type AggregateEntry = (call: AggregateCall) => string;

export type AggregateEntries = Readonly<Record<string, AggregateEntry>>;

type Emit = FunctionEntry['emit'];

/** A function that can't fail. */
export function total(emit: Emit): FunctionEntry {
  return { emit, safe: true };
}

/** A function that uses `call.safe`. */
export function guarded(emit: Emit): FunctionEntry {
  return { emit, safe: true };
}

/** A function that can fail and has no form that doesn't: SAFE. is refused. */
export function failing(emit: Emit): FunctionEntry {
  return { emit, safe: false };
}

/** A function that can't fail and evaluates only what it needs. */
export function lazy(emit: Emit): FunctionEntry {
  return { emit, safe: true, lazy: true };
}

/** The SQL of a template in which `$1` stands for the first argument. */
export function template(text: string): (call: FunctionCall) => string {
  return (call) => text.replace(/\$(\d)/g, (_, index) => call.sql(Number(index) - 1));
}

/** A macro, or a function in JavaScript, that takes the function's arguments as they are. */
export function macro(definition: Pick<Macro, 'call'>): FunctionEntry {
  return guarded((call) => {
    const args = call.all().map((argument) => argument.sql);
    return definition.call(args, call.safe);
  });
}
