import { textRange } from '../plan/parse-tree.ts';
import { calledFunction, lastColumnId, nodesOf, volatileFunctions } from '../plan/tree-nodes.ts';
import { isCollatedType } from '../resolved/collated-type.ts';
import { type AnyNode, asList, asMessage, fieldsOf, messages, unwrap } from '../resolved/node.ts';
import { UnsupportedError, unsupported } from '../resolved/unsupported.ts';
import { positionAt } from '../text/text-position.ts';
import type { CatalogFunction } from './catalog.ts';
import { definedGroup } from './declared-functions.ts';
import { AnalyzerError } from './error.ts';

const callKind = 'resolved_function_call_node';
const argumentKind = 'resolved_argument_ref_node';
const columnKind = 'resolved_column_ref_node';
const subqueryKind = 'resolved_subquery_expr_node';
const withKind = 'resolved_with_scan_node';
const referenceKind = 'resolved_with_ref_scan_node';

/** Arguments that may stand in the body as often as it reads them. Conditions over literals can then be settled. */
const simpleKinds = new Set([
  ...[columnKind, argumentKind],
  ...['resolved_literal_node', 'resolved_parameter_node'],
]);

/** The most messages that bodies in place of their calls may have: as many as the longest answer of the analyzer. */
const maxMessages = 400_000;

/** A body that is being copied in place of a call. */
interface Copy {
  /** The values of the arguments, by name in lower case: columns, literals and parameters. */
  readonly values: ReadonlyMap<string, AnyNode>;
  /** The ids of the body's own columns in this copy. */
  readonly ids: Map<string, string>;
  /** The names of the body's WITH entries in this copy. */
  readonly names: Map<string, string>;
  /** The WITH entries that read arguments. They stand in place of their references. */
  readonly entries: Map<string, AnyNode>;
  /** References to the columns that are read by each of the subqueries around, innermost last. */
  readonly readers: readonly Map<string, AnyNode>[];
}

/**
 * Puts the bodies of functions in place of their calls: `WITH(argument AS value, ..., body)`, or the body alone. The analyzer does so only for
 * functions of ANY TYPE, whose bodies it resolves anew for each call: there, a literal NULL has no type, and an argument
 * can't be read in a WITH clause.
 *
 * @param sql the text with the functions and their calls
 * @param functions those that the text can call, in addition to the built-in ones
 * @throws AnalyzerError for a body that can't stand there
 */
export function inlineFunctions(
  statement: AnyNode,
  sql: string,
  functions: readonly CatalogFunction[],
): AnyNode {
  const bodies = new Map(
    functions.flatMap(({ path, body }) => (body ? [[path.join('.').toLowerCase(), body] as const] : [])),
  );
  if (bodies.size === 0) return statement;
  try {
    return new Inliner(statement, bodies).statement();
  } catch (error) {
    if (error instanceof RangeError) throw new AnalyzerError('The query is too deeply nested');
    if (!(error instanceof UnsupportedError)) throw error;
    const { message, byteOffset } = error;
    throw new AnalyzerError(message, byteOffset === undefined ? undefined : positionAt(sql, byteOffset));
  }
}

/** By the functions' names in lower case. */
type Bodies = ReadonlyMap<string, NonNullable<CatalogFunction['body']>>;

class Inliner {
  readonly #statement: AnyNode;
  readonly #bodies: Bodies;
  #lastId: bigint;
  #lastName = 0;
  #messages = 0;

  constructor(statement: AnyNode, bodies: Bodies) {
    this.#statement = statement;
    this.#bodies = bodies;
    this.#lastId = lastColumnId(statement);
  }

  statement(): AnyNode {
    return this.#part(this.#statement, undefined) as AnyNode;
  }

  #newId(): string {
    this.#lastId++;
    return String(this.#lastId);
  }

