import { nodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../resolved/node.ts';
import { gap } from '../text/gap.ts';
import { applyThresholds } from './aggregation-thresholds.ts';
import { declaredGroup } from './declared-functions.ts';
import { noteGrouping } from './grouping-notes.ts';

const quantified = /^ZetaSQL:\$like_(any|all)(_array)?$/;

/** A quantified LIKE whose patterns are the rows of a subquery. */
const overRows = new RegExp(`^like${gap}(?:any|some|all)${gap}\\(${gap}(?:select|with)\\b`, 'i');

/**
 * Gives names of their own to quantified LIKEs that the analyzer doesn't distinguish:
 *
 * - It takes `x NOT LIKE ANY (...)` for `NOT (x LIKE ANY (...))`. BigQuery documents that it's true if `x` doesn't match
 *   one of the patterns. It becomes `$not_like_any`.
 * - It takes the subquery of `x LIKE ANY (SELECT ...)` for a single pattern. It becomes `$like_any_rows`, with an array.
 */
function nameQuantifiedLikes(statement: AnyNode, sql: string): void {
  const text = Buffer.from(sql);
  const calls = nodesOf('resolved_function_call_node', statement);
  for (const call of calls) nameRows(call, text);
  for (const call of calls) nameNegation(call);
}

/** Operators are located at their keyword, NOT before an expression at the whole expression. */
function place(call: AnyNode): { readonly start: number; readonly end: number } {
  const node = asMessage(asMessage(base(call).parent, 'parent').parent ?? {}, 'parent');
  const { start, end } = asMessage(node.parse_location_range ?? {}, 'parse_location_range');
  return { start: Number(start), end: Number(end) };
}

function base(call: AnyNode): AnyNode {
  return asMessage(call.parent, 'parent');
}

function nameOf(call: AnyNode): string {
  return String(asMessage(base(call).function, 'function').name);
}

function rename(call: AnyNode, name: string): void {
  Object.assign(asMessage(base(call).function, 'function'), { name: `${declaredGroup}:${name}` });
}

function nameRows(call: AnyNode, text: Buffer): void {
  const [, quantifier] = quantified.exec(nameOf(call)) ?? [];
  const { start } = place(call);
  if (quantifier === undefined || !overRows.test(text.subarray(start).toString())) return;
  const patterns = unwrap(asMessage(asList(base(call).argument_list, 'argument_list')[1], 'argument_list'));
  if (patterns.kind !== 'resolved_subquery_expr_node') return;
  const expression = asMessage(patterns.message.parent, 'parent');
  const type = { type_kind: 'TYPE_ARRAY', array_type: { element_type: expression.type } };
  Object.assign(expression, { type });
  Object.assign(patterns.message, { subquery_type: 'ARRAY' });
  rename(call, `$like_${quantifier}_rows`);
}

function nameNegation(not: AnyNode): void {
  const { start, end } = place(not);
  if (nameOf(not) !== 'ZetaSQL:$not' || end - start !== 'like'.length) return;
  const { kind, message: like } = unwrap(
    asMessage(asList(base(not).argument_list, 'argument_list')[0], 'argument_list'),
  );
  const [, name] =
    kind === 'resolved_function_call_node' ? (/:\$(like_(?:any|all)\w*)$/.exec(nameOf(like)) ?? []) : [];
  if (name === undefined) return;
  const { argument_list, collation_list } = base(like);
  Object.assign(base(not), { argument_list, collation_list });
  rename(not, `$not_${name}`);
}

/**
 * Adds what the analyzer leaves out to a resolved statement, in place: the conditions of aggregation thresholds, facts of
 * grouping sets, and the kinds of quantified LIKEs.
 *
 * @param sql the text that was analyzed
 * @throws AnalyzerError for options of a threshold that aren't supported
 */
export function annotateStatement(statement: AnyNode, sql: string): void {
  if (/aggregation_threshold/i.test(sql)) applyThresholds(statement, sql);
  if (/rollup|cube|grouping/i.test(sql)) noteGrouping(statement);
  if (/\b(?:any|some|all)\b/i.test(sql)) nameQuantifiedLikes(statement, sql);
}
