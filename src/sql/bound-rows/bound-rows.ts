import type { Plan } from '../plan/plan.ts';
import { nodesOf, visitFields } from '../plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  columnIds,
  fieldsOf,
  idOf,
  isPresent,
  messageOf,
  messages,
  unwrap,
} from '../resolved/node.ts';
import {
  branchesOf,
  callOf,
  conditional,
  emptyTested,
  isTrue,
  otherValues,
  parameterName,
  preserving,
  subqueriesOf,
  valueLeaves,
} from './conditions.ts';
import {
  allBound,
  common,
  equated,
  type Group,
  type Groups,
  group,
  holder,
  inAny,
  isSubset,
  known,
  merged,
  newOrigin,
  renamed,
  type Side,
  sharesColumn,
  union,
  within,
  withRowsIn,
} from './row-groups.ts';

/**
 * The declared parameters that restrict every row of a query: a row is there only if a value of it equals the
 * parameter's. That is so for a condition in `WHERE`, `HAVING`, `QUALIFY` or the `ON` of an inner join, if all rows must
 * fulfil it: the value of a column `=` one made from the parameter alone, `IN`, or `REGEXP_CONTAINS(column, @parameter)`.
 * Rows of other tables count as restricted where equal columns join them to restricted ones (`JOIN`, `IN (SELECT …)`,
 * correlated `EXISTS`). Tests whether the parameter is NULL or empty count as false, since keys are not bound to such values.
 *
 * Anything that is not known to restrict does not: other comparisons, negations, columns of aggregates, other scans. Rows
 * without a table, as of `SELECT 1`, need no restriction.
 */
export function parametersOfAllRows(statement: AnyNode, declared: Plan['parameters']): ReadonlySet<string> {
  // GoogleSQL ignores the letter case of parameters' names.
  const names = new Set([...declared.keys()].map((name) => name.toLowerCase()));
  const bound = new BoundRows(statement, names).ofStatement();
  return new Set([...declared.keys()].filter((name) => bound.has(name.toLowerCase())));
}

class BoundRows {
  readonly #statement: AnyNode;
  readonly #declared: ReadonlySet<string>;
  /** Columns whose values are made from a parameter alone, and the parameter. */
  readonly #given = new Map<string, string>();
  /** The queries of all WITH entries, by names that the analyzer has made unique. */
  readonly #entries: ReadonlyMap<string, AnyNode>;
  /** What the enclosing recursive entries have returned so far. */
  readonly #recursions: { readonly group: Group; readonly columns: readonly string[] }[] = [];

