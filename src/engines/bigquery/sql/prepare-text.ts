import { never } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import { AnalyzerUnavailableError } from '../../../sql/analyzer/error.ts';
import { type ParameterUse, parameterUses, queryRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { syntaxNodesOf } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { tokens } from '../../../sql/text/lexer.ts';
import type { PlacedText } from '../../../sql/text/place.ts';
import { queryOnly } from '../../../sql/text/query-only.ts';
import { timestampLiteral } from '../../../sql/text/sql-text.ts';
import { type SourceBounds, sourceBounds } from '../bounds/bounded-sources.ts';
import { type ReadPlace, readPlaces } from '../bounds/read-places.ts';
import type { Choice } from '../choices/choice.ts';
import { findChoices } from '../choices/find-choices.ts';
import { type SliceableText, sliceableText } from '../sliceable/prepare-slices.ts';
import type { PreparedSlices } from '../sliceable/prepared-slices.ts';
import { type LimitPlace, limitPlace } from '../text/row-limit.ts';
import { type TableText, tableEdits } from '../text/table-edits.ts';
import { quotedTable, type TableName, type TableNames } from '../text/table-names.ts';
import type { TextEdit } from '../text/text-edits.ts';
import { checkPlan } from './check-plan.ts';

/** The functions that ask for the present, and the conversion of a TIMESTAMP that gives their result. */
const conversions: ReadonlyMap<string, string> = new Map([
  ['current_timestamp', 'TIMESTAMP'],
  ['current_date', 'DATE'],
  ['current_datetime', 'DATETIME'],
  ['current_time', 'TIME'],
]);

/**
 * Replaces `CURRENT_TIMESTAMP` and related functions by conversions of a fixed time, to the time zone of the call if it has one.
 *
 * @param parsed the parse tree of the query
 * @param now in microseconds since the epoch
 * @throws UnsupportedError for such a function in the definition of another one, which is not in the tree
 */
export function clockEdits(
  { sql, functionsEnd = 0 }: Pick<PlacedText, 'sql' | 'functionsEnd'>,
  parsed: AnyNode,
  now: bigint,
): TextEdit[] {
  const time = timestampLiteral(now);
  const bytes = Buffer.from(sql);
  for (const { text } of tokens(bytes.subarray(0, functionsEnd).toString()))
    if (conversions.has(text.replaceAll('`', '').toLowerCase()))
      throw unsupported(`${text} in the definition of a function, at a time that is given`);
  return syntaxNodesOf('ast_function_call_node', parsed).flatMap((call) => {
    const name = asMessage(asList(asMessage(call.function, 'function').names, 'names').at(-1), 'name');
    const conversion = conversions.get(String(name.id_string).toLowerCase());
    const range = textRange(name);
    if (conversion === undefined || range === undefined) return [];
    if (call.is_current_date_time_without_parentheses === true)
      return [{ ...range, text: `${conversion}(${time})` }];
    const bracket = range.end + bytesOfFirstToken(bytes.subarray(range.end).toString());
    const comma = asList(call.arguments, 'arguments').length > 0 ? ', ' : '';
    return [
      { ...range, text: conversion },
      { start: bracket, end: bracket, text: `${time}${comma}` },
    ];
  });
}

/** The bytes of a text up to the end of its first token. */
function bytesOfFirstToken(text: string): number {
  const [first] = tokens(text);
  return Buffer.byteLength(text.slice(0, first?.end ?? 0));
}

/** The parts of a text that are known before it runs. Plain data, because it is made in another thread. */
export interface PreparedText {
  /** The tables that the query reads, by source. */
  readonly tables: ReadonlyMap<string, TableName>;
  /** The edits of every run's text. At equal positions, those of `after` come last. */
  readonly edits: readonly TextEdit[];
  readonly after: readonly TextEdit[];
  readonly limit: LimitPlace;
  readonly uses: readonly ParameterUse[];
  /** Where the rows of tables can be limited to a range of times. */
  readonly bounds: RunBounds;
  /** All places where tables are read. */
  readonly reads: readonly ReadPlace[];
  /** What the parameters of a run can exclude. */
  readonly choices: readonly Choice[];
  /** Absent if the query can't be answered from parts of its rows. */
  readonly slices?: PreparedSlices;
}

/** What preparing needs. Without `analyze`, nothing is answered from parts of its rows. */
type PreparingAnalyzer = Pick<Analyzer, 'parse'> & Partial<Pick<Analyzer, 'analyze'>>;

/**
 * Prepares the text of a plan that will run on BigQuery.
 *
 * @param signal aborts the calls of the analyzer
 * @throws GatewayError QUERY_FAILED for a query that is not permitted or possible on BigQuery, BACKEND_UNAVAILABLE
 *   without the analyzer
 */
export async function prepareText(
  plan: Plan,
  analyzer: PreparingAnalyzer,
  names: TableNames,
  signal = never,
): Promise<PreparedText> {
  const textOf = (source: string) => ({ sql: quotedTable(names(source)), isName: true });
  const { sources, parsed, ...text } = await prepare(plan, analyzer, textOf, () => []);
  const tables = new Map(Array.from(sources, (source) => [source, names(source)]));
  const { parse, analyze } = analyzer;
  if (analyze === undefined) return { ...text, tables };
  const sliceable = await sliceableText(plan, parsed, {
    parse: (...call) => parse.apply(analyzer, call),
    analyze: (...call) => analyze.apply(analyzer, call),
  }).catch(rethrowUnavailable);
  signal.throwIfAborted();
  const slices = sliceable && preparedSlices(sliceable, textOf);
  return { ...text, tables, ...(slices && { slices }) };
}

/** Undefined if the table can't be replaced by a subquery over it. */
function preparedSlices(
  { statement, parsed, sources, ...text }: SliceableText,
  textOf: (source: string) => TableText,
): PreparedSlices | undefined {
  const { edits: tables, relations } = tableEdits(statement, parsed, textOf);
  const usable = sources.filter(({ start }) => relations.has(start));
  if (usable.length === 0) return undefined;
  const record = valueTableEdits(statement, parsed);
  return {
    ...text,
    sources: usable,
    tables,
    limit: limitPlace(parsed),
    edits: record === undefined ? text.edits : [record.before, ...text.edits],
    after: record === undefined ? [] : [record.after],
  };
}

function rethrowUnavailable(error: unknown): never {
  if (!(error instanceof AnalyzerUnavailableError)) throw error;
  throw new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error });
}

