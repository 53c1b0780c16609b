import type { ResolvedQuery } from '../../plan/resolved-query.ts';
import { meaningOf } from '../../resolved/meaning.ts';
import { type AnyNode, asMessage, fieldsOf, unwrap, withField } from '../../resolved/node.ts';
import { isPopulated } from '../../resolved/populated.ts';
import { withoutFields } from './calls.ts';
import type { ColumnKeys } from './column-keys.ts';
import { isVolatile, normalQuery } from './normal-query.ts';
import { both } from './normal-scan.ts';
import { rebuilt } from './rebuilt.ts';

/**
 * Whether two queries are proved to have the same result over the same rows: their trees are equal, or become equal by rewrites
 * that keep the meaning. If not, they can still mean the same.
 */
export function haveSameMeaning(before: ResolvedQuery, after: ResolvedQuery): boolean {
  if (meaningOf(before) === meaningOf(after)) return true;
  // What is computed once or for each row makes a difference to random numbers.
  if (isUnpredictable(before) || isUnpredictable(after)) return false;
  return normalMeaning(before.statement) === normalMeaning(after.statement);
}

/** Whether a query may have another result in each run: it reads random numbers, or calls what may. */
export function isUnpredictable({ statement, definitions }: ResolvedQuery): boolean {
  return definitions.length > 0 || isVolatile(statement);
}

function normalMeaning(statement: AnyNode): string {
  const { statement: query, entries, keys } = normalQuery(statement, true);
  const replace = (message: AnyNode) => filtersAbove(message, keys);
  const normal = {
    query: rebuilt(query, replace),
    entries: [...entries.values()].map((entry) => rebuilt(entry, replace)),
  };
  return meaningOf({ statement: normal, definitions: [] });
}

const filterKind = 'resolved_filter_scan_node';

/**
 * Conditions of inner joins, and filters of what is joined, as filters of the join. The rows of an outer join's left side can be
 * filtered before or after it.
 */
function filtersAbove(scan: AnyNode, keys: ColumnKeys): AnyNode {
  const { kind, message } = unwrap(scan);
  const fields = fieldsOf(message);
  if (isPopulated(fields.hint_list) || isPopulated(fields.is_lateral)) return scan;
  if (kind === filterKind) return overFilter(scan, keys);
  const isArray = kind === 'resolved_array_scan_node';
  if (kind !== 'resolved_join_scan_node' && !isArray) return scan;
  const join = isArray ? (fields.is_outer === true ? 'LEFT' : 'INNER') : (fields.join_type ?? 'INNER');
  if (join !== 'INNER' && join !== 'LEFT') return scan;
  const conditions: AnyNode[] = [];
  let rest = message;
  const sides = isArray ? ['input_scan'] : join === 'INNER' ? ['left_scan', 'right_scan'] : ['left_scan'];
  for (const side of sides) {
    const input = fields[side];
    if (!isPopulated(input)) continue;
    const below = unwrap(asMessage(input, side));
    if (below.kind !== filterKind || isPopulated(fieldsOf(below.message).hint_list)) continue;
    conditions.push(asMessage(fieldsOf(below.message).filter_expr, 'filter_expr'));
    rest = withField(rest, side, fieldsOf(below.message).input_scan);
  }
  if (join === 'INNER' && isPopulated(fields.join_expr)) {
    conditions.push(asMessage(fields.join_expr, 'join_expr'));
    rest = withoutFields(rest, ['join_expr']);
  }
  const [first, ...others] = conditions;
  if (first === undefined) return scan;
  let condition = first;
  for (const other of others) {
    const joined = both(condition, other, keys);
    if (joined === undefined) return scan;
    condition = joined;
  }
  return {
    node: filterKind,
    [filterKind]: { parent: {}, input_scan: { ...scan, [kind]: rest }, filter_expr: condition },
  };
}

function overFilter(filter: AnyNode, keys: ColumnKeys): AnyNode {
  const outer = fieldsOf(unwrap(filter).message);
  const below = unwrap(asMessage(outer.input_scan, 'input_scan'));
  const condition = asMessage(outer.filter_expr, 'filter_expr');
  if (below.kind !== filterKind)
    return {
      node: filterKind,
      [filterKind]: { parent: {}, input_scan: outer.input_scan, filter_expr: condition },
    };
  const inner = fieldsOf(below.message);
  const joined = both(condition, asMessage(inner.filter_expr, 'filter_expr'), keys);
  if (joined === undefined) return filter;
  return {
    node: filterKind,
    [filterKind]: { parent: {}, input_scan: inner.input_scan, filter_expr: joined },
  };
}