  /** @param copy undefined outside of bodies */
  #part(part: unknown, copy: Copy | undefined): unknown {
    if (Array.isArray(part)) return part.map((each) => this.#part(each, copy));
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
    if (copy !== undefined) this.#count();
    const message = part as AnyNode;
    if (typeof message.node !== 'string') return this.#fields(message, copy);
    return (
      this.#node(message, copy) ?? { ...message, [message.node]: this.#part(message[message.node], copy) }
    );
  }

  #count(): void {
    this.#messages++;
    if (this.#messages > maxMessages)
      throw new AnalyzerError('The query is too large: its functions are called too often');
  }

  #fields(message: AnyNode, copy: Copy | undefined): AnyNode {
    const fields = Object.entries(message).map(([field, value]) => {
      if (copy !== undefined && field === 'column_id') return [field, this.#idIn(copy, String(value))];
      if (copy !== undefined && field === 'with_query_name')
        return [field, this.#nameIn(copy, String(value))];
      return [field, this.#part(value, copy)];
    });
    return Object.fromEntries(fields) as AnyNode;
  }

  #idIn({ ids }: Copy, id: string): string {
    const known = ids.get(id) ?? this.#newId();
    ids.set(id, known);
    return known;
  }

  #nameIn({ names }: Copy, name: string): string {
    const known = names.get(name) ?? `${name}$${++this.#lastName}`;
    names.set(name, known);
    return known;
  }

