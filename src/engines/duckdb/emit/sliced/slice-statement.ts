import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import {
  type AnyNode,
  asList,
  asMessage,
  fieldsOf,
  idOf,
  isPresent,
  messageOf,
  messages,
  rewrap,
  unwrap,
  withField,
} from '../../../../sql/resolved/node.ts';
import { isPopulated } from '../../../../sql/resolved/populated.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { exactTypes } from '../../../engine/exact-types.ts';
import { ofAggregates } from '../../../engine/scan-construct.ts';
import type { Constant } from '../../dialect/constant.ts';
import { typeOf } from '../../fold/expression.ts';
import { mergeableAggregates } from '../../functions/aggregates/mergeable.ts';
import { functionName } from '../pieces/function-name.ts';
import { NewColumns } from '../tree/new-columns.ts';
import { type BoundedRows, boundedRows, type RowsContext } from './bounded-rows.ts';
import { NotMergeable } from './not-mergeable.ts';

/** An aggregation of a statement that is merged from slices. */
export interface SlicedAggregation extends Pick<BoundedRows, 'table' | 'bounds'> {
  readonly number: number;
}

/** A statement of which some aggregations are merged from slices. */
export interface SlicedStatement {
  /** With {@link sliceField} in these aggregations, and without their bounds of time. */
  readonly statement: AnyNode;
  readonly aggregations: readonly SlicedAggregation[];
  /** Why others aren't. */
  readonly refusals: readonly NotMergeable[];
}

/** A field that the analyzer doesn't produce: the number of a sliced aggregation, and the column with the time of its rows. */
export const sliceField = 'gateway_slices';

/**
 * Finds the aggregations that can be merged from those of slices of their rows by time.
 *
 * @param timeName as in `RowsContext`; by default, tables are ordered by `timestamp`
 */
export function sliceStatement(
  statement: AnyNode,
  parameters: ReadonlyMap<string, Constant>,
  timeName: RowsContext['timeName'] = () => 'timestamp',
): SlicedStatement {
  return new Slicer(statement, parameters, timeName).slice(statement);
}

/** The fields with the scans that a scan reads. */
const inputs = ['input_scan', 'left_scan', 'right_scan', 'query', 'with_subquery', 'scan'];

interface Entry {
  readonly name: string;
  subquery: AnyNode;
  references: number;
  /** Entries for further references, which come after it. */
  readonly copies: Entry[];
}

class Slicer {
  readonly #newColumns: NewColumns;
  readonly #parameters: ReadonlyMap<string, Constant>;
  readonly #entries = new Map<string, Entry>();
  readonly #references = new Map<string, number>();
  /** The names of all entries, in lower case. */
  readonly #names: Set<string>;
  readonly #found: SlicedAggregation[] = [];
  readonly #refusals: NotMergeable[] = [];

  readonly #timeName: RowsContext['timeName'];

