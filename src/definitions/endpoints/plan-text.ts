import type { Account } from '../../base/fairness/account.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { Catalog, CatalogFunction } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../sql/analyzer/error.ts';
import { refuseTablesInFunctions } from '../../sql/analyzer/stored-functions.ts';
import { parametersOfAllRows } from '../../sql/bound-rows/bound-rows.ts';
import { timeAt } from '../../sql/columns/time-of-rows.ts';
import { knownColumns, pagingOf } from '../../sql/paging/page-order.ts';
import { type ParameterUse, parameterUses } from '../../sql/plan/parse-tree.ts';
import { newPlan, type Plan, type PlanParts } from '../../sql/plan/plan.ts';
import type { AnyNode } from '../../sql/resolved/node.ts';
import { resultColumns } from '../../sql/resolved/result-columns.ts';
import { UnsupportedError } from '../../sql/resolved/unsupported.ts';
import { identifier } from '../../sql/text/identifier.ts';
import type { PlacedText } from '../../sql/text/place.ts';
import { queryOnly } from '../../sql/text/query-only.ts';
import { positionAt, type SqlPosition } from '../../sql/text/text-position.ts';
import { uniquelyNamed } from '../../sql/values/column-names.ts';
import type { Packed } from '../../sql/values/packed.ts';
import type { Column, SqlType } from '../../sql/values/type.ts';
import type { Composition, ReadableQueries } from './composition/readable-query.ts';
import { StoredWith } from './composition/stored-with.ts';
import type { EndpointTable } from './endpoint.ts';

/**
 * Plans a query for each entry of a stored query's WITH clause: all of its rows, newest first if it has a column
 * `timestamp` or, without it, one by which a table of the query is ordered. Returns nothing for a query without a WITH clause.
 *
 * @param stored the plan of the stored query
 * @param parsed the parse tree of its query
 */
async function planTables(
  stored: Plan,
  parsed: AnyNode,
  { analyzer, catalog }: { readonly analyzer: Pick<Analyzer, 'analyze'>; readonly catalog: Catalog },
): Promise<EndpointTable[]> {
  const withClause = new StoredWith(stored, parsed);
  if (withClause.names.length === 0) return [];
  const { parameters } = stored;
  const analyze = async (read: readonly string[], select: string): Promise<PlanParts> => {
    const { sql: clause, ...functions } = withClause.clauseFor(read);
    const text = { sql: `${clause}\n${select}`, ...functions };
    const statement = await analyzer.analyze(text.sql, { catalog, parameters, ...functions });
    const columns = resultColumns(statement);
    const paging = pagingOf(statement, knownColumns(catalog));
    return { ...text, statement, columns, parameters, isCallers: false, paging };
  };
  const read = new Set(stored.tables);
  const times = catalog.tables.flatMap(({ path, time }) =>
    time !== undefined && read.has(path.join('.')) ? [time] : [],
  );
  const quoted = withClause.names.map(identifier);
  // One analysis returns the columns of all entries.
  const records = quoted.map((name) => `ARRAY(SELECT AS STRUCT * FROM ${name})`);
  const { columns } = await analyze(withClause.names, `SELECT ${records.join(', ')}`);
  return Promise.all(
    withClause.names.map(async (name, index) => {
      const fields = fieldsOf(columns[index]);
      const time = ['timestamp', ...times].find((column) => timeAt(fields, column) >= 0);
      const order = time === undefined ? '' : ` ORDER BY ${identifier(time)} DESC`;
      const parts = await analyze([name], `SELECT * FROM ${quoted[index]}${order}`);
      const boundBy = parametersOfAllRows(parts.statement, parameters);
      const isOther = time !== undefined && time !== 'timestamp';
      return { name, plan: newPlan(parts), ...(isOther && { time }), boundBy };
    }),
  );
}

function fieldsOf(column: Column | undefined): readonly Column[] {
  const type = column?.type;
  return type?.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element.fields : [];
}

