import { type FunctionCall, literalValue } from '../fold/expression.ts';

/** Calls that take an element of an array: the position of the first one, and whether there need not be one. */
export const elementCalls: Readonly<Record<string, { readonly first: bigint; readonly isSafe: boolean }>> = {
  $array_at_offset: { first: 0n, isSafe: false },
  $array_at_ordinal: { first: 1n, isSafe: false },
  $safe_array_at_offset: { first: 0n, isSafe: true },
  $safe_array_at_ordinal: { first: 1n, isSafe: true },
};

/** Which element a call takes, counted from zero; undefined where it takes none, or its position is no constant. */
export function elementPosition({ name, arguments: [, position] }: FunctionCall): number | undefined {
  const call = Object.hasOwn(elementCalls, name) ? elementCalls[name] : undefined;
  if (call === undefined || position === undefined) return undefined;
  const value = literalValue(position);
  return typeof value === 'bigint' ? Number(value - call.first) : undefined;
}
