import { GatewayError } from '../../base/errors/errors.ts';
import type { Problem } from '../../base/errors/problem.ts';
import type { Catalog, CatalogFunction } from '../../sql/analyzer/catalog.ts';
import { AnalyzerOverwhelmedError } from '../../sql/analyzer/error.ts';
import { type Plan, withOwnTree } from '../../sql/plan/plan.ts';
import { UnsupportedError } from '../../sql/resolved/unsupported.ts';
import { type Origin, type PlacedText, placeOf, placeOfByte } from '../../sql/text/place.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import type { Packed } from '../../sql/values/packed.ts';
import type { SqlType } from '../../sql/values/type.ts';
import { isReservedColumn } from '../sources/pseudo-columns.ts';
import type { Composition, ReadableQueries } from './composition/readable-query.ts';
import type { EndpointTable } from './endpoint.ts';
import type { PlannedText, StoredText } from './plan-text.ts';
import type { QuerySettings } from './settings.ts';
import type { SettingsComment } from './settings-comment.ts';

/** What planning a stored query requires. */
export interface QueryPlanning {
  /** Implements `planText`. */
  readonly planText: (text: StoredText) => Promise<PlannedText>;
  readonly catalog: Packed<Catalog>;
  /** Throws a GatewayError if the engine can't run a plan: an UnsupportedError if another engine might. */
  readonly checkPlan: (plan: Plan) => Promise<void>;
}

export interface PlannedQuery {
  /** Undefined if the query has an error. */
  readonly plan: Plan | undefined;
  /** The tables of a sandboxed endpoint. */
  readonly tables: readonly EndpointTable[];
  /** The functions that the query may call besides the built-in ones. */
  readonly functions?: readonly CatalogFunction[];
  /** What the query reads besides tables. */
  readonly composition?: Composition;
  readonly problems: readonly Problem[];
  /** The constructs of the query and its tables that the engine does not support. */
  readonly refusals: readonly Problem[];
  /** What works, but may not be meant. */
  readonly warnings?: readonly Problem[];
  /** Whether the engine supports the query itself, if perhaps not each of its tables. */
  readonly isSupported: boolean;
  /** Whether the same query may have no error another time, as one that took the analyzer too long. */
  readonly mayPass?: boolean;
}

/** The result for a query on which the analyzer ended or took too long: no other file is affected. */
function overwhelmed(error: unknown): PlannedText & { readonly mayPass: boolean } {
  if (!(error instanceof AnalyzerOverwhelmedError)) throw error;
  return {
    uses: undefined,
    tables: [],
    mistake: { message: error.message, position: undefined },
    mayPass: true,
  };
}

/**
 * Plans a stored query and compares its parameters with the declared ones. Errors in the settings don't hide errors in
 * the query.
 *
 * @throws AnalyzerUnavailableError
 */