  /** What stands in place of a node. Undefined for one that stays as it is. */
  #node(node: AnyNode, copy: Copy | undefined): AnyNode | undefined {
    const { kind, message } = unwrap(node);
    if (kind === callKind) return this.#call(message, copy);
    if (copy === undefined) return undefined;
    if (kind === argumentKind) return argumentIn(message, copy);
    if (kind === subqueryKind) return this.#subquery(message, copy);
    if (kind === withKind) return this.#with(message, copy);
    if (kind === referenceKind) return this.#reference(message, copy);
    return undefined;
  }

  #call(call: AnyNode, copy: Copy | undefined): AnyNode | undefined {
    const base = asMessage(call.parent, 'parent');
    const { name } = asMessage(base.function, 'function');
    const body = String(name).startsWith(`${definedGroup}:`)
      ? this.#bodies.get(calledFunction(call))
      : undefined;
    if (body === undefined) return undefined;
    const computed: { readonly column: AnyNode; readonly expr: AnyNode }[] = [];
    const values = messages(base, 'argument_list').map((argument) => {
      const { type, type_annotation_map } = fieldsOf(unwrap(argument).message);
      if (isCollatedType(type_annotation_map))
        throw unsupported('a text with a collation as the argument of a function', textRange(call)?.start);
      const expr = this.#part(argument, copy) as AnyNode;
      if (simpleKinds.has(unwrap(expr).kind)) return expr;
      const column = { column_id: this.#newId(), table_name: '$function', name: 'argument', type };
      computed.push({ column, expr });
      return { node: columnKind, [columnKind]: columnReference(column, false) };
    });
    const inner: Copy = {
      values: new Map(body.argumentNames.map((each, i) => [each.toLowerCase(), values[i] ?? {}])),
      ids: new Map(),
      names: new Map(),
      entries: new Map(),
      readers: [],
    };
    const expression = this.#part(body.expression, inner) as AnyNode;
    if (computed.length === 0) return expression;
    const { type } = asMessage(base.parent, 'parent');
    const result = { parent: { type }, assignment_list: computed, expr: expression };
    return { node: 'resolved_with_expr_node', resolved_with_expr_node: result };
  }

  /** A subquery says which columns around it it reads. */
  #subquery(subquery: AnyNode, copy: Copy): AnyNode {
    const read = new Map<string, AnyNode>();
    const inner = { ...copy, readers: [...copy.readers, read] };
    // Its left side, as in `x IN (SELECT ...)`, is not within it.
    const { in_expr, ...rest } = subquery;
    const copied = this.#fields(rest, inner);
    const parameters = [...read.values()].map((reference) =>
      withinSubqueries(reference, copy.readers.length),
    );
    const result = {
      ...copied,
      ...(in_expr !== undefined && { in_expr: this.#part(in_expr, copy) }),
      parameter_list: [...asList(copied.parameter_list, 'parameter_list'), ...parameters],
    };
    return { node: subqueryKind, [subqueryKind]: result };
  }

  #with(scan: AnyNode, copy: Copy): AnyNode {
    const kept = messages(scan, 'with_entry_list').filter((entry) => {
      if (!this.#readsArguments(entry, copy)) return true;
      copy.entries.set(String(entry.with_query_name), this.#requireCopyable(entry, scan));
      return false;
    });
    if (kept.length === 0) return this.#part(scan.query, copy) as AnyNode;
    return { node: withKind, [withKind]: this.#fields({ ...scan, with_entry_list: kept }, copy) };
  }

  #readsArguments(entry: AnyNode, { entries }: Copy): boolean {
    if (nodesOf(argumentKind, entry).length > 0) return true;
    return nodesOf(referenceKind, entry).some(({ with_query_name }) => entries.has(String(with_query_name)));
  }

  /** An entry is evaluated once, however often it is read. */
  #requireCopyable(entry: AnyNode, scan: AnyNode): AnyNode {
    const { with_query_name, with_subquery } = entry;
    const subquery = asMessage(with_subquery, 'with_subquery');
    const place = textRange(unwrap(subquery).message)?.start ?? textRange(scan)?.start;
    if (nodesOf('resolved_recursive_scan_node', entry).length > 0)
      throw unsupported('an argument in a recursive WITH entry of a function', place);
    const isVolatile = nodesOf(callKind, entry).some((call) => volatileFunctions.has(calledFunction(call)));
    const references = nodesOf(referenceKind, scan).filter(
      (each) => each.with_query_name === with_query_name,
    );
    if (isVolatile && references.length > 1)
      throw unsupported('a random WITH entry of a function that reads an argument and is read twice', place);
    return subquery;
  }

  /** The rows of an entry under the names of its reference. */
  #reference(scan: AnyNode, copy: Copy): AnyNode | undefined {
    const entry = copy.entries.get(String(scan.with_query_name));
    if (entry === undefined) return undefined;
    const copied = this.#part(entry, { ...copy, ids: new Map(), names: new Map(copy.names) }) as AnyNode;
    const parent = this.#fields(asMessage(scan.parent, 'parent'), copy);
    const sources = messages(fieldsOf(unwrap(copied).message), 'column_list');
    const expr_list = messages(parent, 'column_list').map((column, i) => ({
      column,
      expr: { node: columnKind, [columnKind]: columnReference(sources[i] ?? {}, false) },
    }));
    const project = { parent, expr_list, input_scan: copied };
    return { node: 'resolved_project_scan_node', resolved_project_scan_node: project };
  }
}

/** The value of an argument. */
function argumentIn(argument: AnyNode, { values, readers }: Copy): AnyNode {
  const value = values.get(String(argument.name).toLowerCase());
  if (value === undefined) throw new TypeError('The resolved tree is malformed: an unknown argument');
  const { kind, message } = unwrap(value);
  if (kind !== columnKind) return value;
  const id = String(asMessage(message.column, 'column').column_id);
  for (const read of readers) read.set(id, message);
  return { node: columnKind, [columnKind]: withinSubqueries(message, readers.length) };
}

/** A reference to a column, in the expression around the body or in so many subqueries of the body. */
function withinSubqueries(reference: AnyNode, depth: number): AnyNode {
  return depth === 0 ? reference : { ...reference, is_correlated: true };
}

function columnReference(column: AnyNode, isCorrelated: boolean): AnyNode {
  return { parent: { type: column.type }, column, is_correlated: isCorrelated };
}
