import { StoredWith } from '../../definitions/endpoints/composition/stored-with.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { resultTable, StoredResult } from '../../definitions/endpoints/stored-result.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { Catalog, CatalogFunction } from '../../sql/analyzer/catalog.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { type PlacedText, wholeText } from '../../sql/text/place.ts';
import { queryOnly } from '../../sql/text/query-only.ts';
import { shifted } from '../../sql/text/rewriting.ts';
import type { Column } from '../../sql/values/type.ts';
import type { OfferedRows } from '../call/ad-hoc-query.ts';
import { badInput } from './refusal.ts';

/** What an endpoint offers to ad-hoc queries, as plain data. */
export interface Offer extends Pick<Plan, 'sql' | 'functionsEnd' | 'parameters'> {
  /** The functions that the stored WITH clause may call, but not the ad-hoc query. */
  readonly functions: readonly CatalogFunction[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly Column[] }[];
  /** Whether queries may write its tables as stored queries do: `logs.<source>`. */
  readonly isOfSources?: true;
  /** Whether its only table is the result of the stored query. */
  readonly isResult?: true;
}

/** @throws GatewayError BAD_USER_INPUT if the endpoint accepts no such queries or has no tables */
export function offerOf(endpoint: Endpoint, from: OfferedRows): Offer {
  return from === 'tables' ? tablesOf(endpoint) : resultOf(endpoint);
}

function resultOf({ name, filterable, plan, functions = [] }: Endpoint): Offer {
  if (filterable === undefined) throw badInput(`The rows of the endpoint "${name}" can't be filtered`);
  const { sql, functionsEnd, parameters, columns } = plan;
  return {
    ...{ sql, parameters, functions, isResult: true },
    ...(functionsEnd !== undefined && { functionsEnd }),
    tables: [{ name: resultTable, columns }],
  };
}

function tablesOf({ name, sandbox, plan, tables, functions = [], isOfSources }: Endpoint): Offer {
  if (!sandbox) throw badInput(`The endpoint "${name}" does not accept ad-hoc queries`);
  if (tables.length === 0) {
    throw badInput(`The endpoint "${name}" has no tables to query: its stored query has no WITH clause`);
  }
  const { sql, functionsEnd, parameters } = plan;
  return {
    sql,
    ...(functionsEnd !== undefined && { functionsEnd }),
    parameters,
    functions,
    ...(isOfSources && { isOfSources }),
    tables: tables.map((table) => ({ name: table.name, columns: table.plan.columns })),
  };
}

/** An offer, prepared for planning queries. */
export interface EndpointSandbox {
  readonly tables: readonly string[];
  /** A catalog of what queries may read: these tables and, where the endpoint is over all sources, these as stored queries name them. */
  readonly catalog: Catalog;
  /** The WITH clause that defines the tables. */
  readonly stored: Pick<StoredWith, 'clauseFor'>;
  readonly parameters: Plan['parameters'];
  readonly functions: readonly CatalogFunction[];
  readonly isOfSources: boolean;
}

/**
 * @param sources the tables of stored queries
 * @throws AnalyzerUnavailableError
 */
export async function endpointSandbox(
  { sql, functionsEnd, parameters, functions, tables, isOfSources, isResult }: Offer,
  sources: Catalog,
  analyzer: Pick<Analyzer, 'parse'>,
): Promise<EndpointSandbox> {
  const text = { sql, ...(functionsEnd !== undefined && { functionsEnd }) };
  const parsed = await analyzer.parse(queryOnly(text));
  return {
    tables: tables.map(({ name }) => name),
    catalog: {
      tables: [
        ...tables.map(({ name, columns }) => ({ path: [name] as const, columns })),
        ...(isOfSources ? sources.tables : []),
      ],
    },
    stored: isResult ? new StoredResult(text, parsed) : new StoredWith(text, parsed),
    parameters,
    functions,
    isOfSources: isOfSources === true,
  };
}

/**
 * Splices an ad-hoc query behind stored WITH entries, in brackets. Its own WITH clause may then reuse their names, and
 * its ORDER BY and LIMIT stay within.
 *
 * @param own the caller's text, in which the query has the `range` (bytes in UTF-8)
 * @param isValueTable whether the query is a SELECT AS STRUCT or AS VALUE, whose record BigQuery returns as columns
 */
export function splice(
  stored: EndpointSandbox['stored'],
  tables: Iterable<string>,
  own: PlacedText,
  range: { readonly start: number; readonly end: number },
  isValueTable: boolean,
): PlacedText {
  const bytes = Buffer.from(own.sql);
  const query = bytes.subarray(range.start, range.end).toString();
  const before = bytes.subarray(0, range.start).toString();
  const linesBefore = before.split(/\r\n|\r|\n/);
  // Preserves column numbers: spaces replace what precedes the query in its line, and tabs stay.
  const indent = (linesBefore.at(-1) ?? '').replace(/[^\t]/gu, ' ');
  const { sql: clause, ...functions } = stored.clauseFor(tables);
  const head = `${clause}\n${isValueTable ? 'SELECT * FROM ' : ''}(\n`;
  const text = { sql: `${head}${indent}${query}\n)`, ...functions };
  const rewriting = own.origin?.rewriting;
  if (rewriting !== undefined) {
    const moved = Buffer.byteLength(head + indent) - range.start;
    return { ...text, origin: { ...wholeText, rewriting: shifted(rewriting, moved) } };
  }
  const foreignLines = head.split(/\r\n|\r|\n/).length - 1;
  return { ...text, origin: { foreignLines, linesBefore: linesBefore.length - 1, columnsBefore: 0 } };
}
