import { createHash } from 'node:crypto';
import type { AnyNode } from '../../sql/resolved/node.ts';

/**
 * Fields of a resolved tree in JSON that depend on a query's wording, not its meaning. Quotation marks within values
 * are escaped, so that no value can match.
 */
const wording = /"(?:parse_location_range":\{[^{}]*\}|alias":"(?:[^"\\]|\\.)*"),?/g;

/** Numbers that JSON can't represent or confuses: NaN, the infinities, -0. */
const lostNumber = /"double_value":(?:null|0)[,}]/;

/** Hashes a resolved statement. Statements with the same key mean the same. */
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
