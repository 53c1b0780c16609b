import { calledFunction, nodesOf, visitFields, volatileFunctions } from '../../plan/tree-nodes.ts';
import { type AnyNode, asMessage, fieldsOf, idOf, messages, unwrap, withField } from '../../resolved/node.ts';
import { withoutFields } from './calls.ts';
import { ColumnKeys } from './column-keys.ts';
import { normalCall } from './normal-call.ts';
import { normalScan } from './normal-scan.ts';
import { isMessage, rebuilt } from './rebuilt.ts';

const tableKind = 'resolved_table_scan_node';

/** The name of the WITH entry in whose place a scan is. */
export const entryName = Symbol('entry name');

/** A query in one form for many texts with the same meaning. */
export interface NormalQuery {
  /** The resolved statement, without WITH clauses. */
  readonly statement: AnyNode;
  /** The WITH entries that are read more than once, or that are recursive, in the order in which they are needed. */
  readonly entries: ReadonlyMap<string, AnyNode>;
  readonly keys: ColumnKeys;
}

/**
 * Rewrites a statement by rules that keep its meaning: see {@link normalCall} and {@link normalScan}. WITH entries that nothing reads
 * are left out, and those that are read once stand where they are read.
 *
 * @param isOrdered whether to bring into one order what has none
 */
export function normalQuery(statement: AnyNode, isOrdered: boolean): NormalQuery {
  const keys = new ColumnKeys(statement);
  const order = isOrdered ? keys : undefined;
  const replace = (message: AnyNode) => {
    if (typeof message.node === 'string') return normalCall(normalScan(message, order), order);
    return withoutWording(message);
  };
  return new Inlining(rebuilt(statement, replace, withOutputs), keys).result();
}

/** Without the list that repeats which columns of an outer query are read, without how literals are written, and what EXISTS ignores. */
function withoutWording(message: AnyNode): AnyNode {
  if ('has_explicit_type' in message) return withoutFields(message, ['has_explicit_type']);
  if (!('subquery_type' in message)) return message;
  const { subquery, ...rest } = withoutFields(message, ['parameter_list']);
  if (message.subquery_type !== 'EXISTS' || !isMessage(subquery)) return { ...rest, subquery };
  let scan: AnyNode = subquery;
  for (;;) {
    const { kind, message: project } = unwrap(scan);
    if (kind !== 'resolved_project_scan_node') break;
    scan = asMessage(fieldsOf(project).input_scan, 'input_scan');
  }
  return { ...withoutFields(rest, ['outputs']), subquery: scan };
}

/** States which columns a subquery returns, where only the subquery's own list says it. */
function withOutputs(message: AnyNode): AnyNode {
  const scan = message.with_subquery ?? message.subquery;
  if (!isMessage(scan)) return message;
  return { ...message, outputs: messages(fieldsOf(unwrap(scan).message), 'column_list') };
}

/** Puts WITH entries where they are read. */
class Inlining {
  readonly #statement: AnyNode;
  readonly #keys: ColumnKeys;
  readonly #entries = new Map<string, AnyNode>();
  readonly #reads = new Map<string, number>();
  readonly #kept = new Map<string, AnyNode>();
  /** The columns of entries, by the ids of the columns as which they are read. */
  readonly #columns = new Map<string, AnyNode>();

  constructor(statement: AnyNode, keys: ColumnKeys) {
    this.#statement = statement;
    this.#keys = keys;
    for (const scan of nodesOf('resolved_with_scan_node', statement))
      for (const entry of messages(fieldsOf(scan), 'with_entry_list'))
        this.#entries.set(String(entry.with_query_name), entry);
    this.#count(statement);
  }

