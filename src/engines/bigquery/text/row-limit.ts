import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import type { Value } from '../../../sql/values/value.ts';
import type { TextEdit } from './text-edits.ts';

/** Where a query's rows can be limited without changing which come first. */
export type LimitPlace =
  | { readonly kind: 'none'; readonly end: number }
  | { readonly kind: 'literal'; readonly range: TextRange; readonly rows: bigint }
  | { readonly kind: 'parameter'; readonly range: TextRange; readonly name: string };

/**
 * The position of the LIMIT that determines the number of rows: that of the query, or that of the parenthesised query
 * that it consists of, which also contains the ORDER BY.
 *
 * @param parsed the parse tree of a query statement
 * @throws UnsupportedError for an unknown form of limit
 */
export function limitPlace(parsed: AnyNode): LimitPlace {
  const { kind, message } = unwrap(parsed);
  if (kind !== 'ast_query_statement_node' && parsed.ast_query_statement_node === undefined) {
    throw unsupported('a statement with hints', 0);
  }
  let query = asMessage(asMessage(message.ast_query_statement_node ?? message, 'statement').query, 'query');
  for (;;) {
    if (query.limit_offset) return ownLimit(asMessage(query.limit_offset, 'limit_offset'));
    const inner = query.order_by ? undefined : bracketed(query);
    if (inner === undefined) return { kind: 'none', end: rangeOf(query).end };
    query = inner;
  }
}

/** The query that another one only wraps: `(query)`, or `SELECT * FROM (query)`. */
function bracketed(query: AnyNode): AnyNode | undefined {
  const { kind, message } = unwrap(asMessage(query.query_expr, 'query_expr'));
  if (kind === 'ast_query_node') return message;
  return kind === 'ast_select_node' ? wholeSubquery(message) : undefined;
}

const partsOfPlainSelect = new Set(['parent', 'distinct', 'select_list', 'from_clause']);
const partsOfPlainSubquery = new Set(['parent', 'subquery', 'alias']);

function wholeSubquery(select: AnyNode): AnyNode | undefined {
  if (select.distinct === true || hasOthers(select, partsOfPlainSelect) || !select.from_clause)
    return undefined;
  const columns = asList(asMessage(select.select_list, 'select_list').columns, 'columns');
  const [column] = columns;
  if (columns.length !== 1 || !isStar(asMessage(column, 'columns').expression)) return undefined;
  const table = asMessage(asMessage(select.from_clause, 'from_clause').table_expression, 'table_expression');
  const { kind, message } = unwrap(table);
  if (kind !== 'ast_table_subquery_node' || hasOthers(message, partsOfPlainSubquery)) return undefined;
  return asMessage(message.subquery, 'subquery');
}

function isStar(expression: unknown): boolean {
  return unwrap(asMessage(expression, 'expression')).kind === 'ast_star_node';
}

function hasOthers(node: AnyNode, known: ReadonlySet<string>): boolean {
  return Object.keys(node).some(
    (field) => !known.has(field) && node[field] !== undefined && node[field] !== null,
  );
}

/** A LIMIT is an integer or a parameter, possibly in a CAST. */
function ownLimit(clause: AnyNode): LimitPlace {
  const whole = asMessage(clause.limit, 'limit');
  const range = rangeOf(unwrap(whole).message);
  let { kind, message } = unwrap(whole);
  while (kind === 'ast_cast_expression_node') {
    ({ kind, message } = unwrap(asMessage(message.expr, 'expr')));
  }
  if (kind === 'ast_int_literal_node') return { kind: 'literal', range, rows: BigInt(imageOf(message)) };
  if (kind === 'ast_parameter_expr_node') {
    const { id_string } = asMessage(message.name, 'name');
    return { kind: 'parameter', range, name: String(id_string) };
  }
  throw unsupported('this LIMIT', range.start);
}

/** One of a literal's base types contains its text. */
function imageOf(literal: AnyNode): string {
  for (let level: unknown = literal; level; level = asMessage(level, 'parent').parent) {
    const { image } = asMessage(level, 'literal');
    if (typeof image === 'string') return image;
  }
  throw new TypeError('The parse tree is malformed: a literal without its text');
}

function rangeOf(node: AnyNode): TextRange {
  const range = textRange(node);
  if (range === undefined) throw new TypeError('The parse tree is malformed: a node without its place');
  return range;
}

/**
 * The edit that limits a query to `rows` rows. Undefined if it has no more anyway.
 *
 * @param parameterValue returns the value of a parameter
 */
export function limitEdit(
  place: LimitPlace,
  rows: number,
  parameterValue: (parameter: string) => Value | undefined,
): TextEdit | undefined {
  if (place.kind === 'none') return { start: place.end, end: place.end, text: `\nLIMIT ${rows}` };
  const own = ownRows(place, parameterValue);
  // BigQuery refuses invalid numbers of rows.
  return own !== undefined && own > rows ? { ...place.range, text: String(rows) } : undefined;
}

/** The rows that a query with this limit has if there are enough. Undefined if its limit isn't a number. */
export function wantedRows(
  place: LimitPlace,
  rows: number,
  parameterValue: (parameter: string) => Value | undefined,
): number | undefined {
  if (place.kind === 'none') return rows;
  const own = ownRows(place, parameterValue);
  return own === undefined ? undefined : Math.min(rows, Number(own));
}

function ownRows(
  place: Exclude<LimitPlace, { kind: 'none' }>,
  parameterValue: (parameter: string) => Value | undefined,
): bigint | number | undefined {
  return place.kind === 'literal' ? place.rows : rowsOf(parameterValue(place.name));
}

/** The value cast to INT64, as far as large numbers of rows require. */
function rowsOf(value: Value | undefined): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  if (typeof value === 'string' && /^\s*\+?(?:\d+(?:\.\d+)?|0x[\da-f]+)\s*$/i.test(value)) {
    return Number(value.trim().replace(/^\+/, ''));
  }
  return undefined;
}
