import { createHash } from 'node:crypto';
import type { AnyNode } from '../sql/resolved/node.ts';

/**
 * Fields of a resolved tree in JSON that tell how a query was written, not what it means. A quotation mark within a
 * value has a backslash before it, so that no value looks like one of them.
 */
const wording = /"(?:parse_location_range":\{[^{}]*\}|alias":"(?:[^"\\]|\\.)*"),?/g;

/** A resolved statement, condensed to a key: statements of one key mean the same. */
export function queryKey(statement: AnyNode): { readonly key: string; readonly size: number } {
  const tree = JSON.stringify(statement);
  const meaning = tree.replace(wording, '');
  return { key: createHash('sha256').update(meaning).digest('base64url'), size: tree.length };
}
