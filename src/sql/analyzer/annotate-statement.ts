import type { AnyNode } from '../resolved/node.ts';
import { noteGrouping } from './grouping-notes.ts';
import { nameQuantifiedLikes } from './quantified-like.ts';

/**
 * Adds what the analyzer leaves out to a resolved statement, in place: facts of grouping sets, and the kinds of
 * quantified LIKEs.
 *
 * @param sql the text that was analyzed
 */
export function annotateStatement(statement: AnyNode, sql: string): void {
  if (/rollup|cube|grouping/i.test(sql)) noteGrouping(statement);
  if (/\b(?:any|some|all)\b/i.test(sql)) nameQuantifiedLikes(statement, sql);
}
