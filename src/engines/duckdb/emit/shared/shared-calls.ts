import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage, fieldsOf, idOf, messages, unwrap } from '../../../../sql/resolved/node.ts';
import { sliceField } from '../sliced/slice-statement.ts';
import { callCount } from '../tree/call-count.ts';
import { columnsIn } from '../tree/columns-in.ts';
import { type Computed, columnRef, keepsColumnsField, projected } from '../tree/make-nodes.ts';
import { NewColumns } from '../tree/new-columns.ts';
import { scanColumns } from '../tree/scan-columns.ts';
import { isVolatile } from '../volatile/is-volatile.ts';
import { Meanings } from './meanings.ts';
import { once } from './once.ts';
import { mayBeApart, Places } from './places.ts';
import { readColumns } from './read-columns.ts';
import { type Frequency, isLeaf, lower, referenceKind, subqueryKind, withParts } from './row-expression.ts';

/** Statements with fewer calls have nothing to save. */
const fewCalls = 4;

/** Fields without scans. Subqueries are searched for with-expressions only: DuckDB computes most of them in lists. */
const leaves = new Set(['type', 'column', 'column_list', 'signature', 'value', 'table', 'function']);
const withKind = 'resolved_with_expr_node';

/**
 * Computes calls once that the expressions of a SELECT list, of aggregates, of a condition or of a function's body repeat,
 * and functions that are deeply nested, and the arguments of defined functions: as columns of the rows below. DuckDB plans and
 * prepares each call otherwise: 50 branches that compare LOWER(x) took 50 times as long (measured). A call that can fail
 * becomes a column only if one of its places is always evaluated.
 */
export function sharedCalls(statement: AnyNode): AnyNode {
  return callCount(statement) < fewCalls ? statement : new Sharing(statement).statement();
}

/** Expressions, and the columns that they read in place of what they have repeated. */
interface Shared {
  readonly expressions: readonly AnyNode[];
  readonly columns: readonly Computed[];
}

class Sharing {
  readonly #statement: AnyNode;
  readonly #columns: NewColumns;
  readonly #meanings = new Meanings();
  /** The ids of columns that are read. */
  readonly #read: ReadonlySet<string>;

  constructor(statement: AnyNode) {
    this.#statement = statement;
    this.#read = readColumns(statement);
    this.#columns = new NewColumns(statement);
  }

  statement(): AnyNode {
    return this.#part(this.#statement, false) as AnyNode;
  }

