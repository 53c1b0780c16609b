import { isTablePath, placeOfTable, tableOfPath } from '../../../definitions/sources/source.ts';
import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../../sql/analyzer/error.ts';
import { identifiersIn, type TextRange, textRange, withEntries } from '../../../sql/plan/parse-tree.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { nodesOf } from '../../../sql/plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  fieldsOf,
  idOf,
  isPresent,
  messages,
  unwrap,
} from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { columnFromProto, resultColumns } from '../../../sql/resolved/result-columns.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import { edited, type TextEdit } from '../text/text-edits.ts';
import { type GroupKey, groupKeys, placed, selectItems } from './group-keys.ts';
import { mergeableAggregates } from './mergeable.ts';
import { averageEdits, mergedEdits } from './merged-edits.ts';
import { NotSliceable } from './not-sliceable.ts';
import { SameTree } from './same-tree.ts';
import { type SelectPlace, selectWith } from './select-place.ts';
import { type SliceableAggregation, sliceableAggregation, type TimedSource } from './sliceable.ts';
import { composed, type TextPiece } from './text-piece.ts';

/** The relation of parts, in texts that only the analyzer gets. */
const partsTable = 'gateway_parts';

const keyName = (number: number) => `gateway_k${number}`;
const valueName = (number: number) => `gateway_a${number}`;

/** How the aggregation of a query can be had from parts of its rows. */
export interface SliceableText {
  /** The query, with another expression in place of each average. All places are in this text. */
  readonly sql: string;
  readonly statement: AnyNode;
  readonly parsed: AnyNode;
  readonly sources: readonly TimedSource[];
  /** The columns of the source that are read. The proof is that of a source that has no others. */
  readonly read: readonly string[];
  /** The SELECT of the parts' keys and values. */
  readonly part: readonly TextPiece[];
  /** Its columns. */
  readonly columns: readonly Column[];
  /** The FROM and WHERE of the aggregation, in whose place the relation of parts is. */
  readonly from: TextRange;
  /** The other edits that merge parts. */
  readonly edits: readonly TextEdit[];
}

type SlicingAnalyzer = Pick<Analyzer, 'parse' | 'analyze'>;

/**
 * Writes a query as one over parts of its rows, and proves that it is the same: both texts are resolved, and their trees are compared
 * with the query's. Undefined if that fails, whatever the reason.
 *
 * @throws AnalyzerUnavailableError
 */
export async function sliceableText(
  plan: Plan,
  parsed: AnyNode,
  analyzer: SlicingAnalyzer,
): Promise<SliceableText | undefined> {
  if (plan.functionsEnd !== undefined || /gateway_[a-z]/i.test(plan.sql)) return undefined;
  try {
    const aggregation = sliceableAggregation(statementOf(plan));
    if (aggregation === undefined) return undefined;
    return await new Writer(plan, analyzer).write(aggregation, parsed);
  } catch (error) {
    if (error instanceof AnalyzerUnavailableError && !(error instanceof AnalyzerOverwhelmedError))
      throw error;
    return undefined;
  }
}

class Writer {
  readonly #plan: Plan;
  readonly #analyzer: SlicingAnalyzer;

  constructor(plan: Plan, analyzer: SlicingAnalyzer) {
    this.#plan = plan;
    this.#analyzer = analyzer;
  }

