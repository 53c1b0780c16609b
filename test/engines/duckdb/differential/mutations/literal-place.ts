import { type TextRange, textRange } from '../../../../../src/sql/plan/parse-tree.ts';
import { syntaxNodesOf, visitFields } from '../../../../../src/sql/plan/tree-nodes.ts';
import { type AnyNode, asList } from '../../../../../src/sql/resolved/node.ts';

/** The types of literals, in the spelling of `CAST`. A literal NULL has none. */
export type LiteralType =
  | 'INT64'
  | 'FLOAT64'
  | 'STRING'
  | 'BYTES'
  | 'BOOL'
  | 'NUMERIC'
  | 'BIGNUMERIC'
  | 'JSON'
  | 'DATE'
  | 'DATETIME'
  | 'TIME'
  | 'TIMESTAMP'
  | 'NULL';

/** A literal in a query. */
export interface LiteralPlace extends TextRange {
  readonly type: LiteralType;
  /** Where a table can be put into the FROM clause around it, with the text before and behind. */
  readonly table?: { readonly at: number; readonly before: string; readonly behind: string };
}

const kinds: Readonly<Record<string, LiteralType>> = {
  ast_int_literal_node: 'INT64',
  ast_float_literal_node: 'FLOAT64',
  ast_string_literal_node: 'STRING',
  ast_bytes_literal_node: 'BYTES',
  ast_boolean_literal_node: 'BOOL',
  ast_numeric_literal_node: 'NUMERIC',
  ast_bignumeric_literal_node: 'BIGNUMERIC',
  ast_json_literal_node: 'JSON',
  ast_null_literal_node: 'NULL',
};

/** The literals of a query, in text order. */
export function literalPlaces(sql: string, statement: AnyNode): readonly LiteralPlace[] {
  const selects = selectsOf(sql, statement);
  const positions = positionsOf(statement);
  const places: LiteralPlace[] = [];
  visitFields(statement, new Set(), (field, node) => {
    const type = kinds[field] ?? (field === 'ast_date_or_time_literal_node' ? timeType(node) : undefined);
    const range = type && textRange(node);
    if (type === undefined || range === undefined || positions.has(range.start)) return;
    const around = selects.find(({ start, end }) => start <= range.start && range.end <= end);
    places.push({ ...range, type, ...(around && { table: around.table }) });
  });
  return places.sort((a, b) => a.start - b.start);
}

/** Where keys of an ORDER BY begin. A literal there is a column's position: another value would leave the order open. */
function positionsOf(statement: AnyNode): ReadonlySet<number> {
  const starts = new Set<number>();
  visitFields(statement, new Set(), (field, keys) => {
    if (field !== 'ordering_expressions') return;
    for (const key of asList(keys, field)) starts.add(textRange(key)?.start ?? -1);
  });
  return starts;
}

function timeType(node: unknown): LiteralType | undefined {
  const kind = String((node as { type_kind?: unknown }).type_kind).replace('TYPE_', '');
  return (['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'] as const).find((type) => type === kind);
}

interface Select extends TextRange {
  readonly table: NonNullable<LiteralPlace['table']>;
}

/** Innermost first. */
function selectsOf(sql: string, statement: AnyNode): readonly Select[] {
  const bytes = Buffer.from(sql);
  const found = syntaxNodesOf('ast_select_node', statement).flatMap((node): Select[] => {
    const [range, from, list] = [node, node.from_clause, node.select_list].map((each) => textRange(each));
    if (range === undefined) return [];
    if (from === undefined) {
      return list === undefined ? [] : [{ ...range, table: { at: list.end, before: ' from ', behind: ' ' } }];
    }
    const [keyword = ''] = /^from\s*/i.exec(bytes.subarray(from.start, from.end).toString()) ?? [];
    return [{ ...range, table: { at: from.start + keyword.length, before: '', behind: ', ' } }];
  });
  return found.sort((a, b) => a.end - a.start - (b.end - b.start));
}
