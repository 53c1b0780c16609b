import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { placed, unsupported } from '../../../../sql/resolved/unsupported.ts';
import { aggregateFunctions } from '../../functions/aggregates/aggregates.ts';
import { windowFunctions } from '../../functions/aggregates/windows.ts';
import type { Window } from '../../functions/call/aggregate-call.ts';
import { refusedFunction } from '../../functions/refused-functions.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { functionName } from '../pieces/function-name.ts';
import { emitAggregate } from './aggregate-call.ts';

const functions = { ...aggregateFunctions, ...windowFunctions };

/** The SQL of a call with its `OVER (...)`. The caller emits the frame. */
export function analyticCall(node: ResolvedNode, emitter: Emitter, over: string, window: Window): string {
  const { key, label } = functionName(node);
  const entry = Object.hasOwn(functions, key) ? functions[key] : undefined;
  if (entry === undefined)
    throw placed(unsupported(refusedFunction('analytic function', key, label)), node.byteOffset);
  const modifiers = { order: [], limit: undefined, having: undefined, over, window };
  return emitAggregate({ key, label, entry }, node, emitter, modifiers);
}