  constructor(
    statement: AnyNode,
    parameters: ReadonlyMap<string, Constant>,
    timeName: RowsContext['timeName'],
  ) {
    this.#timeName = timeName;
    this.#newColumns = new NewColumns(statement);
    this.#parameters = new Map([...parameters].map(([name, value]) => [name.toLowerCase(), value]));
    this.#count(statement);
    this.#names = new Set(
      nodesOf('resolved_with_scan_node', statement)
        .flatMap((node) => messages(node, 'with_entry_list'))
        .map(({ with_query_name }) => String(with_query_name).toLowerCase()),
    );
  }

  slice(statement: AnyNode): SlicedStatement {
    const { message } = unwrap(statement);
    const query = this.#scan(asMessage(message.query, 'query'));
    return {
      statement: this.#found.length === 0 ? statement : rewrap(statement, { ...message, query }),
      aggregations: this.#found,
      refusals: this.#refusals,
    };
  }

  #count(part: unknown): void {
    for (const { with_query_name } of nodesOf('resolved_with_ref_scan_node', part)) {
      const name = String(with_query_name);
      this.#references.set(name, (this.#references.get(name) ?? 0) + 1);
    }
  }

  #scan(node: AnyNode): AnyNode {
    const { kind, message } = unwrap(node);
    if (kind === 'resolved_aggregate_scan_node') {
      try {
        return this.#aggregation(node);
      } catch (error) {
        if (!(error instanceof NotMergeable)) throw error;
        const before = this.#found.length;
        const above = rewrap(node, this.#inputs(message));
        // An aggregation over a merged one has few rows.
        if (this.#found.length === before && error.message !== ofAggregates) this.#refusals.push(error);
        return above;
      }
    }
    // What is read once for each row of another scan isn't an aggregation by itself.
    const fields = fieldsOf(message);
    if (fields.is_lateral === true || fields.recursive === true) return node;
    return kind === 'resolved_with_scan_node' ? this.#withScan(node) : rewrap(node, this.#inputs(message));
  }

  #inputs(message: AnyNode): AnyNode {
    const fields = fieldsOf(message);
    let changed = message;
    for (const field of inputs) {
      const value = fields[field];
      if (!isPresent(value)) continue;
      const scan = this.#scan(asMessage(value, field));
      if (scan !== value) changed = withField(changed, field, scan);
    }
    if (isPresent(fields.input_item_list)) {
      const items = messages(fields, 'input_item_list').map((item) => this.#inputs(item));
      changed = withField(changed, 'input_item_list', items);
    }
    return changed;
  }

  #withScan(node: AnyNode): AnyNode {
    const { message } = unwrap(node);
    const own = messages(message, 'with_entry_list').map((item) => {
      const name = String(item.with_query_name);
      const references = this.#references.get(name) ?? 0;
      const subquery = this.#scan(asMessage(item.with_subquery, 'with_subquery'));
      const entry: Entry = { name, subquery, references, copies: [] };
      this.#entries.set(name, entry);
      return entry;
    });
    const query = this.#scan(asMessage(message.query, 'query'));
    const list = own
      .flatMap((entry) => [entry, ...entry.copies])
      .map(({ name, subquery }) => ({ with_query_name: name, with_subquery: subquery }));
    return rewrap(node, { ...message, with_entry_list: list, query });
  }

  /** @throws NotMergeable */
  #aggregation(node: AnyNode): AnyNode {
    const { message } = unwrap(node);
    refuseOthers(node);
    const number = this.#found.length;
    const changes: (() => void)[] = [];
    const rows = boundedRows(messageOf(fieldsOf(message), 'input_scan'), {
      number,
      newColumns: this.#newColumns,
      timeName: this.#timeName,
      parameter: (name) => this.#parameters.get(name.toLowerCase()),
      entry: (name) => this.#entryFor(name, changes),
    });
    for (const change of changes) change();
    this.#found.push({ number, table: rows.table, bounds: rows.bounds });
    const field = { number, column: rows.time };
    return rewrap(node, { ...withField(message, 'input_scan', rows.scan), [sliceField]: field });
  }

  /** An entry for one reference: itself, if there is no other. */
  #entryFor(name: string, changes: (() => void)[]) {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new NotMergeable('recursive query');
    if (entry.references === 1)
      return {
        name,
        subquery: entry.subquery,
        replace: (subquery: AnyNode) => void changes.push(() => (entry.subquery = subquery)),
      };
    const copy: Entry = {
      name: this.#newName(name),
      subquery: renumbered(entry.subquery, this.#newColumns),
      references: 1,
      copies: [],
    };
    const references = nodesOf('resolved_with_ref_scan_node', copy.subquery);
    for (const { with_query_name } of references) {
      const inner = this.#entries.get(String(with_query_name));
      if (inner !== undefined) inner.references += 1;
    }
    changes.push(() => {
      entry.copies.push(copy);
      entry.references -= 1;
    });
    return {
      name: copy.name,
      subquery: copy.subquery,
      replace: (subquery: AnyNode) => void changes.push(() => (copy.subquery = subquery)),
    };
  }

  #newName(entry: string): string {
    for (let number = 0; ; number++) {
      const name = `${entry}$slices${number}`;
      if (this.#names.has(name.toLowerCase())) continue;
      this.#names.add(name.toLowerCase());
      return name;
    }
  }
}

/** @throws NotMergeable for an aggregation with anything that isn't exact when it is merged */
function refuseOthers(node: AnyNode): void {
  const reader = new ResolvedNode(node);
  const at = reader.byteOffset;
  for (const field of ['grouping_set_list', 'grouping_call_list', 'rollup_column_list'])
    if (reader.has(field)) throw new NotMergeable('grouping sets', at);
  if (reader.has('collation_list')) throw new NotMergeable('groups of texts with a collation', at);
  for (const key of reader.list('group_by_list')) {
    const { type } = key.column('column');
    if (!exactTypes.has(type.kind))
      throw new NotMergeable(`groups of ${type.kind}`, key.child('expr').byteOffset);
  }
  for (const item of reader.list('aggregate_list')) refuseCall(item.child('expr'));
}

/** Modifiers of an aggregate call. */
const modifiers: Readonly<Record<string, string>> = {
  distinct: 'DISTINCT',
  having_modifier: 'HAVING MAX or HAVING MIN',
  order_by_item_list: 'ORDER BY in an aggregate',
  limit: 'LIMIT in an aggregate',
  collation_list: 'an aggregate of texts with a collation',
  where_expr: 'WHERE in an aggregate',
  group_by_list: 'GROUP BY in an aggregate',
};

function refuseCall(call: ResolvedNode): void {
  const at = call.byteOffset;
  if (call.kind !== 'resolved_aggregate_function_call_node') throw new NotMergeable('an aggregate', at);
  const { key, label } = functionName(call);
  const mergeable = Object.hasOwn(mergeableAggregates, key) ? mergeableAggregates[key] : undefined;
  if (mergeable === undefined) throw new NotMergeable(label, at);
  for (const [field, modifier] of Object.entries(modifiers))
    if (isPopulated(call.raw(field))) throw new NotMergeable(modifier, at);
  const [argument] = asList(call.raw('argument_list'), 'argument_list');
  const type = argument === undefined ? undefined : typeOf(asMessage(argument, 'argument')).kind;
  if (!mergeable.isExact(type)) throw new NotMergeable(`${label} of ${type}`, at);
}

/** A copy of a subquery with other columns. */
function renumbered(subquery: AnyNode, newColumns: NewColumns): AnyNode {
  const ids = new Map<string, number>();
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
    const message = part as AnyNode;
    const entries = Object.entries(message).map(([field, value]) => [field, copy(value)]);
    if (!('column_id' in message)) return Object.fromEntries(entries);
    const id = ids.get(idOf(message)) ?? newColumns.next();
    ids.set(idOf(message), id);
    return { ...Object.fromEntries(entries), column_id: id };
  };
  return copy(subquery) as AnyNode;
}
