import { textRange } from '../../../sql/plan/parse-tree.ts';
import { syntaxNodesOf } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../../../sql/resolved/node.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { tokens } from '../../../sql/text/lexer.ts';
import type { PlacedText } from '../../../sql/text/place.ts';
import { timestampLiteral } from '../../../sql/text/sql-text.ts';
import type { TextEdit } from './text-edits.ts';

/** The functions that ask for the present, and the conversion of a TIMESTAMP that gives their result. */
const conversions: ReadonlyMap<string, string> = new Map([
  ['current_timestamp', 'TIMESTAMP'],
  ['current_date', 'DATE'],
  ['current_datetime', 'DATETIME'],
  ['current_time', 'TIME'],
]);

/**
 * Replaces `CURRENT_TIMESTAMP` and related functions by conversions of a fixed time, to the time zone of the call if it has one.
 *
 * @param parsed the parse tree of the query
 * @param now in microseconds since the epoch
 * @throws UnsupportedError for such a function in the definition of another one, which is not in the tree
 */
export function clockEdits(
  { sql, functionsEnd = 0 }: Pick<PlacedText, 'sql' | 'functionsEnd'>,
  parsed: AnyNode,
  now: bigint,
): TextEdit[] {
  const time = timestampLiteral(now);
  const bytes = Buffer.from(sql);
  for (const { text } of tokens(bytes.subarray(0, functionsEnd).toString()))
    if (conversions.has(text.replaceAll('`', '').toLowerCase()))
      throw unsupported(`${text} in the definition of a function, at a time that is given`);
  return syntaxNodesOf('ast_function_call_node', parsed).flatMap((call) => {
    const name = asMessage(asList(asMessage(call.function, 'function').names, 'names').at(-1), 'name');
    const conversion = conversions.get(String(name.id_string).toLowerCase());
    const range = textRange(name);
    if (conversion === undefined || range === undefined) return [];
    if (call.is_current_date_time_without_parentheses === true)
      return [{ ...range, text: `${conversion}(${time})` }];
    const bracket = range.end + bytesOfFirstToken(bytes.subarray(range.end).toString());
    const comma = asList(call.arguments, 'arguments').length > 0 ? ', ' : '';
    return [
      { ...range, text: conversion },
      { start: bracket, end: bracket, text: `${time}${comma}` },
    ];
  });
}

/** The bytes of a text up to the end of its first token. */
function bytesOfFirstToken(text: string): number {
  const [first] = tokens(text);
  return Buffer.byteLength(text.slice(0, first?.end ?? 0));
}