export async function planQuery(
  file: string,
  query: QueryText,
  comment: SettingsComment<QuerySettings>,
  queries: ReadableQueries,
  { planText, catalog, checkPlan }: QueryPlanning,
): Promise<PlannedQuery> {
  const problems: Problem[] = [];
  const report = (position: { line: number; column: number } | undefined, text: string) =>
    problems.push({ file, ...(position ?? query.start), text });
  const declared: ReadonlyMap<string, SqlType> = comment.parameters ?? new Map();
  const { sql, origin } = query;
  const hasTables = comment.settings?.sandbox === true;
  const {
    uses,
    plan,
    tables,
    functions = [],
    composition,
    mistake,
    renamed = [],
    mayPass = false,
  }: PlannedText & { readonly mayPass?: boolean } = await planText({
    sql,
    origin,
    declared,
    hasTables,
    catalog,
    ...(queries.size > 0 && { queries }),
  }).catch(overwhelmed);
  // GoogleSQL ignores the letter case of parameter names.
  const declaredNames = new Set([...declared.keys()].map((name) => name.toLowerCase()));
  const used = new Set(uses?.map(({ name }) => name.toLowerCase()));
  for (const { name, byteOffset } of comment.parameters === undefined ? [] : (uses ?? [])) {
    if (declaredNames.has(name.toLowerCase())) continue;
    report(placeOfByte(query, byteOffset), `Parameter "${name}" is not declared in the settings`);
  }
  for (const name of uses === undefined ? [] : declared.keys()) {
    if (used.has(name.toLowerCase())) continue;
    report(
      comment.locate(['parameters', name]),
      `Parameter "${name}" is declared, but the query does not use it`,
    );
  }
  if (mistake) {
    const statement = statementText(mistake.message);
    // The analyzer names the place of some statements by what is before them.
    const place = statement === undefined && mistake.position ? placeOf(query, mistake.position) : undefined;
    report(place, statement ?? mistake.message);
  }
  if (plan === undefined) return { plan, tables: [], problems, refusals: [], isSupported: true, mayPass };
  for (const name of repeatedNames(columnNames(plan.columns))) {
    report(query.start, `Duplicate column name "${name}" in the result`);
  }
  const warnings = renamed.map(({ written, name }) => ({
    ...{ file, ...query.start },
    text: `Several columns of the result have the name "${written}". One of them is called "${name}", as in BigQuery`,
  }));
  const own = new Set(
    [...plan.columns, ...tables.flatMap((table) => table.plan.columns)].map(({ name }) => name),
  );
  for (const name of [...own].filter(isReservedColumn)) {
    report(query.start, `BigQuery refuses a result with the column name "${name}". Give the column an alias`);
  }
  for (const name of Object.keys(comment.settings?.columns ?? {})) {
    if (columnNames(plan.columns).includes(name)) continue;
    report(comment.locate(['columns', name]), `The result has no column "${name}"`);
  }
  const refusals: Problem[] = [];
  const check = async (checked: Plan, isQuery: boolean): Promise<boolean> => {
    try {
      await checkPlan(withOwnTree(checked));
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // Plans of tables have generated texts, without positions in the file.
      const offset = isQuery && error instanceof UnsupportedError ? error.byteOffset : undefined;
      const position = (offset === undefined ? undefined : placeOfByte(checked, offset)) ?? query.start;
      const found = error instanceof UnsupportedError ? refusals : problems;
      found.push({ file, ...position, text: error.message });
      return false;
    }
  };
  const isSupported = await check(plan, true);
  if (isSupported && problems.length === 0)
    await Promise.all(tables.map((table) => check(table.plan, false)));
  if (problems.length > 0) return { plan: undefined, tables: [], problems, refusals, isSupported };
  return {
    ...{ plan, tables, functions, problems, refusals, warnings, isSupported },
    ...(composition && { composition }),
  };
}

/** The error for a statement that is not a query, which the analyzer names by its node. Undefined for other mistakes. */
function statementText(message: string): string | undefined {
  const statement = /^Statement not supported: (\w+?)(?:Statement|Stmt)?$/.exec(message)?.[1];
  if (statement === undefined) return undefined;
  const words = /Assignment/.test(statement)
    ? 'SET'
    : statement.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase();
  return `Statement not supported: ${words}. An endpoint is one query (SELECT)`;
}

/** Names that occur twice, ignoring letter case. */
function repeatedNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name.toLowerCase()).size);
}

/** The query of an endpoint file: the text after the comment with its settings. */
interface QueryText extends PlacedText {
  readonly origin: Origin;
  /** The position of its first word in the file. */
  readonly start: { readonly line: number; readonly column: number };
}

/**
 * @param text the whole file
 * @param start the offset of the query in the file (UTF-16 units)
 */
export function queryText(text: string, start: number): QueryText {
  const before = text.slice(0, start);
  const sql = text.slice(start);
  const origin = {
    foreignLines: 0,
    linesBefore: before.split('\n').length - 1,
    columnsBefore: [...before.slice(before.lastIndexOf('\n') + 1)].length,
  };
  const leading = Buffer.byteLength(sql) - Buffer.byteLength(sql.trimStart());
  return { sql, origin, start: placeOfByte({ sql, origin }, leading) ?? { line: 1, column: 1 } };
}
