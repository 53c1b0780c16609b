import { createHash } from 'node:crypto';
import type { AnyNode } from '../sql/resolved/node.ts';

/**
 * Fields of a resolved tree in JSON that tell how a query was written, not what it means. A quotation mark within a
 * value has a backslash before it, so that no value looks like one of them.
 */
const wording = /"(?:parse_location_range":\{[^{}]*\}|alias":"(?:[^"\\]|\\.)*"),?/g;

/** Numbers that JSON has no form for, or takes for others: NaN, the infinities, -0. */
const lostNumber = /"double_value":(?:null|0)[,}]/;

/** A resolved statement, condensed to a key: statements of one key mean the same. */
export function queryKey(statement: AnyNode): string {
  const tree = JSON.stringify(statement);
  const exact = lostNumber.test(tree) ? JSON.stringify(statement, numberAsText) : tree;
  const meaning = exact.replace(wording, '');
  return createHash('sha256').update(meaning).digest('base64url');
}

function numberAsText(_key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Object.is(value, -0) ? '-0' : String(value);
}
