import type { Catalog } from '../analyzer/catalog.ts';
import type { PageKey, PageOrder, Paging } from '../plan/paging.ts';
import { calledFunction, changingFunctions, nodesOf, volatileFunctions } from '../plan/tree-nodes.ts';
import { type AnyNode, fieldsOf, idOf, isPresent, messageOf, messages, unwrap } from '../resolved/node.ts';
import { typeFromProto } from '../resolved/value-from-proto.ts';
import type { ScalarTypeName } from '../values/type.ts';
import { isWithin, type KnownColumnsOf, UniqueKeys } from './unique-keys.ts';
import { UnstableValues } from './unstable-values.ts';

/** The types whose values have an order in GoogleSQL and can be parameters. */
const orderable: ReadonlySet<string> = new Set([
  'BOOL',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'STRING',
  'BYTES',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
] satisfies ScalarTypeName[]);

/** More keys would make long conditions, and long cursors. */
const maxPageKeys = 16;

/** Why a query can't be paged. The message says it of "it". */
class NoTotalOrder extends Error {}

/** What a catalog says of its tables. */
export function knownColumns({ tables }: Catalog): KnownColumnsOf {
  const byName = new Map(
    tables.map(({ path, unique = [], filled = [] }) => [path.join('.'), { unique, filled }]),
  );
  return (table) => byName.get(table) ?? { unique: [], filled: [] };
}

/** The total order of a query's rows, proved from its resolved tree. */
export function pagingOf(statement: AnyNode, knownColumnsOf: KnownColumnsOf): Paging {
  try {
    return { order: pageOrder(statement, knownColumnsOf) };
  } catch (error) {
    if (error instanceof NoTotalOrder) return { refused: error.message };
    throw error;
  }
}

function pageOrder(statement: AnyNode, knownColumnsOf: KnownColumnsOf): PageOrder {
  const { message } = unwrap(statement);
  if (message.is_value_table === true) throw new NoTotalOrder('its rows are values, not columns');
  const { rows, items, limit } = outermost(messageOf(message, 'query'));
  refuseChance(statement);
  const unique = new UniqueKeys(statement, knownColumnsOf);
  const keys = unique.of(rows);
  const unstable = new UnstableValues(statement, knownColumnsOf);
  if (unstable.hasLimit(rows))
    throw new NoTotalOrder('it has a LIMIT in a subquery, whose rows another run may not find again');
  const chance = unstable.ofRows();
  if (chance !== undefined)
    throw new NoTotalOrder(`its rows depend on ${chance}, which can differ in each run`);
  const result = new ResultKeys(messages(message, 'output_column_list'), unique, unstable);
  const order: PageKey[] = [];
  const columns = new Set<string>();
  const isTotal = () => keys.some((key) => isWithin(key, columns));
  for (const item of items) {
    if (isTotal()) break;
    const ref = messageOf(item, 'column_ref');
    const column = unique.same(idOf(ref.column));
    if (columns.has(column)) continue;
    if (isCollation(item.collation_name)) throw new NoTotalOrder('its ORDER BY has a COLLATE clause');
    order.push(result.key(column, isDescending(item), nullsFirst(item)));
    columns.add(column);
  }
  const own = order.length;
  if (!isTotal()) {
    const refusals: string[] = [];
    const added = keys
      .toSorted((a, b) => a.size - b.size)
      .map((key) =>
        result.keysOf(
          [...key].filter((column) => !columns.has(column)),
          refusals,
        ),
      )
      .find((each) => each !== undefined);
    if (added === undefined) {
      throw new NoTotalOrder(
        refusals[0] ??
          `nothing in its result is known to identify a row: ${
            unique.lost === undefined
              ? 'a unique column of a source, such as "id", or all keys of a GROUP BY'
              : `it has ${unique.lost}`
          }`,
      );
    }
    order.push(...added);
  }
  if (order.length > maxPageKeys) throw new NoTotalOrder(`its order has more than ${maxPageKeys} keys`);
  return { keys: order, added: order.length - own, ...(limit !== undefined && { limit }) };
}

interface Outermost {
  readonly rows: AnyNode;
  /** The items of the outermost ORDER BY. */
  readonly items: readonly AnyNode[];
  readonly limit: PageOrder['limit'];
}

/** The parts of a query: its LIMIT, its ORDER BY, and the rows that they are about. */
function outermost(query: AnyNode): Outermost {
  const { kind, message } = unwrap(query);
  const scan = fieldsOf(message);
  if (kind === 'resolved_with_scan_node') return outermost(messageOf(scan, 'query'));
  if (kind === 'resolved_order_by_scan_node')
    return {
      rows: messageOf(scan, 'input_scan'),
      items: messages(scan, 'order_by_item_list'),
      limit: undefined,
    };
  if (kind !== 'resolved_limit_offset_scan_node') return { rows: query, items: [], limit: undefined };
  const inner = outermost(messageOf(scan, 'input_scan'));
  if (inner.limit !== undefined) throw new NoTotalOrder('it has a LIMIT within a LIMIT');
  if (isPresent(scan.offset) && limitOf(messageOf(scan, 'offset')) !== 0n)
    throw new NoTotalOrder('it has an OFFSET');
  if (!isPresent(scan.limit)) return inner;
  return { ...inner, limit: limitOf(messageOf(scan, 'limit')) };
}