  async write(first: SliceableAggregation, parsed: AnyNode): Promise<SliceableText> {
    const catalog = catalogOf(statementOf(this.#plan));
    const { sql, statement, tree, aggregation } = await this.#withoutAverages(first, parsed, catalog);
    const starts = new Set(aggregation.aggregates.map(({ start }) => start));
    const place = selectWith(starts, tree);
    if (place === undefined) throw new NotSliceable('a SELECT that is not found');
    const items = selectItems(place.select);
    const keys = groupKeys(place.select, items);
    const from = fromOf(place.select);
    const calls = aggregation.aggregates.map(({ start, name }, i) => {
      const merge = mergeableAggregates.get(name)?.merge;
      if (merge === undefined) throw new NotSliceable(name);
      return [start, `${merge}(${valueName(i)})`] as const;
    });
    const replaced = keys.map((key, i) => ({ key, sql: keyName(i) }));
    const edits = mergedEdits(sql, place, items, { keys: replaced, calls: new Map(calls) });
    const callRanges = rangesOfCalls(place, starts);
    const values = aggregation.aggregates.map(({ start }) => callRanges.get(start) ?? placed(undefined));
    const part = partPieces(place, { keys, values, from });
    const partColumns = await this.#provePart(part, { sql, statement, aggregation, catalog });
    await this.#proveMerged(edited(sql, [...edits, { ...from, text: `FROM ${partsTable}` }]).text, {
      statement,
      aggregation,
      catalog,
      columns: partColumns,
    });
    const { sources } = aggregation;
    const table = catalog.tables.find(({ path }) => path.join('.') === sources[0]?.table);
    const read = table?.columns.map(({ name }) => name) ?? [];
    return { sql, statement, parsed: tree, sources, read, part, columns: partColumns, from, edits };
  }