  #part(part: unknown, isInSubquery: boolean): unknown {
    if (Array.isArray(part)) return part.map((each) => this.#part(each, isInSubquery));
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
    const entries = Object.entries(part).map(([field, value]): [string, unknown] => {
      if (leaves.has(field)) return [field, value];
      const isInside = isInSubquery || field === subqueryKind;
      const inner = this.#part(value, isInside);
      if (field === withKind) return [field, this.#amongNames(asMessage(inner, field))];
      return [field, isInside ? inner : this.#scan(field, inner)];
    });
    return Object.fromEntries(entries);
  }

  #scan(kind: string, value: unknown): unknown {
    switch (kind) {
      case 'resolved_project_scan_node':
        return this.#below(asMessage(value, kind), ['expr_list']);
      case 'resolved_filter_scan_node':
        return this.#belowCondition(asMessage(value, kind));
      case 'resolved_aggregate_scan_node': {
        const scan = asMessage(value, kind);
        if (scan[sliceField] !== undefined) return scan;
        const parent = this.#below(asMessage(scan.parent, 'parent'), ['group_by_list', 'aggregate_list']);
        return { ...scan, parent };
      }
      default:
        return value;
    }
  }

  /** @param fields those of the scan with lists of columns and their expressions */
  #below(scan: AnyNode, fields: readonly string[]): AnyNode {
    const lists = fields.map((field) => messages(scan, field));
    // What nobody reads isn't computed.
    const isRead = ({ column }: AnyNode) => this.#read.has(idOf(column));
    const shared = this.#share(
      lists
        .flat()
        .filter(isRead)
        .map(({ expr }) => asMessage(expr, 'expr')),
    );
    if (shared === undefined) return scan;
    const expressions = shared.expressions.values();
    const rewritten = lists.map((list) =>
      list.map((item) => (isRead(item) ? { ...item, expr: expressions.next().value } : item)),
    );
    return readingLayers(scan, Object.fromEntries(fields.map((field, i) => [field, rewritten[i]])), shared);
  }

  #belowCondition(scan: AnyNode): AnyNode {
    const shared = this.#share([asMessage(scan.filter_expr, 'filter_expr')]);
    if (shared === undefined) return scan;
    return readingLayers(scan, { filter_expr: shared.expressions[0] }, shared);
  }

  /** The columns become further names of `WITH(name AS value, ..., expression)`. */
  #amongNames(expression: AnyNode): AnyNode {
    const places = new Places(this.#meanings);
    const value = asMessage(expression.expr, 'expr');
    places.add(value);
    const shared = this.#replaced([value], places);
    if (shared === undefined) return expression;
    const assignment_list = [...messages(expression, 'assignment_list'), ...shared.columns];
    return { ...expression, assignment_list, expr: shared.expressions[0] };
  }

  #share(given: readonly AnyNode[]): Shared | undefined {
    const named: Computed[] = [];
    const expressions = given.map((expression) => this.#withoutNames(expression, 'always', named));
    const places = new Places(this.#meanings);
    const all = [...expressions, ...named.map(({ expr }) => expr)];
    for (const expression of all) places.add(expression);
    const shared = this.#replaced(all, places);
    if (shared === undefined) return named.length === 0 ? undefined : { expressions, columns: named };
    const values = shared.expressions.slice(expressions.length);
    return {
      expressions: shared.expressions.slice(0, expressions.length),
      columns: [...shared.columns, ...named.map(({ column }, i) => ({ column, expr: values[i] as AnyNode }))],
    };
  }

  /** The expression with the results of `WITH(name AS value, ..., result)` in their place. */
  #withoutNames(expression: AnyNode, frequency: Frequency, named: Computed[]): AnyNode {
    const { kind, message } = unwrap(expression);
    if (kind !== withKind)
      return withParts(expression, (part, inner) => this.#withoutNames(part, lower(frequency, inner), named));
    const assigned = messages(message, 'assignment_list');
    if (!assigned.every(({ expr }) => mayBeApart(asMessage(expr, 'expr'), frequency))) return expression;
    const others = new Map<string, AnyNode>();
    for (const { column, expr } of assigned) {
      const value = this.#withoutNames(reading(others, asMessage(expr, 'expr')), frequency, named);
      const known = this.#named(value, named);
      if (known === undefined) named.push({ column: asMessage(column, 'column'), expr: value });
      else others.set(idOf(column), known.column);
    }
    return this.#withoutNames(reading(others, asMessage(message.expr, 'expr')), frequency, named);
  }

  /** The column with the same value, so that the function's calls for it are equal, too. */
  #named(value: AnyNode, named: readonly Computed[]): Computed | undefined {
    if (isVolatile(value)) return undefined;
    const meaning = this.#meanings.of(value);
    return named.find(({ expr }) => this.#meanings.of(expr) === meaning);
  }

  /** Puts columns in place of the calls that are worth one. Undefined if none is. */
  #replaced(expressions: readonly AnyNode[], places: Places): Shared | undefined {
    if (!places.areAny) return undefined;
    const columns = new Map<number, Computed>();
    const parts = (expression: AnyNode) => withParts(expression, replaced);
    const replaced = (expression: AnyNode): AnyNode => {
      const meaning = places.columnMeaning(expression);
      if (meaning === undefined) return parts(expression);
      const known = columns.get(meaning) ?? {
        column: this.#columnOf(expression),
        expr: parts(expression),
      };
      columns.set(meaning, known);
      return columnRef(known.column, false);
    };
    const rewritten = expressions.map(replaced);
    return columns.size === 0 ? undefined : { expressions: rewritten, columns: [...columns.values()] };
  }

  #columnOf(expression: AnyNode): AnyNode {
    const { type } = fieldsOf(unwrap(expression).message);
    return { column_id: String(this.#columns.next()), name: 'shared', table_name: '$shared', type };
  }
}

/** A scan with other expressions, over rows with the columns that they read. */
function readingLayers({ input_scan, ...rest }: AnyNode, expressions: AnyNode, { columns }: Shared): AnyNode {
  const reader = { ...rest, ...expressions };
  return { ...reader, input_scan: inLayers(asMessage(input_scan, 'input_scan'), columns, reader) };
}

/**
 * The rows of a scan with columns that can read each other.
 *
 * @param reader the scan that reads these rows, without them
 */
function inLayers(scan: AnyNode, columns: readonly Computed[], reader: AnyNode): AnyNode {
  let rows = scan;
  let rest = columns;
  while (rest.length > 0) {
    const open = new Set(rest.map(({ column }) => idOf(column)));
    const isReady = ({ expr }: Computed) =>
      nodesOf(referenceKind, expr).every(({ column }) => !open.has(idOf(column)));
    const ready = rest.filter(isReady);
    if (ready.length === 0)
      throw new TypeError('The resolved tree is malformed: columns that read each other');
    rest = rest.filter((column) => !ready.includes(column));
    const read = columnsIn([reader, rest]);
    const passed = scanColumns(rows).filter((column) => read.has(idOf(column)));
    rows = projected(
      rows,
      passed,
      ready.map(({ column, expr }) => ({ column, expr: isLeaf(expr) ? expr : once(expr) })),
      { [keepsColumnsField]: true },
    );
  }
  return rows;
}

/** A part of a tree with other columns, by the ids of those that it has. */
function reading(others: ReadonlyMap<string, AnyNode>, part: AnyNode): AnyNode {
  if (others.size === 0) return part;
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const { column_id } = value as AnyNode;
    const other = column_id === undefined ? undefined : others.get(String(column_id));
    if (other !== undefined) return other;
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, changed(inner)]));
  };
  return changed(part) as AnyNode;
}