/** What a query sees instead of tables and the present time. */
interface HeldData {
  /** The rows of a source, as a relation in GoogleSQL. */
  readonly rowsSql: (source: string) => string;
  /** What the clock shows, in microseconds since the epoch. */
  readonly now: bigint;
}

/** The same over given rows, at a given time. Fails like {@link prepareText}. */
export async function prepareTextOverRows(
  plan: Plan,
  analyzer: Pick<Analyzer, 'parse'>,
  { rowsSql, now }: HeldData,
): Promise<PreparedText> {
  const textOf = (source: string) => ({ sql: `(${rowsSql(source)})`, isName: false });
  const {
    sources: _,
    parsed: __,
    ...text
  } = await prepare(plan, analyzer, textOf, (parsed) => clockEdits(plan, parsed, now));
  return { ...text, tables: new Map(), bounds: noBounds, choices: [] };
}

async function prepare(
  plan: Plan,
  analyzer: Pick<Analyzer, 'parse'>,
  textOf: (source: string) => TableText,
  otherEdits: (parsed: AnyNode) => readonly TextEdit[],
): Promise<
  Omit<PreparedText, 'tables'> & { readonly sources: ReadonlySet<string>; readonly parsed: AnyNode }
> {
  await checkPlan(plan);
  const parsed = await analyzer.parse(queryOnly(plan)).catch(rethrowUnavailable);
  const statement = statementOf(plan);
  const { edits: ofTables, sources, relations } = tableEdits(statement, parsed, textOf);
  const edits = [...ofTables, ...otherEdits(parsed)];
  const record = valueTableEdits(statement, parsed);
  const limit = limitPlace(parsed);
  return {
    sources,
    parsed,
    edits: record === undefined ? edits : [record.before, ...edits],
    after: record === undefined ? [] : [record.after],
    limit,
    uses: parameterUses(parsed),
    bounds: boundsIn(statement, relations, limit),
    reads: readPlaces(statement),
    choices: findChoices(statement, parsed, plan.sql),
  };
}

/** The bounds with which a query is run. */
type RunBounds = Omit<SourceBounds, 'bounded'>;

const noBounds: RunBounds = { sources: [], newestFirst: undefined };

/** The bounds of tables that a subquery can replace. */
function boundsIn(statement: AnyNode, relations: ReadonlySet<number>, limit: LimitPlace): RunBounds {
  const { sources, newestFirst } = sourceBounds(statement);
  const isUsable =
    newestFirst !== undefined &&
    relations.has(newestFirst.start) &&
    newestFirst.hasLimit === (limit.kind !== 'none');
  return {
    sources: sources.filter(({ start }) => relations.has(start)),
    newestFirst: isUsable ? newestFirst : undefined,
  };
}

/**
 * The edits that keep the records of a SELECT AS STRUCT or AS VALUE in one column, as the analyzer types them: BigQuery
 * would return their fields as columns. Undefined for every other query.
 */
function valueTableEdits(
  statement: AnyNode,
  parsed: AnyNode,
): { readonly before: TextEdit; readonly after: TextEdit } | undefined {
  const range = queryRange(parsed);
  if (unwrap(statement).message.is_value_table !== true || range === undefined) return undefined;
  return {
    before: { start: range.start, end: range.start, text: 'SELECT record FROM (\n' },
    after: { start: range.end, end: range.end, text: '\n) AS record' },
  };
}
