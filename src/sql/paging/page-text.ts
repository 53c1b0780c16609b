import { rowAlias } from '../columns/row-alias.ts';
import { orderItem, type PageOrder } from '../plan/paging.ts';
import { type TextRange, textRange } from '../plan/parse-tree.ts';
import { type AnyNode, asMessage, isPresent, messageOf, unwrap } from '../resolved/node.ts';
import { functionsText } from '../text/function-definitions.ts';
import { identifier } from '../text/identifier.ts';
import type { PlacedText } from '../text/place.ts';
import { queryOnly } from '../text/query-only.ts';
import type { Column, SqlType } from '../values/type.ts';
import { afterCondition, type PlaceKinds } from './after-condition.ts';

/** A query whose rows are read in pages. */
export interface PagedQuery extends PlacedText {
  readonly columns: readonly Column[];
  readonly parameters: ReadonlyMap<string, SqlType>;
}

/** The text of a page's query. It has no LIMIT: the run reads as many rows as the page has. */
export interface PageText extends PlacedText {
  /** With those of the place. */
  readonly parameters: ReadonlyMap<string, SqlType>;
}

/** The names of the parameters with the values of a place, one for each key of the order. */
export function placeParameters(
  { keys }: PageOrder,
  parameters: ReadonlyMap<string, SqlType>,
): readonly string[] {
  const taken = new Set([...parameters.keys()].map((name) => name.toLowerCase()));
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  return keys.map((_, index) => free(`after_${index}`));
}

/**
 * The query of the rows after a place, or from the first one on: the query without its own ORDER BY and LIMIT as a table, of which the rows
 * are taken in the order. Its WITH clause stays the outermost.
 *
 * @param parsed the parse tree of the query without its functions
 * @param kinds those of the place's values; undefined for the first page
 */
export function pageText(
  query: PagedQuery,
  parsed: AnyNode,
  order: PageOrder,
  kinds: PlaceKinds | undefined,
): PageText {
  const { columns, functionsEnd = 0 } = query;
  const alias = rowAlias(columns, 'r');
  const names = placeParameters(order, query.parameters);
  const keys = order.keys.map((key, index) => ({
    ...key,
    sql: `${alias}.${identifier(key.name)}`,
    parameter: names[index] as string,
    kind: kinds?.[index] ?? ('value' as const),
  }));
  const where = kinds === undefined ? '' : `WHERE ${afterCondition(keys)}\n`;
  const items = keys.map((key) => orderItem(key.sql, key));
  const statement = asMessage(parsed.ast_query_statement_node, 'statement');
  const outermost = messageOf(statement, 'query');
  const range = rangeOf(outermost);
  const bytes = Buffer.from(queryOnly(query));
  const bodyStart = isPresent(outermost.with_clause)
    ? rangeOf(messageOf(outermost, 'with_clause')).end
    : range.start;
  for (const { start, end } of orderRanges(outermost)) blank(bytes, start, end);
  const functions = functionsText(query);
  const before = bytes.subarray(functionsEnd, bodyStart).toString();
  const body = bytes.subarray(bodyStart, range.end).toString();
  const ordered = items.length === 0 ? '' : `ORDER BY ${items.join(', ')}`;
  const sql = `${functions}${before}\nSELECT * FROM (\n${body}\n) AS ${alias}\n${where}${ordered}`;
  const ofPlace =
    kinds === undefined
      ? []
      : order.keys.map(({ type }, index) => [names[index] as string, { kind: type }] as const);
  return {
    sql,
    ...(functionsEnd > 0 && { functionsEnd }),
    parameters: new Map<string, SqlType>([...query.parameters, ...ofPlace]),
  };
}

/** Where a query has its own ORDER BY and LIMIT: it, or the query in brackets that it consists of. */
function orderRanges(query: AnyNode): readonly TextRange[] {
  const clauses = ['order_by', 'limit_offset'].filter((field) => isPresent(query[field]));
  const own = clauses.map((field) => rangeOf(messageOf(query, field)));
  const { kind, message } = unwrap(messageOf(query, 'query_expr'));
  if (kind !== 'ast_query_node' || clauses.includes('order_by')) return own;
  return [...own, ...orderRanges(message)];
}

function rangeOf(node: AnyNode): TextRange {
  const range = textRange(node);
  if (range === undefined) throw new TypeError('The parse tree is malformed: a node without its place');
  return range;
}

const newLines: ReadonlySet<number> = new Set([0x0a, 0x0d]);

/** Replaces a part of a text by spaces. Lines stay, so that a comment to the end of a line ends there. */
function blank(bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at++) if (!newLines.has(bytes[at] ?? 0)) bytes[at] = 0x20;
}