function limitOf(expr: AnyNode): NonNullable<PageOrder['limit']> {
  const { kind, message } = unwrap(expr);
  if (kind === 'resolved_parameter_node') return { parameter: String(message.name) };
  const value = kind === 'resolved_literal_node' ? messageOf(messageOf(message, 'value'), 'value') : {};
  if (!isPresent(value.int64_value)) throw new NoTotalOrder('its LIMIT is an expression');
  return BigInt(String(value.int64_value));
}

/** Rows that are there or are ordered by chance have no place that another run finds again. */
function refuseChance(statement: AnyNode): void {
  const calls = nodesOf('resolved_function_call_node', statement);
  const volatile = calls.find((call) => volatileFunctions.has(calledFunction(call)));
  if (volatile !== undefined)
    throw new NoTotalOrder(`it calls ${calledFunction(volatile).toUpperCase()}, which differs in each run`);
  if (nodesOf('resolved_sample_scan_node', statement).length > 0)
    throw new NoTotalOrder('it has a TABLESAMPLE');
}

function isDescending(item: AnyNode): boolean {
  return item.is_descending === true;
}

/** GoogleSQL counts NULL as the smallest value: https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#order_by_clause */
function nullsFirst(item: AnyNode): boolean {
  if (item.null_order === 'NULLS_FIRST') return true;
  return item.null_order !== 'NULLS_LAST' && !isDescending(item);
}

function isCollation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The columns of a result as keys of its rows. */
class ResultKeys {
  readonly #columns: readonly AnyNode[];
  readonly #unique: UniqueKeys;
  readonly #unstable: UnstableValues;
  readonly #names: readonly string[];

  constructor(columns: readonly AnyNode[], unique: UniqueKeys, unstable: UnstableValues) {
    this.#columns = columns;
    this.#unique = unique;
    this.#unstable = unstable;
    this.#names = columns.map(({ name }) => String(name ?? ''));
  }

  /** The keys for these columns; undefined, and the reason among `refusals`, if one can't be a key. */
  keysOf(columns: readonly string[], refusals: string[]): readonly PageKey[] | undefined {
    try {
      return columns.map((column) => this.key(column, false, true));
    } catch (error) {
      if (!(error instanceof NoTotalOrder)) throw error;
      refusals.push(error.message);
      return undefined;
    }
  }

  /** @throws NoTotalOrder if the column can't be a key */
  key(column: string, isDescending: boolean, hasNullsFirst: boolean): PageKey {
    const places = this.#columns.flatMap((each, index) =>
      this.#unique.same(idOf(each.column)) === column ? [index] : [],
    );
    if (places.length === 0) throw new NoTotalOrder(`its result lacks ${this.#described(column)}`);
    const index = places.find((each) => this.#isNamed(each));
    if (index === undefined)
      throw new NoTotalOrder('a column of its order has no name of its own in the result');
    const name = this.#names[index] as string;
    const proto = messageOf(this.#columns[index] as AnyNode, 'column');
    const { kind } = typeFromProto(messageOf(proto, 'type'));
    if (!orderable.has(kind)) throw new NoTotalOrder(`rows can't be ordered by "${name}" of type ${kind}`);
    this.#refuseChanging(column, name);
    const chance = this.#unstable.ofColumn(idOf(proto));
    if (chance !== undefined)
      throw new NoTotalOrder(`"${name}" depends on ${chance}, which can differ in each run`);
    const isFilled = this.#unique.isFilled(column);
    return { index, name, type: kind as ScalarTypeName, isDescending, hasNullsFirst, isFilled };
  }

  /** Whether SQL can name the column. The analyzer names unnamed columns `$col1`. */
  #isNamed(index: number): boolean {
    const name = this.#names[index]?.toLowerCase() ?? '';
    if (name === '' || name.startsWith('$')) return false;
    return this.#names.filter((other) => other.toLowerCase() === name).length === 1;
  }

  #described(column: string): string {
    const name = this.#unique.nameOf(column);
    if (name !== undefined) return `the column "${name}", which orders or identifies its rows`;
    return 'an expression that orders or identifies its rows';
  }

  /** A value that changes with the time of the run moves its row to another place. */
  #refuseChanging(column: string, name: string): void {
    const seen = new Set<string>();
    const pending = [column];
    for (const each of pending) {
      const definition = this.#unique.definition(each);
      if (definition === undefined || seen.has(each)) continue;
      seen.add(each);
      for (const call of nodesOf('resolved_function_call_node', definition)) {
        const called = calledFunction(call);
        if (changingFunctions.has(called))
          throw new NoTotalOrder(
            `"${name}" changes with the time of the run: it calls ${called.toUpperCase()}`,
          );
      }
      for (const ref of nodesOf('resolved_column_ref_node', definition))
        pending.push(this.#unique.same(idOf(ref.column)));
    }
  }
}
