import { calledFunction, nodesOf } from '../plan/tree-nodes.ts';
import {
  type AnyNode,
  columnIds,
  fieldsOf,
  idOf,
  isPresent,
  messageOf,
  messages,
  unwrap,
} from '../resolved/node.ts';

/** Ids of columns: no two rows of a scan have equal values in all of them. Empty for a scan of one row at most. */
export type UniqueKey = ReadonlySet<string>;

/** The keys of a scan. None if its rows are not known to differ. */
type Keys = readonly UniqueKey[];

/** What is known of the columns of a stored table. */
export interface KnownColumns {
  /** The names of those of which each identifies its rows. */
  readonly unique: readonly string[];
  /** The names of those that have a value in each row. */
  readonly filled: readonly string[];
}

/** What is known of a table, by its name in SQL. */
export type KnownColumnsOf = (table: string) => KnownColumns;

/** What a condition makes equal: pairs of columns, and columns that equal a constant. */
interface Equalities {
  readonly columns: readonly (readonly [string, string])[];
  readonly constants: readonly string[];
}

const none: Equalities = { columns: [], constants: [] };

/** A scan has at most so many keys: joins multiply them. */
const maxKeys = 16;

/** Functions that return arrays of different elements. */
const distinctArrays: ReadonlySet<string> = new Set(['generate_date_array', 'generate_timestamp_array']);

/**
 * What identifies the rows of a query, proved from its tree: a unique column of a stored table, all keys of an aggregation, all
 * columns of a `DISTINCT`, the offset of an unnested array. Joins keep the keys of a side if each of its rows has one match at most, and combine
 * those of both otherwise. Nothing is known of other scans.
 *
 * Columns with the same value in each row count as one: see {@link same}.
 */
export class UniqueKeys {
  readonly #knownColumnsOf: KnownColumnsOf;
  /** The column from which one is copied. */
  readonly #copied = new Map<string, string>();
  readonly #definitions = new Map<string, AnyNode>();
  /** Columns that have a value in each row. */
  readonly #filled = new Set<string>();
  /** Columns that have the same value in all rows. */
  readonly #constant = new Set<string>();
  readonly #names = new Map<string, string>();
  #lost: string | undefined;
  /** The queries of all WITH entries, by names that the analyzer has made unique. */
  readonly #entries: ReadonlyMap<string, AnyNode>;