  result(): NormalQuery {
    const statement = this.#inlined(this.#statement);
    const rename = <Part>(part: Part) => rebuiltColumns(part, (column) => this.#original(column));
    const [query, ...entries] = withoutUnread([rename(statement), ...[...this.#kept.values()].map(rename)]);
    const names = [...this.#kept.keys()];
    return {
      statement: query ?? statement,
      entries: new Map(entries.map((entry, index) => [names[index] ?? '', entry])),
      keys: this.#keys,
    };
  }

  /** Counts who reads each entry, without those that nobody reads. */
  #count(part: unknown): void {
    const names: string[] = [];
    visitFields(
      part,
      new Set(['with_entry_list', 'type', 'column', 'column_list', 'value']),
      (field, value) => {
        if (field === 'resolved_with_ref_scan_node')
          names.push(String(fieldsOf(asMessage(value, field)).with_query_name));
      },
    );
    for (const name of names) {
      const before = this.#reads.get(name) ?? 0;
      this.#reads.set(name, before + 1);
      if (before === 0) this.#count(this.#entries.get(name)?.with_subquery);
    }
  }

  #inlined<Part>(part: Part): Part {
    return rebuilt(
      part,
      (message) => {
        const { kind, message: scan } = unwrap(message);
        if (kind === 'resolved_with_scan_node') return asMessage(fieldsOf(scan).query, 'query');
        return kind === 'resolved_with_ref_scan_node' ? this.#read(message, scan) : message;
      },
      withoutEntries,
    );
  }

  #read(reference: AnyNode, scan: AnyNode): AnyNode {
    const { with_query_name } = fieldsOf(scan);
    const name = String(with_query_name);
    const entry = this.#entries.get(name);
    if (entry === undefined) return reference;
    const subquery = asMessage(entry.with_subquery, 'with_subquery');
    const isInlined =
      this.#reads.get(name) === 1 && nodesOf('resolved_recursive_scan_node', subquery).length === 0;
    if (!isInlined) {
      if (!this.#kept.has(name)) {
        this.#kept.set(name, entry);
        // Set again, so that it comes after those that it reads.
        const inlined = this.#inlined(entry);
        this.#kept.delete(name);
        this.#kept.set(name, inlined);
      }
      return reference;
    }
    const outputs = messages(entry, 'outputs');
    for (const [position, column] of messages(fieldsOf(scan), 'column_list').entries()) {
      const output = outputs[position];
      if (output !== undefined) this.#columns.set(idOf(column), output);
    }
    return { ...this.#inlined(subquery), [entryName]: name };
  }

  #original(column: AnyNode): AnyNode {
    let found = column;
    for (let next = this.#columns.get(idOf(found)); next !== undefined; next = this.#columns.get(idOf(found)))
      found = next;
    return found;
  }
}

function withoutEntries(message: AnyNode): AnyNode {
  return message.with_entry_list === undefined ? message : { ...message, with_entry_list: [] };
}

/** Without the columns of tables that nothing reads. */
function withoutUnread(parts: readonly AnyNode[]): readonly AnyNode[] {
  const read = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isMessage(value)) {
      if (value.column_id !== undefined) read.add(idOf(value));
      else if (value.node === tableKind) visitScan(asMessage(value[tableKind], tableKind));
      else
        for (const field of Object.keys(value))
          if (field !== 'type' && field !== 'value') visit(value[field]);
    }
  };
  const visitScan = (scan: AnyNode): void => visit(withoutFields(scan, ['column_list']));
  visit(parts);
  return rebuilt(parts, (message) => {
    if (message.node !== tableKind) return message;
    const scan = asMessage(message[tableKind], tableKind);
    const columns = messages(fieldsOf(scan), 'column_list').filter((column) => read.has(idOf(column)));
    const names = columns.map(({ name }) => name);
    const fewer = withField(withField(scan, 'column_list', columns), 'column_index_list', names);
    return { ...message, [tableKind]: fewer };
  });
}

/** A copy with other columns, in whatever refers to columns. */
function rebuiltColumns<Part>(part: Part, columnOf: (column: AnyNode) => AnyNode): Part {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isMessage(value)) return value;
    if (value.column_id !== undefined) return columnOf(value);
    const copy: Record<string | symbol, unknown> = { ...value };
    for (const field of Object.keys(copy))
      if (field !== 'type' && field !== 'value' && typeof copy[field] === 'object')
        copy[field] = visit(copy[field]);
    return copy;
  };
  return visit(part) as Part;
}

/** Whether a statement takes a sample, or calls functions that return another value at each call. */
export function isVolatile(statement: AnyNode): boolean {
  if (nodesOf('resolved_sample_scan_node', statement).length > 0) return true;
  return nodesOf('resolved_function_call_node', statement).some((call) =>
    volatileFunctions.has(calledFunction(call)),
  );
}
