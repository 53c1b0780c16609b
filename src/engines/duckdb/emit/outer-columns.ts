import { columnFromProto } from '../../../sql/resolved/column.ts';
import { type AnyNode, asList, asMessage } from '../../../sql/resolved/node.ts';
import { nodesOf } from '../../../sql/tree-nodes.ts';
import { columnName } from './column-name.ts';
import { fieldPathOf } from './flat/column-uses.ts';
import { fieldColumn } from './flat/field-column.ts';
import { columnId } from './scan-columns.ts';

/** Messages in which no expression stands. */
const leaves = new Set(['type', 'column', 'signature', 'value', 'function', 'subquery']);

const fieldKind = 'resolved_get_struct_field_node';

/** Rows with copies of outer columns. */
interface WithOuterColumns {
  readonly from: string;
  /** The star that selects the rows without the copies. */
  readonly star: string;
}

/**
 * The rows of a FROM item with those columns of outer queries beside them that the expressions use. DuckDB takes an
 * aggregate over nothing but outer columns for one of the outer query, and takes none in a window.
 *
 * @param expressions parts of the tree as they arrived
 * @param fieldColumns the columns that hold fields of records by themselves
 */
export function withOuterColumns(
  fromItem: string,
  expressions: unknown,
  fieldColumns: ReadonlySet<string>,
): WithOuterColumns {
  const found = outerColumns(expressions, fieldColumns);
  if (found.size === 0) return { from: fromItem, star: '*' };
  const names = [...found];
  // By way of another name: in one step the alias would stand for itself.
  const [copies, renamed, passing] = [
    names.map((name) => `${name} AS ${outerName(name)}`),
    names.map((name) => `${outerName(name)} AS ${name}`),
    names.map(outerName),
  ];
  return {
    from: `(SELECT * EXCLUDE (${passing.join(', ')}), ${renamed.join(', ')}
      FROM (SELECT *, ${copies.join(', ')} FROM ${fromItem}))`,
    star: `* EXCLUDE (${names.join(', ')})`,
  };
}

/** @param name quoted or not */
function outerName(name: string): string {
  return name.startsWith('"') ? `"outer_${name.slice(1)}` : `outer_${name}`;
}

/**
 * The names of the columns of queries around that expressions use.
 *
 * @param fieldColumns as for {@link withOuterColumns}
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
    // What a subquery uses from outside of it is in its list of parameters.
    if (message.subquery !== undefined) collectFields(message, names, fieldColumns);
    for (const field in message) if (!leaves.has(field)) collect(message[field], names, fieldColumns);
  }
}

/** The fields that a subquery uses of columns that come from outside of the query around it. */
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