  /** The query with sums and numbers in place of averages. */
  async #withoutAverages(aggregation: SliceableAggregation, parsed: AnyNode, catalog: Catalog) {
    const averages = aggregation.aggregates.filter(({ name }) => name === 'avg');
    if (averages.length === 0)
      return { sql: this.#plan.sql, statement: statementOf(this.#plan), tree: parsed, aggregation };
    const starts = new Set(averages.map(({ start }) => start));
    const edits = averageEdits(this.#plan.sql, parsed, starts);
    const sql = edited(this.#plan.sql, edits).text;
    const [statement, tree] = await Promise.all([this.#analyze(sql, catalog), this.#analyzer.parse(sql)]);
    const other = sliceableAggregation(statement);
    const number = aggregation.aggregates.length + averages.length;
    if (other === undefined || other.aggregates.length !== number || edits.length !== averages.length)
      throw new NotSliceable('an average');
    if (!isSameResult(resultColumns(statement), this.#plan.columns)) throw new NotSliceable('an average');
    return { sql, statement, tree, aggregation: other };
  }

  #analyze(sql: string, catalog: Catalog): Promise<AnyNode> {
    return this.#analyzer.analyze(sql, { catalog, parameters: this.#plan.parameters });
  }

  /** @returns the columns of the parts */
  async #provePart(pieces: readonly TextPiece[], { sql, statement, aggregation, catalog }: Proof) {
    const part = await this.#analyze(composed(pieces, sql, []), catalog);
    const own = withoutProjection(aggregationOf(part));
    const theirs = withoutProjection(fieldsOf(aggregation.scan));
    const trees = new SameTree();
    const entries = entriesOf(statement);
    const areSame =
      [...entriesOf(part)].every(([name, entry]) => trees.is(entries.get(name), entry)) &&
      ['input_scan', 'group_by_list', 'aggregate_list'].every((field) =>
        trees.is(theirs[field], own[field]),
      ) &&
      trees.is(withoutLists(theirs), withoutLists(own));
    const made = [...messages(own, 'group_by_list'), ...messages(own, 'aggregate_list')];
    const outputs = messages(unwrap(part).message, 'output_column_list');
    const arePassed =
      made.length === outputs.length &&
      made.every(({ column }, i) => idOf(column) === idOf(outputs[i]?.column));
    if (!areSame || !arePassed) throw new NotSliceable('a part');
    return resultColumns(part);
  }

  async #proveMerged(text: string, { statement, aggregation, catalog, columns }: MergedProof): Promise<void> {
    const tables = [...catalog.tables, { path: [partsTable] as const, columns }];
    const merged = await this.#analyze(text, { tables });
    const trees: SameTree = new SameTree((left, right) =>
      left === aggregation.scan ? isMerged(trees, left, right, aggregation) : undefined,
    );
    if (!trees.is(statement, merged)) throw new NotSliceable('another query');
  }
}

interface Proof {
  readonly sql: string;
  readonly statement: AnyNode;
  readonly aggregation: SliceableAggregation;
  readonly catalog: Catalog;
}

interface MergedProof extends Omit<Proof, 'sql'> {
  readonly columns: readonly Column[];
}

/** Whether an aggregation is the one that merges the parts of another one. */
function isMerged(
  trees: SameTree,
  left: AnyNode,
  right: AnyNode,
  { aggregates }: SliceableAggregation,
): boolean {
  const [whole, merged] = [fieldsOf(left), fieldsOf(right)];
  const { kind, message } = unwrap(asMessage(merged.input_scan, 'input_scan'));
  if (kind !== 'resolved_table_scan_node') return false;
  const scan = fieldsOf(message);
  if (String(asMessage(scan.table, 'table').name) !== partsTable) return false;
  const names = new Map(messages(scan, 'column_list').map((column) => [idOf(column), String(column.name)]));
  const nameOf = (expression: unknown) => {
    const { kind: of, message: own } = unwrap(asMessage(expression, 'expr'));
    return of === 'resolved_column_ref_node' ? names.get(idOf(own.column)) : undefined;
  };
  const pairs = (field: string) => [messages(whole, field), messages(merged, field)] as const;
  const [keys, mergedKeys] = pairs('group_by_list');
  const [values, mergedValues] = pairs('aggregate_list');
  if (keys.length !== mergedKeys.length || values.length !== mergedValues.length) return false;
  const isKey = ({ column }: AnyNode, i: number) =>
    nameOf(mergedKeys[i]?.expr) === keyName(i) &&
    trees.bind(asMessage(column, 'column'), asMessage(mergedKeys[i]?.column, 'column'));
  const isValue = ({ column }: AnyNode, i: number) => {
    const call = fieldsOf(unwrap(asMessage(mergedValues[i]?.expr, 'expr')).message);
    const merge = mergeableAggregates.get(aggregates[i]?.name ?? '')?.merge.toLowerCase();
    const { function: called, argument_list, distinct, having_modifier, where_expr, ...others } = call;
    const [argument, more] = messages({ argument_list }, 'argument_list');
    const isPlain = ![distinct, having_modifier, where_expr, others.order_by_item_list, others.limit].some(
      isPopulated,
    );
    return (
      isPlain &&
      String(asMessage(called, 'function').name).toLowerCase() === `zetasql:${merge}` &&
      argument !== undefined &&
      more === undefined &&
      nameOf(argument) === valueName(i) &&
      trees.bind(asMessage(column, 'column'), asMessage(mergedValues[i]?.column, 'column'))
    );
  };
  return keys.every(isKey) && values.every(isValue) && trees.is(withoutLists(whole), withoutLists(merged));
}

/** The other fields of an aggregation. */
function withoutLists({
  input_scan: _,
  group_by_list: __,
  aggregate_list: ___,
  column_list: ____,
  parent: _____,
  ...others
}: AnyNode): AnyNode {
  return others;
}

/** The aggregation that makes the rows of a statement, but for its WITH and the order of its columns. */
function aggregationOf(statement: AnyNode): AnyNode {
  let { kind, message } = unwrap(asMessage(unwrap(statement).message.query, 'query'));
  while (kind === 'resolved_with_scan_node' || kind === 'resolved_project_scan_node') {
    const fields = fieldsOf(message);
    if (isPopulated(fields.expr_list)) throw new NotSliceable('a computed part');
    ({ kind, message } = unwrap(asMessage(fields.query ?? fields.input_scan, 'query')));
  }
  if (kind !== 'resolved_aggregate_scan_node') throw new NotSliceable('a part');
  return fieldsOf(message);
}

/** An aggregation with its keys' expressions in its own list: the analyzer computes some of them below it. */
function withoutProjection(aggregation: AnyNode): AnyNode {
  const { kind, message } = unwrap(asMessage(aggregation.input_scan, 'input_scan'));
  if (kind !== 'resolved_project_scan_node') return aggregation;
  const { expr_list, input_scan } = fieldsOf(message);
  const computed = messages({ expr_list }, 'expr_list');
  if (!computed.every(({ column }) => asMessage(column, 'column').table_name === '$pre_groupby'))
    return aggregation;
  const expressions = new Map(computed.map(({ column, expr }) => [idOf(column), expr]));
  const keys = messages(aggregation, 'group_by_list').map((key) => {
    const { kind: of, message: own } = unwrap(asMessage(key.expr, 'expr'));
    const expr = of === 'resolved_column_ref_node' ? expressions.get(idOf(own.column)) : undefined;
    return expr === undefined ? key : { ...key, expr };
  });
  return { ...aggregation, input_scan, group_by_list: keys };
}

function entriesOf(statement: AnyNode): ReadonlyMap<string, unknown> {
  return new Map(
    nodesOf('resolved_with_scan_node', statement)
      .flatMap((scan) => messages(scan, 'with_entry_list'))
      .map((entry) => [String(entry.with_query_name), entry.with_subquery]),
  );
}

/** The tables that a statement reads, with the columns that it reads. */
function catalogOf(statement: AnyNode): Catalog {
  const tables = new Map<string, Map<number, Column>>();
  for (const scan of nodesOf('resolved_table_scan_node', statement)) {
    const fields = fieldsOf(scan);
    const { full_name, name } = asMessage(fields.table, 'table');
    const columns = tables.get(String(full_name || name)) ?? new Map<number, Column>();
    tables.set(String(full_name || name), columns);
    const places = messages(fields, 'column_list');
    const numbers = (fields.column_index_list as readonly unknown[] | undefined) ?? [];
    for (const [i, column] of places.entries()) {
      const { name: own, type } = columnFromProto(column);
      columns.set(Number(numbers[i]), { name: own, type });
    }
  }
  return {
    tables: Array.from(tables, ([name, columns]) => {
      if (!isTablePath(name)) throw new NotSliceable(name);
      const ordered = [...columns].sort(([a], [b]) => a - b).map(([, column]) => column);
      return { path: placeOfTable(tableOfPath(name)), columns: ordered };
    }),
  };
}

function fromOf(select: AnyNode): TextRange {
  const from = placed(select.from_clause);
  return {
    start: from.start,
    end: isPresent(select.where_clause) ? placed(select.where_clause).end : from.end,
  };
}

function rangesOfCalls(
  { select, orderBy }: SelectPlace,
  starts: ReadonlySet<number>,
): Map<number, TextRange> {
  const calls = new Map<number, TextRange>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const element of part) visit(element);
    else if (typeof part === 'object' && part !== null)
      for (const [field, value] of Object.entries(part as AnyNode)) {
        const range = field === 'ast_function_call_node' ? textRange(value) : undefined;
        if (range !== undefined && starts.has(range.start)) calls.set(range.start, range);
        else if (field !== 'parent') visit(value);
      }
  };
  visit([select, orderBy]);
  return calls;
}

/** The SELECT of the parts, with the entries of WITH that it needs. */
function partPieces(
  { select, entries }: SelectPlace,
  { keys, values, from }: { keys: readonly GroupKey[]; values: readonly TextRange[]; from: TextRange },
): readonly TextPiece[] {
  const own = withEntries(entries);
  const names = own.map(({ name }) => name.toLowerCase());
  if (new Set(names).size !== entries.length) throw new NotSliceable('two entries of WITH with one name');
  const needed = identifiersIn(select);
  const read = own.toReversed().filter(({ name, identifiers }) => {
    if (!needed.has(name.toLowerCase())) return false;
    for (const each of identifiers) needed.add(each);
    return true;
  });
  const listed = read
    .toReversed()
    .flatMap(({ start, end }, i) => [i === 0 ? 'WITH ' : ',\n', { start, end }]);
  const columns = [
    ...keys.map(({ expression }, i) => [expression, ` AS ${keyName(i)}`] as const),
    ...values.map((range, i) => [range, ` AS ${valueName(i)}`] as const),
  ].flatMap(([range, name], i) => [i === 0 ? '\nSELECT ' : ', ', range, name]);
  const groups = keys.flatMap(({ expression, isOfList }, i) => [
    i === 0 ? '\nGROUP BY ' : ', ',
    isOfList ? String(i + 1) : expression,
  ]);
  return [...listed, ...columns, '\n', from, ...groups];
}

function isSameResult(left: readonly Column[], right: readonly Column[]): boolean {
  const text = (columns: readonly Column[]) =>
    JSON.stringify(columns.map(({ name, type }): [string, SqlType] => [name, type]));
  return text(left) === text(right);
}
