import { type FunctionCall, literalValue } from '../../fold/expression.ts';

/**
 * Calls that return an element of an array: the position of the first element, and whether a missing element is NULL.
 */
export const elementCalls: Readonly<Record<string, { readonly first: bigint; readonly isSafe: boolean }>> = {
  $array_at_offset: { first: 0n, isSafe: false },
  $array_at_ordinal: { first: 1n, isSafe: false },
  $safe_array_at_offset: { first: 0n, isSafe: true },
  $safe_array_at_ordinal: { first: 1n, isSafe: true },
};

/**
 * The index of the element that a call returns, starting at zero. Undefined for other calls, and for positions that are
 * not constant.
 */
export function elementPosition({ name, arguments: [, position] }: FunctionCall): number | undefined {
  const call = Object.hasOwn(elementCalls, name) ? elementCalls[name] : undefined;
  if (call === undefined || position === undefined) return undefined;
  const value = literalValue(position);
  return typeof value === 'bigint' ? Number(value - call.first) : undefined;
}
