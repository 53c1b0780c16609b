import { nodesByKind, nodesOf, resolvedLeaves, visitFields } from '../plan/tree-nodes.ts';
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
import { typeFromProto } from '../resolved/value-from-proto.ts';
import { isWithin, type KnownColumnsOf, UniqueKeys } from './unique-keys.ts';

/** Aggregates whose value is the same for any order of the rows. */
const orderless: ReadonlySet<string> = new Set([
  'count',
  'countif',
  'min',
  'max',
  'logical_and',
  'logical_or',
  'bit_and',
  'bit_or',
  'bit_xor',
  'grouping',
]);

/** Aggregates that are so for numbers that are added exactly. The sum of FLOAT64 depends on the order of the additions. */
const additive: ReadonlySet<string> = new Set(['sum', 'avg']);
const exact: ReadonlySet<string> = new Set(['INT64', 'NUMERIC', 'BIGNUMERIC']);

/** Window functions that have the same value for all rows that their order makes equal. */
const ofPeers: ReadonlySet<string> = new Set(['rank', 'dense_rank', 'percent_rank', 'cume_dist']);

/** Window functions whose value is the same in each run if the order of their window is total. */
const ofRows: ReadonlySet<string> = new Set([
  'row_number',
  'ntile',
  'lag',
  'lead',
  'first_value',
  'last_value',
  'nth_value',
]);

/** What decides which rows there are, by the kind of scan. */
const deciding: readonly (readonly [string, string])[] = [
  ['resolved_filter_scan_node', 'filter_expr'],
  ['resolved_join_scan_node', 'join_expr'],
  ['resolved_array_scan_node', 'join_expr'],
  ['resolved_array_scan_node', 'array_expr'],
  ['resolved_array_scan_node', 'array_expr_list'],
];

/** The nodes with which unstable values begin. */
const unstableKinds = [
  'resolved_analytic_function_call_node',
  'resolved_aggregate_function_call_node',
  'resolved_subquery_expr_node',
];

/** A LIMIT in an expression decides a value. */
const leavesOfRows: ReadonlySet<string> = new Set([...resolvedLeaves, 'resolved_subquery_expr_node']);

/**
 * The values of a statement that can differ between two runs over the same rows, because they depend on the order in which an
 * engine happens to read them: window functions whose order has ties, aggregates such as `ANY_VALUE` and sums of FLOAT64, arrays of a
 * subquery, and rows that a LIMIT in an expression takes.
 *
 * Reasons name the construct, such as `ANY_VALUE`.
 */
export class UnstableValues {
  readonly #statement: AnyNode;
  readonly #nodes: ReturnType<typeof nodesByKind>;
  /** Why columns are unstable. */
  readonly #columns = new Map<string, string>();
  /** Why calls of window functions are unstable. */
  readonly #windows = new Map<AnyNode, string>();

  constructor(statement: AnyNode, knownColumnsOf: KnownColumnsOf) {
    this.#statement = statement;
    this.#nodes = nodesByKind(statement);
    for (const scan of this.#nodes('resolved_analytic_scan_node')) {
      const isTotal = this.#totalWindows(scan, knownColumnsOf);
      for (const group of messages(scan, 'function_group_list'))
        this.#judgeWindow(group, () => isTotal(group));
    }
    this.#spread();
  }

  /** Why the values of a column are unstable. Undefined if they are not. */
  ofColumn(column: string): string | undefined {
    return this.#columns.get(column);
  }

  /** Why it depends on unstable values which rows there are. Undefined if it doesn't. */
  ofRows(): string | undefined {
    for (const [kind, field] of deciding) {
      for (const scan of this.#nodes(kind)) {
        const reason = isPresent(scan[field]) ? this.#reasonIn(scan[field]) : undefined;
        if (reason !== undefined) return reason;
      }
    }
    return this.#firstOf([...this.#groupedColumns(), ...this.#comparedColumns()]);
  }

