import { columnFromProto } from '../../../sql/resolved/column.ts';
import { type AnyNode, asMessage } from '../../../sql/resolved/node.ts';
import { columnName } from './column-name.ts';

/** Messages in which no expression stands. */
const leaves = new Set(['type', 'column', 'signature', 'value', 'function', 'subquery']);

/** Rows with copies of outer columns. */
export interface WithOuterColumns {
  readonly from: string;
  /** The star that selects the rows without the copies. */
  readonly star: string;
}

/**
 * The rows of a FROM item with those columns of outer queries beside them that the expressions use. DuckDB takes an
 * aggregate over nothing but outer columns for one of the outer query, and takes none in a window.
 *
 * @param expressions parts of the tree as they arrived
 */
export function withOuterColumns(fromItem: string, expressions: unknown): WithOuterColumns {
  const found = outerColumns(expressions);
  if (found.size === 0) return { from: fromItem, star: '*' };
  const names = [...found];
  // By way of another name: in one step the alias would stand for itself.
  const [copies, renamed, passing] = [
    names.map((name) => `${name} AS outer_${name}`),
    names.map((name) => `outer_${name} AS ${name}`),
    names.map((name) => `outer_${name}`),
  ];
  return {
    from: `(SELECT * EXCLUDE (${passing.join(', ')}), ${renamed.join(', ')}
      FROM (SELECT *, ${copies.join(', ')} FROM ${fromItem}))`,
    star: `* EXCLUDE (${names.join(', ')})`,
  };
}

/** The names of the columns of queries around that expressions use. */
export function outerColumns(expressions: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  collect(expressions, found);
  return found;
}

function collect(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) {
    for (const element of part) collect(element, names);
  } else if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) {
    const message = part as AnyNode;
    if (message.is_correlated === true && message.column !== undefined)
      names.add(columnName(columnFromProto(asMessage(message.column, 'column'))));
    // What a subquery uses from outside of it is in its list of parameters.
    for (const field in message) if (!leaves.has(field)) collect(message[field], names);
  }
}