  constructor(statement: AnyNode, knownColumnsOf: KnownColumnsOf) {
    this.#knownColumnsOf = knownColumnsOf;
    this.#entries = new Map(
      nodesOf('resolved_with_scan_node', statement)
        .flatMap((scan) => messages(scan, 'with_entry_list'))
        .map((entry) => [String(entry.with_query_name), messageOf(entry, 'with_subquery')]),
    );
  }

  /** The column of which this one is a copy; itself if it is none. Known after {@link of}. */
  same(column: string): string {
    let original = column;
    for (let next = this.#copied.get(original); next !== undefined; next = this.#copied.get(original)) {
      original = next;
    }
    return original;
  }

  /** What in the query left rows without keys, although those that it read had some. Known after {@link of}. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** Whether the column, which is no copy, is known to have a value in each row. */
  isFilled(column: string): boolean {
    return this.#filled.has(column);
  }

  /** The name of a stored column. Undefined for others. */
  nameOf(column: string): string | undefined {
    return this.#names.get(column);
  }

  /** The expression by which a column is computed, if one is. */
  definition(column: string): AnyNode | undefined {
    return this.#definitions.get(column);
  }

  /** The keys of a scan, of columns that are no copies. */
  of(node: AnyNode): Keys {
    const { kind, message } = unwrap(node);
    const scan = fieldsOf(message);
    const input = () => this.of(messageOf(scan, 'input_scan'));
    switch (kind) {
      case 'resolved_single_row_scan_node':
        return [new Set()];
      case 'resolved_table_scan_node':
        return this.#ofTable(scan);
      case 'resolved_filter_scan_node':
        return this.#filtered(input(), messageOf(scan, 'filter_expr'));
      case 'resolved_limit_offset_scan_node':
      case 'resolved_order_by_scan_node':
      case 'resolved_sample_scan_node':
        return input();
      case 'resolved_with_scan_node':
        return this.of(messageOf(scan, 'query'));
      case 'resolved_project_scan_node': {
        const keys = input();
        this.#define(messages(scan, 'expr_list'));
        return keys;
      }
      case 'resolved_analytic_scan_node': {
        const keys = input();
        for (const group of messages(scan, 'function_group_list'))
          this.#define(messages(group, 'analytic_function_list'));
        return keys;
      }
      case 'resolved_aggregate_scan_node':
        return this.#aggregated(scan, input());
      case 'resolved_join_scan_node':
        return this.#joined(scan);
      case 'resolved_array_scan_node':
        return this.#unnested(scan);
      case 'resolved_set_operation_scan_node':
        return this.#combined(scan);
      case 'resolved_with_ref_scan_node':
        return this.#ofEntry(scan);
      default:
        return [];
    }
  }

  #ofTable(scan: AnyNode): Keys {
    const { name, full_name } = messageOf(scan, 'table');
    const known = this.#knownColumnsOf(String(full_name || name));
    const columns = (names: readonly string[]) => {
      const folded = new Set(names.map((each) => each.toLowerCase()));
      return messages(scan, 'column_list').filter((column) => folded.has(String(column.name).toLowerCase()));
    };
    for (const column of messages(scan, 'column_list')) this.#names.set(idOf(column), String(column.name));
    for (const column of columns(known.filled)) this.#filled.add(idOf(column));
    return columns(known.unique).map((column) => new Set([idOf(column)]));
  }

  /** A column that equals a constant, or another column of a key, tells no rows apart. */
  #filtered(input: Keys, condition: AnyNode): Keys {
    const { columns, constants } = this.#equalities(condition);
    for (const column of constants) this.#constant.add(column);
    const pairs = columns.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
    const keys = input.flatMap((key) => [
      key,
      ...pairs
        .filter(([a, b]) => key.has(a) && key.has(b))
        .map(([, b]) => new Set([...key].filter((column) => column !== b))),
    ]);
    return this.#varying(keys);
  }

  /** The keys without columns that have the same value in all rows. */
  #varying(keys: Keys): Keys {
    return keys
      .map((key) => new Set([...key].filter((column) => !this.#constant.has(column))))
      .slice(0, maxKeys);
  }

  #aggregated(scan: AnyNode, input: Keys): Keys {
    const keys = messages(scan, 'group_by_list');
    this.#define(keys);
    this.#define(messages(scan, 'aggregate_list'));
    const hasSets = ['grouping_set_list', 'rollup_column_list'].some(
      (field) => messages(scan, field).length > 0,
    );
    if (hasSets) return [];
    const groups = new Set(keys.map((key) => this.same(idOf(key.column))));
    const kept = input.filter((key) => isWithin(key, groups));
    return kept.length > 0 ? kept : this.#varying([groups]);
  }

  #joined(scan: AnyNode): Keys {
    const type = String(scan.join_type ?? 'INNER');
    const [left = [], right = []] = ['left_scan', 'right_scan'].map((side) => this.of(messageOf(scan, side)));
    const condition = isPresent(scan.join_expr) ? this.#equalities(messageOf(scan, 'join_expr')) : none;
    const columnsOf = (side: string) =>
      new Set(columnIds(unwrap(messageOf(scan, side)).message).map((id) => this.same(id)));
    // Each row of a side has one match at most if a key of the other side equals what doesn't belong to that side.
    const matchesOne = (keys: Keys, side: string) => {
      const own = columnsOf(side);
      const given = new Set(
        condition.columns.flatMap(([a, b]) => [...(own.has(b) ? [] : [a]), ...(own.has(a) ? [] : [b])]),
      );
      for (const column of condition.constants) given.add(column);
      return keys.some((key) => isWithin(key, given));
    };
    const filled = new Set(this.#filled);
    // Rows without a match have NULL in the columns of the other side.
    const optional = { LEFT: ['right_scan'], RIGHT: ['left_scan'], FULL: ['left_scan', 'right_scan'] }[type];
    for (const side of optional ?? [])
      for (const column of columnsOf(side)) {
        this.#filled.delete(column);
        this.#constant.delete(column);
      }
    const [oneLeft, oneRight] = [matchesOne(left, 'left_scan'), matchesOne(right, 'right_scan')];
    const keys: UniqueKey[] = [];
    if (oneRight && (type === 'INNER' || type === 'LEFT')) keys.push(...left);
    if (oneLeft && scan.is_lateral !== true && (type === 'INNER' || type === 'RIGHT')) keys.push(...right);
    if (keys.length > 0) return keys.slice(0, maxKeys);
    if (type !== 'FULL') return combined(left, right);
    // A row of each side can lack a match. They are equal if both have NULL in all columns of their own keys.
    const told = (key: UniqueKey) => [...key].some((column) => filled.has(column));
    const all = [...combined(left.filter(told), right), ...combined(left, right.filter(told))];
    if (all.length === 0 && left.length > 0 && right.length > 0)
      this.#lost = 'a FULL JOIN of rows whose keys can be NULL';
    return all.slice(0, maxKeys);
  }

  /** What a condition makes equal. */
  #equalities(condition: AnyNode): Equalities {
    const { kind, message } = unwrap(condition);
    if (kind !== 'resolved_function_call_node') return none;
    const args = messages(fieldsOf(message), 'argument_list');
    const name = calledFunction(message);
    // Texts that a collation makes equal are different values.
    if (messages(fieldsOf(message), 'collation_list').length > 0) return none;
    if (name === '$and') {
      const all = args.map((each) => this.#equalities(each));
      return {
        columns: all.flatMap(({ columns }) => columns),
        constants: all.flatMap(({ constants }) => constants),
      };
    }
    const columns = args.map(columnOf).filter((each) => each !== undefined);
    const [one, other] = columns.map((each) => this.same(each));
    if (name !== '$equal' || one === undefined) return none;
    if (other !== undefined) return { columns: [[one, other]], constants: [] };
    return { columns: [], constants: args.some(isConstant) ? [one] : [] };
  }

  #unnested(scan: AnyNode): Keys {
    const isOfRows = isPresent(scan.input_scan);
    const input = isOfRows ? this.of(messageOf(scan, 'input_scan')) : [new Set<string>()];
    const offset = isPresent(scan.array_offset_column)
      ? idOf(messageOf(messageOf(scan, 'array_offset_column'), 'column'))
      : undefined;
    const arrays = isPresent(scan.array_expr)
      ? [messageOf(scan, 'array_expr')]
      : messages(scan, 'array_expr_list');
    const elements = isPresent(scan.element_column)
      ? [messageOf(scan, 'element_column')]
      : messages(scan, 'element_column_list');
    const [array] = arrays;
    const [element] = elements;
    const isDistinct = array !== undefined && arrays.length === 1 && distinctArrays.has(functionOf(array));
    const own = [
      ...(offset === undefined ? [] : [offset]),
      ...(isDistinct && element ? [idOf(element)] : []),
    ];
    if (own.length === 0 && input.length > 0) this.#lost = 'an UNNEST without WITH OFFSET';
    return input.flatMap((key) => own.map((column) => new Set([...key, column]))).slice(0, maxKeys);
  }

  #combined(scan: AnyNode): Keys {
    const columns = columnIds(scan);
    const items = messages(scan, 'input_item_list').map((item) => ({
      keys: this.of(messageOf(item, 'scan')),
      columns: messages(item, 'output_column_list').map((column) => this.same(idOf(column))),
    }));
    const type = String(scan.op_type ?? '');
    if (type.endsWith('DISTINCT')) return [new Set(columns)];
    const [first] = items;
    if (first === undefined || type.startsWith('UNION')) {
      this.#lost = 'a UNION ALL';
      return [];
    }
    // The rows are some of the first part.
    return first.keys.flatMap((key) => {
      const positions = [...key].map((column) => columns[first.columns.indexOf(column)]);
      return positions.every((column) => column !== undefined) ? [new Set(positions)] : [];
    });
  }

  /** Each reference to an entry has columns of its own. */
  #ofEntry(scan: AnyNode): Keys {
    const entry = this.#entries.get(String(scan.with_query_name));
    if (entry === undefined) return [];
    const keys = this.of(entry);
    const from = columnIds(unwrap(entry).message).map((id) => this.same(id));
    const to = columnIds(scan);
    const own = new Map<string, string>();
    from.forEach((id, index) => {
      const column = to[index];
      if (column === undefined) return;
      for (const known of [this.#filled, this.#constant]) if (known.has(id)) known.add(column);
      const name = this.#names.get(id);
      if (name !== undefined) this.#names.set(column, name);
      const known = own.get(id);
      if (known !== undefined) this.#copied.set(column, known);
      else own.set(id, column);
      const definition = this.#definitions.get(id);
      if (definition !== undefined) this.#definitions.set(column, definition);
    });
    return keys.flatMap((key) => {
      const columns = [...key].map((id) => own.get(id));
      return columns.every((column) => column !== undefined) ? [new Set(columns)] : [];
    });
  }

  /** Computed columns of one scan: copies, and those with equal definitions. */
  #define(computed: readonly AnyNode[]): void {
    const known = new Map<string, string>();
    for (const each of computed) {
      const column = idOf(each.column);
      const expr = messageOf(each, 'expr');
      const copied = columnOf(expr);
      if (copied !== undefined) {
        this.#copied.set(column, copied);
        continue;
      }
      this.#definitions.set(column, expr);
      const text = textOf(expr);
      const before = known.get(text);
      if (before === undefined) known.set(text, column);
      else this.#copied.set(column, before);
    }
  }
}

/** The keys of pairs of rows. */
function combined(left: Keys, right: Keys): Keys {
  return left.flatMap((one) => right.map((other) => new Set([...one, ...other]))).slice(0, maxKeys);
}

/** Whether all columns of a key are among these. */
export function isWithin(key: UniqueKey, columns: ReadonlySet<string>): boolean {
  return [...key].every((column) => columns.has(column));
}

/** The column that an expression refers to; undefined for other expressions, and for columns of outer queries. */
export function columnOf(expr: AnyNode): string | undefined {
  const { kind, message } = unwrap(expr);
  if (kind !== 'resolved_column_ref_node' || message.is_correlated === true) return undefined;
  return idOf(message.column);
}

function isConstant(expr: AnyNode): boolean {
  const { kind } = unwrap(expr);
  return kind === 'resolved_literal_node' || kind === 'resolved_parameter_node';
}

function functionOf(expr: AnyNode): string {
  const { kind, message } = unwrap(expr);
  return kind === 'resolved_function_call_node' ? calledFunction(message) : '';
}

/** The expression without its place. */
function textOf(expr: AnyNode): string {
  return JSON.stringify(expr, (key, value: unknown) => (key === 'parse_location_range' ? undefined : value));
}
