import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../../../../sql/resolved/node.ts';
import { columnFromProto } from '../../../../sql/resolved/result-columns.ts';
import { columnName } from '../pieces/column-name.ts';
import { fieldColumn } from '../pieces/field-column.ts';
import { fieldPathOf } from '../tree/column-uses.ts';
import { columnId } from '../tree/scan-columns.ts';

/** Messages that can't contain an expression. */
const leaves = new Set(['type', 'column', 'signature', 'value', 'function', 'subquery']);

const fieldKind = 'resolved_get_struct_field_node';

/** Rows with copies of outer columns. */
interface WithOuterColumns {
  readonly from: string;
  /** The names of the copies. */
  readonly copies: readonly string[];
}

/**
 * Adds copies of the outer queries' columns that expressions use to the rows of a FROM item. DuckDB assigns an
 * aggregate over only outer columns to the outer query, and allows none in a window.
 *
 * @param expressions parts of the tree as received
 * @param fieldColumns the columns with single fields of records
 */
export function withOuterColumns(
  fromItem: string,
  expressions: unknown,
  fieldColumns: ReadonlySet<string>,
): WithOuterColumns {
  const found = outerColumns(expressions, fieldColumns);
  if (found.size === 0) return { from: fromItem, copies: [] };
  const names = [...found];
  // Through another name: in one step the alias would refer to itself.
  const [copies, renamed, passing] = [
    names.map((name) => `${name} AS ${outerName(name)}`),
    names.map((name) => `${outerName(name)} AS ${name}`),
    names.map(outerName),
  ];
  return {
    from: `(SELECT * EXCLUDE (${passing.join(', ')}), ${renamed.join(', ')}
      FROM (SELECT *, ${copies.join(', ')} FROM ${fromItem}))`,
    copies: names,
  };
}

/** @param name quoted or not */
function outerName(name: string): string {
  return name.startsWith('"') ? `"outer_${name.slice(1)}` : `outer_${name}`;
}

/**
 * The names of outer queries' columns that expressions use.
 *
 * @param fieldColumns as in {@link withOuterColumns}
 */
export function outerColumns(
  expressions: unknown,
  fieldColumns: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const found = new Set<string>();
  collect(expressions, found, fieldColumns);
  return found;
}

function collect(part: unknown, names: Set<string>, fieldColumns: ReadonlySet<string>): void {
  if (Array.isArray(part)) {
    for (const element of part) collect(element, names, fieldColumns);
  } else if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) {
    const message = part as AnyNode;
    const field = typeof message.node === 'string' ? fieldPathOf(message) : undefined;
    const fieldName = field && fieldColumn(columnName({ id: field.column }), field.path);
    if (fieldName !== undefined && fieldColumns.has(fieldName)) {
      if (outerColumns(Object.values(message)).size > 0) names.add(fieldName);
      return;
    }
    if (message.is_correlated === true && message.column !== undefined)
      names.add(columnName(columnFromProto(asMessage(message.column, 'column'))));
    // A subquery's list of parameters contains the outer columns that it uses.
    if (message.subquery !== undefined) collectFields(message, names, fieldColumns);
    for (const field in message) if (!leaves.has(field)) collect(message[field], names, fieldColumns);
  }
}

/** The fields that a subquery uses of columns from outside the surrounding query. */
function collectFields(subquery: AnyNode, names: Set<string>, fieldColumns: ReadonlySet<string>): void {
  const outer = new Set(
    asList(subquery.parameter_list, 'parameter_list')
      .map((parameter) => asMessage(parameter, 'parameter'))
      .filter(({ is_correlated }) => is_correlated === true)
      .map(({ column }) => columnId(column)),
  );
  for (const message of nodesOf(fieldKind, subquery.subquery)) {
    const use = fieldPathOf({ node: fieldKind, [fieldKind]: message });
    if (use === undefined || !outer.has(use.column)) continue;
    const name = fieldColumn(columnName({ id: use.column }), use.path);
    if (fieldColumns.has(name)) names.add(name);
  }
}