  /** Whether a LIMIT decides which rows a part of the query reads, or an entry of a WITH clause does. */
  hasLimit(rows: AnyNode): boolean {
    const queries = [rows, ...withEntries(this.#nodes).map((entry) => messageOf(entry, 'with_subquery'))];
    let found = false;
    for (const query of queries)
      visitFields(query, leavesOfRows, (field) => {
        if (field === 'resolved_limit_offset_scan_node') found = true;
      });
    return found;
  }

  *#groupedColumns(): Generator<string> {
    for (const scan of this.#nodes('resolved_aggregate_scan_node'))
      for (const key of messages(fieldsOf(scan), 'group_by_list')) yield idOf(key.column);
  }

  /** The columns by which a set operation tells rows apart. */
  *#comparedColumns(): Generator<string> {
    for (const kind of ['resolved_set_operation_scan_node', 'resolved_recursive_scan_node'])
      for (const scan of this.#nodes(kind))
        if (!String(scan.op_type ?? 'UNION_ALL').endsWith('UNION_ALL')) yield* columnIds(scan);
  }

  #firstOf(columns: Iterable<string>): string | undefined {
    for (const column of columns) {
      const reason = this.#columns.get(column);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  #judgeWindow(group: AnyNode, isTotal: () => boolean): void {
    const calls = nodesOf('resolved_analytic_function_call_node', group);
    for (const call of calls) {
      const name = nameOf(call);
      if (ofPeers.has(name)) continue;
      if (ofRows.has(name)) {
        if (!isTotal())
          this.#windows.set(call, `${name.toUpperCase()} over a window whose order has no unique column`);
        continue;
      }
      const reason = aggregateReason(call);
      if (reason !== undefined) this.#windows.set(call, reason);
      else if (hasRowsFrame(call) && !isTotal())
        this.#windows.set(
          call,
          `${name.toUpperCase()} over a window of ROWS whose order has no unique column`,
        );
    }
  }

  /** Whether no two rows of a window over a scan have the same place in its order. The keys of the rows are determined once, if ever. */
  #totalWindows(scan: AnyNode, knownColumnsOf: KnownColumnsOf): (group: AnyNode) => boolean {
    let known: { readonly unique: UniqueKeys; readonly keys: ReturnType<UniqueKeys['of']> } | undefined;
    return (group) => {
      if (known === undefined) {
        const unique = new UniqueKeys(this.#statement, knownColumnsOf);
        known = { unique, keys: unique.of(messageOf(scan, 'input_scan')) };
      }
      const { unique, keys } = known;
      const given = new Set(windowColumns(group).map((column) => unique.same(column)));
      return keys.some((key) => isWithin(key, given));
    };
  }

  /** Whether the statement has anything that an unstable value begins with. */
  get #mayBeUnstable(): boolean {
    return unstableKinds.some((kind) => this.#nodes(kind).length > 0);
  }

  /** A column is unstable if an unstable one takes part in its value. */
  #spread(): void {
    const sources = sourcesOfColumns(this.#statement, this.#nodes);
    const users = new Map<string, string[]>();
    const pending: string[] = [];
    for (const { column, from, expr } of sources) {
      const reason = this.#ownReason(expr);
      if (reason !== undefined && !this.#columns.has(column)) {
        this.#columns.set(column, reason);
        pending.push(column);
      }
      for (const each of [...from, ...columnsIn(expr)]) {
        const known = users.get(each);
        if (known === undefined) users.set(each, [column]);
        else known.push(column);
      }
    }
    for (const column of pending) {
      for (const user of users.get(column) ?? []) {
        if (this.#columns.has(user)) continue;
        this.#columns.set(user, this.#columns.get(column) as string);
        pending.push(user);
      }
    }
  }

  #reasonIn(expr: unknown): string | undefined {
    return this.#ownReason(expr) ?? this.#firstOf(columnsIn(expr));
  }

  /** Why an expression is unstable even if the columns that it refers to are not. */
  #ownReason(expr: unknown): string | undefined {
    if (!this.#mayBeUnstable) return undefined;
    for (const call of nodesOf('resolved_analytic_function_call_node', expr)) {
      const reason = this.#windows.get(call);
      if (reason !== undefined) return reason;
    }
    for (const call of nodesOf('resolved_aggregate_function_call_node', expr)) {
      const reason = aggregateReason(call);
      if (reason !== undefined) return reason;
    }
    for (const subquery of nodesOf('resolved_subquery_expr_node', expr)) {
      if (nodesOf('resolved_limit_offset_scan_node', subquery).length > 0) return 'a LIMIT in a subquery';
      if (subquery.subquery_type === 'ARRAY') return 'an ARRAY subquery';
    }
    return undefined;
  }
}

interface Source {
  readonly column: string;
  /** Columns with whose values it is filled. */
  readonly from: readonly string[];
  /** What it is computed from. */
  readonly expr: unknown;
}

/** Where the columns of all scans of a statement come from. Stored columns come from nowhere. */
function sourcesOfColumns(statement: AnyNode, nodes: ReturnType<typeof nodesByKind>): Source[] {
  const sources: Source[] = [];
  const copy = (to: readonly string[], from: readonly string[]) =>
    to.forEach((column, index) => {
      const source = from[index];
      if (source !== undefined) sources.push({ column, from: [source], expr: undefined });
    });
  visitFields(statement, resolvedLeaves, (_, value) => {
    if (!Array.isArray(value)) return;
    for (const each of value as readonly unknown[]) {
      if (typeof each !== 'object' || each === null) continue;
      const { column, expr } = each as AnyNode;
      if (isPresent(column) && isPresent(expr)) sources.push({ column: idOf(column), from: [], expr });
    }
  });
  for (const scan of nodes('resolved_analytic_scan_node'))
    for (const group of messages(scan, 'function_group_list'))
      for (const each of messages(group, 'analytic_function_list'))
        sources.push({
          column: idOf(each.column),
          from: [],
          expr: [group.partition_by, group.order_by],
        });
  for (const scan of nodes('resolved_array_scan_node')) {
    const elements = [scan.element_column ?? [], scan.element_column_list ?? []].flat();
    for (const element of elements)
      sources.push({ column: idOf(element), from: [], expr: [scan.array_expr, scan.array_expr_list] });
  }
  const combine = (scan: AnyNode, item: AnyNode) =>
    copy(columnIds(scan), messages(item, 'output_column_list').map(idOf));
  for (const scan of nodes('resolved_set_operation_scan_node'))
    for (const item of messages(scan, 'input_item_list')) combine(scan, item);
  for (const scan of nodes('resolved_recursive_scan_node')) {
    for (const term of ['non_recursive_term', 'recursive_term']) combine(scan, messageOf(scan, term));
    for (const ref of nodesOf('resolved_recursive_ref_scan_node', scan))
      copy(columnIds(ref), columnIds(scan));
  }
  const entries = new Map(
    withEntries(nodes).map((entry) => [String(entry.with_query_name), messageOf(entry, 'with_subquery')]),
  );
  for (const ref of nodes('resolved_with_ref_scan_node')) {
    const entry = entries.get(String(ref.with_query_name));
    if (entry !== undefined) copy(columnIds(ref), columnIds(unwrap(entry).message));
  }
  return sources;
}

function withEntries(nodes: ReturnType<typeof nodesByKind>): AnyNode[] {
  return nodes('resolved_with_scan_node').flatMap((scan) => messages(scan, 'with_entry_list'));
}

/** The columns that an expression refers to, and those that its subqueries return. */
function columnsIn(expr: unknown): Set<string> {
  const columns = new Set<string>();
  visitFields(expr, resolvedLeaves, (field, value) => {
    if (field === 'column' && isPresent(value)) columns.add(idOf(value));
    if (field !== 'resolved_subquery_expr_node') return;
    const { message } = unwrap(messageOf(asMessage(value, field), 'subquery'));
    for (const column of columnIds(message)) columns.add(column);
  });
  return columns;
}

/** The columns by which a window divides and orders its rows. A collation makes different texts equal. */
function windowColumns(group: AnyNode): string[] {
  const part = (field: string) => (isPresent(group[field]) ? messageOf(group, field) : {});
  const ordered = messages(part('order_by'), 'order_by_item_list').filter(
    ({ collation_name, collation }) => isEmpty(collation_name) && isEmpty(collation),
  );
  const refs = [
    ...messages(part('partition_by'), 'partition_by_list'),
    ...ordered.map((item) => messageOf(item, 'column_ref')),
  ];
  return refs.map(({ column }) => idOf(column));
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** Why the value of an aggregate depends on the order of its rows. */
function aggregateReason(node: AnyNode): string | undefined {
  const call = fieldsOf(node);
  const name = nameOf(node);
  const isCollated = messages(call, 'collation_list').some((each) => !isEmpty(each));
  if (orderless.has(name)) return isCollated ? `${name.toUpperCase()} of texts with a collation` : undefined;
  if (!additive.has(name)) return name.toUpperCase();
  const kinds = messages(call, 'argument_list').map(
    (argument) => typeFromProto(messageOf(fieldsOf(unwrap(argument).message), 'type')).kind,
  );
  const other = kinds.find((kind) => !exact.has(kind));
  return other === undefined ? undefined : `${name.toUpperCase()} of ${other}`;
}

/** The name in lower case of the function that an aggregate or a window calls. */
function nameOf(call: AnyNode): string {
  const name = String(messageOf(fieldsOf(call), 'function').name)
    .replace(/^.*:/, '')
    .toLowerCase();
  return name === '$count_star' ? 'count' : name;
}

/** Whether the window of a call can begin or end between rows that its order makes equal. */
function hasRowsFrame(call: AnyNode): boolean {
  if (!isPresent(call.window_frame)) return false;
  const frame = messageOf(call, 'window_frame');
  const [start, end] = ['start_expr', 'end_expr'].map((field) => messageOf(frame, field).boundary_type);
  const isWhole = start === 'UNBOUNDED_PRECEDING' && end === 'UNBOUNDED_FOLLOWING';
  return frame.frame_unit !== 'RANGE' && !isWhole;
}
