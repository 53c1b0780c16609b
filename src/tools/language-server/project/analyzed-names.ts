import { textRange } from '../../../sql/plan/parse-tree.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { nodesOf, resolvedLeaves, visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { columnFromProto } from '../../../sql/resolved/result-columns.ts';
import { UnsupportedError } from '../../../sql/resolved/unsupported.ts';
import { typeFromProto } from '../../../sql/resolved/value-from-proto.ts';
import { originalByte } from '../../../sql/text/rewriting.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';

/** What the analyzer found about the names of a query. Offsets are UTF-8 bytes from the start of the query. */
export interface AnalyzedNames {
  /** The columns of the entries of WITH clauses, by lower-case name. */
  readonly entries: ReadonlyMap<string, readonly Column[]>;
  /** The types of columns and fields, by the end of their names. */
  readonly names: ReadonlyMap<number, SqlType>;
  /** The types of the longest expressions that end at an offset. */
  readonly expressions: ReadonlyMap<number, SqlType>;
}

/** Expressions that are names or paths. */
const nameNodes: ReadonlySet<string> = new Set([
  'resolved_column_ref_node',
  'resolved_get_struct_field_node',
]);

/** Reads the types of names from the tree of a plan. Types that BigQuery lacks are left out. */
export function analyzedNames(plan: Plan): AnalyzedNames {
  const statement = statementOf(plan);
  const rewriting = plan.origin?.rewriting;
  const place = (byte: number) => (rewriting === undefined ? byte : originalByte(rewriting, byte));
  const names = new Map<number, SqlType>();
  const longest = new Map<number, { readonly start: number; readonly type: SqlType }>();
  visitFields(statement, resolvedLeaves, (field, value) => {
    if (!/^resolved_\w+_node$/.test(field) || typeof value !== 'object' || value === null) return;
    const range = textRange(value);
    const type = range && typeOfExpression(value as AnyNode);
    if (range === undefined || type === undefined) return;
    const [start, end] = [place(range.start), place(range.end)];
    if (start === undefined || end === undefined) return;
    if (nameNodes.has(field)) names.set(end, type);
    const other = longest.get(end);
    if (other === undefined || start < other.start) longest.set(end, { start, type });
  });
  const expressions = new Map([...longest].map(([end, { type }]) => [end, type]));
  return { entries: entriesIn(statement), names, expressions };
}

/** The type of a node, which a base type has if the node is an expression. */
export function typeOfExpression(node: AnyNode): SqlType | undefined {
  let base: unknown = node;
  while (typeof base === 'object' && base !== null) {
    const { type, parent } = base as AnyNode;
    if (typeof type === 'object' && type !== null && 'type_kind' in type) {
      return orUndefined(() => typeFromProto(type as AnyNode));
    }
    base = parent;
  }
  return undefined;
}

function entriesIn(statement: AnyNode): ReadonlyMap<string, readonly Column[]> {
  const entries = nodesOf('resolved_with_scan_node', statement).flatMap((scan) =>
    asList(scan.with_entry_list, 'with_entry_list'),
  );
  return new Map(
    entries.flatMap((each) => {
      const entry = asMessage(each, 'with_entry');
      const columns = orUndefined(() => columnsOf(asMessage(entry.with_subquery, 'with_subquery')));
      return columns === undefined ? [] : [[String(entry.with_query_name).toLowerCase(), columns]];
    }),
  );
}

function columnsOf(scan: AnyNode): readonly Column[] {
  // A base type of each scan has its columns.
  let base: AnyNode = unwrap(scan).message;
  while (!('column_list' in base)) base = asMessage(base.parent, 'parent');
  return asList(base.column_list, 'column_list').map((column) =>
    columnFromProto(asMessage(column, 'column')),
  );
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}