/** A stored query to be planned. */
export interface StoredText extends PlacedText {
  readonly declared: ReadonlyMap<string, SqlType>;
  /** Whether to plan the entries of its WITH clause as well. */
  readonly hasTables: boolean;
  /** The tables that the query may read. */
  readonly catalog: Packed<Catalog>;
  /** The stored queries that it may read besides tables. By default, there are none. */
  readonly queries?: ReadableQueries;
  /** Whose turn it is at the analyzer; by default, the gateway's. */
  readonly account?: Account | undefined;
}

/** The analyzer's results for a stored query. */
export interface PlannedText {
  /** Its parameters. Undefined if the text has a syntax error. */
  readonly uses: readonly ParameterUse[] | undefined;
  /** Undefined if the text has an error. */
  readonly plan?: Plan;
  /** The functions that it may call besides the built-in ones. */
  readonly functions?: readonly CatalogFunction[];
  /** What it reads besides tables. */
  readonly composition?: Composition;
  /** The columns of the result that have other names than written, since others have those. */
  readonly renamed?: readonly { readonly written: string; readonly name: string }[];
  /** Empty if the used parameters differ from the declared ones. */
  readonly tables: readonly EndpointTable[];
  readonly mistake?: { readonly message: string; readonly position: SqlPosition | undefined };
}

/** Plans stored queries. Aborting the signal ends the work at its next step. */
export interface TextPlanner {
  /** Plans a stored query: see {@link planText}. */
  planText(text: StoredText, signal?: AbortSignal): Promise<PlannedText>;
}

/**
 * Plans a stored query.
 *
 * @throws AnalyzerUnavailableError
 */
export async function planText(
  { declared, hasTables, ...text }: Omit<StoredText, 'catalog' | 'queries' | 'account'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze' | 'parse'>,
): Promise<PlannedText> {
  let uses: PlannedText['uses'];
  try {
    const { sql, functionsEnd = 0 } = text;
    const parsed = await analyzer.parse(queryOnly(text));
    uses = parameterUses(parsed);
    // GoogleSQL ignores the letter case of parameter names.
    const used = new Set(uses.map(({ name }) => name.toLowerCase()));
    const known = new Map([...declared].map(([name, type]) => [name.toLowerCase(), type]));
    // Undeclared parameters are declared here, to find errors that follow them.
    const others = [...used].filter((name) => !known.has(name));
    const isDeclared = others.length === 0 && used.size === known.size;
    const parameters = new Map([...known, ...others.map((name) => [name, { kind: 'STRING' }] as const)]);
    const statement = await analyzer.analyze(sql, { catalog, parameters, functionsEnd });
    refuseTablesInFunctions(sql, functionsEnd, statement);
    const written = resultColumns(statement);
    const columns = uniquelyNamed(written);
    const plan = newPlan({
      ...{ ...text, statement, columns, isCallers: false },
      paging: pagingOf(statement, knownColumns(catalog)),
      parameters: isDeclared ? declared : parameters,
    });
    const tables = hasTables && isDeclared ? await planTables(plan, parsed, { analyzer, catalog }) : [];
    const renamed = columns.flatMap(({ name }, i) => {
      const before = written[i]?.name ?? name;
      return name === before ? [] : [{ written: before, name }];
    });
    return { uses, plan, tables, renamed };
  } catch (error) {
    return { uses, tables: [], mistake: mistakeIn(text.sql, error) };
  }
}

/** An error that a text itself causes. Any other is thrown again. */
function mistakeIn(sql: string, error: unknown): NonNullable<PlannedText['mistake']> {
  if (error instanceof AnalyzerError) return { message: error.message, position: error.position };
  if (error instanceof RangeError)
    return { message: 'The query is too large or too deeply nested', position: undefined };
  if (!(error instanceof UnsupportedError)) throw error;
  const { message, byteOffset } = error;
  return { message, position: byteOffset === undefined ? undefined : positionAt(sql, byteOffset) };
}