  constructor(statement: AnyNode, declared: ReadonlySet<string>) {
    this.#statement = statement;
    this.#declared = declared;
    const entries = nodesOf('resolved_with_scan_node', statement).flatMap((scan) =>
      messages(scan, 'with_entry_list'),
    );
    this.#entries = new Map(
      entries.map((entry) => [String(entry.with_query_name), messageOf(entry, 'with_subquery')]),
    );
  }

  ofStatement(): ReadonlySet<string> {
    return this.#boundOf(this.#rows(messageOf(unwrap(this.#statement).message, 'query')));
  }

  /** The parameters that restrict all of the rows. */
  #boundOf(groups: Groups): ReadonlySet<string> {
    const stored = groups.filter(({ isStored }) => isStored);
    return stored.length === 0 ? this.#declared : common(stored.map(({ bound }) => bound));
  }

  #rows(node: AnyNode): Groups {
    const { kind, message } = unwrap(node);
    const scan = fieldsOf(message);
    const input = () => this.#rows(messageOf(scan, 'input_scan'));
    switch (kind) {
      case 'resolved_single_row_scan_node':
        return [];
      case 'resolved_table_scan_node':
        return [group({ columns: columnIds(scan) })];
      case 'resolved_order_by_scan_node':
      case 'resolved_limit_offset_scan_node':
      case 'resolved_sample_scan_node':
        return input();
      case 'resolved_with_scan_node':
        return this.#rows(messageOf(scan, 'query'));
      case 'resolved_filter_scan_node':
        return this.#restricted(input(), messageOf(scan, 'filter_expr'));
      case 'resolved_project_scan_node':
        return this.#computed(input(), messages(scan, 'expr_list'));
      case 'resolved_join_scan_node':
        return this.#joined(scan);
      case 'resolved_array_scan_node':
        return this.#unnested(scan);
      case 'resolved_aggregate_scan_node':
        return this.#aggregated(scan, input());
      case 'resolved_analytic_scan_node':
        return this.#analytic(scan, input());
      case 'resolved_set_operation_scan_node':
        return this.#combined(scan);
      case 'resolved_with_ref_scan_node':
        return this.#ofEntry(scan);
      case 'resolved_recursive_scan_node':
        return this.#recursive(scan);
      case 'resolved_recursive_ref_scan_node': {
        const last = this.#recursions.at(-1);
        if (last === undefined) return [group({})];
        return [{ ...last.group, origins: newOrigin(), columns: renamed(last, columnIds(scan)) }];
      }
      default:
        return [group({})];
    }
  }

  #ofEntry(scan: AnyNode): Groups {
    const entry = this.#entries.get(String(scan.with_query_name));
    if (entry === undefined) return [group({})];
    const groups = this.#rows(entry);
    const from = columnIds(unwrap(entry).message);
    const to = columnIds(scan);
    from.forEach((id, index) => {
      const name = this.#given.get(id);
      const column = to[index];
      if (name !== undefined && column !== undefined) this.#given.set(column, name);
    });
    return groups.map((each) => ({
      ...each,
      origins: newOrigin(),
      columns: renamed({ group: each, columns: from }, to),
    }));
  }

  #joined(scan: AnyNode): Groups {
    const type = String(scan.join_type ?? 'INNER');
    const sides = ['left_scan', 'right_scan'].map((field) => {
      const node = messageOf(scan, field);
      return { groups: this.#rows(node), visible: new Set(columnIds(unwrap(node).message)) };
    });
    const [first, second] = type === 'RIGHT' ? sides.toReversed() : sides;
    if (first === undefined || second === undefined) return [group({})];
    const all = [...first.groups, ...second.groups];
    // Rows without a match are there too. So nothing is known any more about columns of outer queries.
    if (type === 'FULL') {
      return sides.flatMap(({ groups, visible }) => groups.map((each) => within(each, visible)));
    }
    const matches = isPresent(scan.join_expr) ? this.#restricted(all, messageOf(scan, 'join_expr')) : all;
    if (type === 'INNER') return matches;
    const optional = second.groups.map((each) => ({ each, match: holder(matches, each) }));
    const kept = first.groups.map((each) => {
      const match = holder(matches, each);
      const joined = optional.filter((other) => other.match === match).map((other) => other.each);
      return {
        ...each,
        isStored: [each, ...joined].some(({ isStored }) => isStored),
        columns: union([each.columns, ...joined.map((other) => within(other, second.visible).columns)]),
      };
    });
    const apart = optional.filter(
      ({ match }) => !first.groups.some((each) => holder(matches, each) === match),
    );
    return [...kept, ...apart.map(({ match }) => within(match, second.visible))];
  }

  #unnested(scan: AnyNode): Groups {
    const input = isPresent(scan.input_scan) ? this.#rows(messageOf(scan, 'input_scan')) : [];
    const element = { column: scan.element_column, expr: scan.array_expr };
    const array = this.#columnsOf(messageOf(scan, 'array_expr'));
    const groups = this.#computed(array === undefined ? input : known(input, array), [element]);
    if (scan.is_outer === true || !isPresent(scan.join_expr)) return groups;
    return this.#restricted(groups, messageOf(scan, 'join_expr'));
  }

  #aggregated(scan: AnyNode, input: Groups): Groups {
    const keys = messages(scan, 'group_by_list');
    const groups = this.#computed(this.#computed(input, keys), messages(scan, 'aggregate_list'), false);
    const hasTotals =
      keys.length === 0 ||
      ['grouping_set_list', 'rollup_column_list'].some((field) => messages(scan, field).length > 0);
    // A total is there even without rows, and has no keys.
    return hasTotals ? groups.map((each) => ({ ...each, columns: new Set<string>() })) : groups;
  }

  /** Window functions see all rows of a partition, also those that a later condition drops. */
  #analytic(scan: AnyNode, input: Groups): Groups {
    const windows = messages(scan, 'function_group_list');
    let groups = input;
    for (const window of windows) {
      groups = this.#computed(groups, messages(window, 'analytic_function_list'), false);
    }
    const seen = windows.flatMap((window) => {
      const partition = isPresent(window.partition_by) ? messageOf(window, 'partition_by') : {};
      const keys = new Set(messages(partition, 'partition_by_list').map((key) => idOf(key.column)));
      return input
        .filter(({ isStored }) => isStored)
        .map((each) => ({ ...within(each, keys), origins: newOrigin() }));
    });
    return [...groups, ...seen];
  }

  #combined(scan: AnyNode): Groups {
    const items = messages(scan, 'input_item_list').map((item) => this.#part(item, columnIds(scan)));
    const [first] = items;
    const type = String(scan.op_type ?? '');
    if (first === undefined) return [group({})];
    if (type.startsWith('EXCEPT')) return [first];
    if (type.startsWith('UNION')) return [inAny(items)];
    const stored = items.filter(({ isStored }) => isStored);
    return stored.length === 0 || !type.startsWith('INTERSECT') ? [inAny(items)] : [merged(stored)];
  }

  /** A part of a set operation as one group, with the columns of the operation. */
  #part(item: AnyNode, to: readonly string[]): Group {
    const groups = this.#rows(messageOf(item, 'scan'));
    const stored = groups.filter(({ isStored }) => isStored);
    const all = group({
      isStored: stored.length > 0,
      columns: common(stored.map(({ columns }) => columns)),
      bound: this.#boundOf(groups),
    });
    const columns = messages(item, 'output_column_list').map(idOf);
    return { ...all, columns: union([all.columns, renamed({ group: all, columns }, to)]) };
  }

  /** The rows of the first term, and those that the other makes from them: what holds for all of them still holds then. */
  #recursive(scan: AnyNode): Groups {
    const columns = columnIds(scan);
    let result = this.#part(messageOf(scan, 'non_recursive_term'), columns);
    for (;;) {
      this.#recursions.push({ group: result, columns });
      const more = this.#part(messageOf(scan, 'recursive_term'), columns);
      this.#recursions.pop();
      const next = inAny([result, more]);
      const isSame =
        next.bound.size === result.bound.size &&
        next.columns.size === result.columns.size &&
        next.isStored === result.isStored;
      if (isSame) return [result];
      result = next;
    }
  }

  /** The groups with computed columns, and with the rows that subqueries in the expressions read. */
  #computed(input: Groups, computed: readonly AnyNode[], areValues = true): Groups {
    let groups = input;
    for (const each of computed) {
      const expr = messageOf(each, 'expr');
      const column = idOf(each.column);
      for (const subquery of subqueriesOf(expr)) {
        const inner = this.#rows(messageOf(subquery, 'subquery'));
        const apart = inner.filter((other) => !groups.some((outer) => sharesColumn(outer, other)));
        groups = [
          ...groups.map((outer) => ({
            ...outer,
            isStored: outer.isStored || inner.some((other) => other.isStored && sharesColumn(outer, other)),
          })),
          ...apart,
        ];
      }
      if (!areValues) continue;
      const given = this.#givenOf(expr);
      if (given !== undefined) this.#given.set(column, given);
      const columns = this.#columnsOf(expr);
      if (columns === undefined) continue;
      groups = groups.map((group) =>
        isSubset(columns, group.columns)
          ? { ...group, columns: union([group.columns, new Set([column])]) }
          : group,
      );
    }
    return groups;
  }

  /** The groups of the rows that fulfil a condition. */
  #restricted(groups: Groups, condition: AnyNode): Groups {
    const { kind, message } = unwrap(condition);
    if (kind === 'resolved_literal_node') return isTrue(message) ? groups : allBound(groups, this.#declared);
    if (kind === 'resolved_subquery_expr_node') return this.#inSubquery(groups, message);
    if (kind !== 'resolved_function_call_node') return groups;
    const { name, args } = callOf(message);
    const empty = emptyTested(name, args);
    if (empty !== undefined) return allBound(groups, new Set([empty]));
    const [first, second] = args;
    if (name === '$and') return args.reduce((rest: Groups, each) => this.#restricted(rest, each), groups);
    const branches = branchesOf(name, args);
    if (branches !== undefined) {
      return this.#inAnyCase(
        groups,
        branches.map((all) => () => all.reduce((rest: Groups, each) => this.#restricted(rest, each), groups)),
      );
    }
    if (first === undefined || second === undefined) return groups;
    const side = this.#side(first);
    switch (name) {
      case '$equal':
      case '$in_array':
        return equated(groups, side, this.#side(second));
      case '$is_not_distinct_from': {
        const other = this.#side(second);
        // Rows with NULL are equal too.
        const isGiven = side.given !== undefined || other.given !== undefined;
        return isGiven ? equated(groups, side, other) : groups;
      }
      case '$in':
        return this.#inAnyCase(
          groups,
          args.slice(1).map((element) => () => equated(groups, side, this.#side(element))),
        );
      case 'regexp_contains':
        return parameterName(second) === undefined || side.columns === undefined
          ? groups
          : equated(groups, side, { given: parameterName(second) });
      default:
        return groups;
    }
  }

  #inAnyCase(groups: Groups, cases: readonly (() => Groups)[]): Groups {
    const results = cases.map((each) => each());
    return groups.map((each) => ({
      ...each,
      bound: common(results.map((result) => holder(result, each).bound)),
    }));
  }

  #inSubquery(groups: Groups, subquery: AnyNode): Groups {
    const node = messageOf(subquery, 'subquery');
    if (subquery.subquery_type === 'EXISTS') return withRowsIn(groups, this.#rows(node));
    if (subquery.subquery_type !== 'IN') return groups;
    return equated(groups, this.#side(messageOf(subquery, 'in_expr')), this.#sideOfRows(node));
  }

  #sideOfRows(node: AnyNode): Side {
    const groups = this.#rows(node);
    const [column = ''] = columnIds(unwrap(node).message);
    return { given: this.#given.get(column), columns: new Set([column]), groups };
  }

  #side(expr: AnyNode): Side {
    const { kind, message } = unwrap(expr);
    if (kind === 'resolved_subquery_expr_node' && (message.subquery_type ?? 'SCALAR') === 'SCALAR') {
      return this.#sideOfRows(messageOf(message, 'subquery'));
    }
    return { given: this.#givenOf(expr), columns: this.#columnsOf(expr) };
  }

  /** The only parameter from which a value is made, by functions that give different values for different arguments. */
  #givenOf(expr: AnyNode): string | undefined {
    const { kind, message } = unwrap(expr);
    if (kind === 'resolved_parameter_node') return parameterName(expr);
    if (kind === 'resolved_column_ref_node') return this.#given.get(idOf(message.column));
    if (kind === 'resolved_cast_node') return this.#givenOf(messageOf(message, 'expr'));
    if (kind !== 'resolved_function_call_node') return undefined;
    const { name, args } = callOf(message);
    const [first] = args;
    // Parameters to which a key is bound are not NULL.
    if (name === 'coalesce' || name === 'ifnull') return first && parameterName(first);
    const isArray = name === '$make_array';
    if (!isArray && !preserving.has(name)) return undefined;
    const others = args.filter((each) => isArray || unwrap(each).kind !== 'resolved_literal_node');
    const names = new Set(others.map((each) => this.#givenOf(each)));
    return names.size === 1 ? [...names][0] : undefined;
  }

  /** The columns from which a value is made, of which none can be ignored. */
  #columnsOf(expr: AnyNode): ReadonlySet<string> | undefined {
    const columns = new Set<string>();
    let isOther = false;
    visitFields(expr, valueLeaves, (field, value) => {
      if (otherValues.has(field)) isOther = true;
      else if (field === 'resolved_column_ref_node') columns.add(idOf(asMessage(value, field).column));
      else if (field === 'resolved_function_call_node') {
        const { name } = callOf(asMessage(value, field));
        if (name === '' || conditional.has(name)) isOther = true;
      }
    });
    const isGiven = [...columns].some((column) => this.#given.has(column));
    return isOther || isGiven || columns.size === 0 ? undefined : columns;
  }
}
