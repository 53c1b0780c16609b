import { setImmediate } from 'node:timers/promises';
import { positionAt } from '../../base/errors/problem.ts';
import type { Account } from '../../base/fairness/account.ts';
import { counted } from '../../base/text/counted.ts';
import { entryOfSource } from '../../definitions/endpoints/tables-endpoint.ts';
import { isTablePath, sourceOfTable, tableOfPath } from '../../definitions/sources/source.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { type Catalog, withFunctions } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../sql/analyzer/error.ts';
import { knownColumns, pagingOf } from '../../sql/paging/page-order.ts';
import { queryRange } from '../../sql/plan/parse-tree.ts';
import { newPlan, type Plan } from '../../sql/plan/plan.ts';
import { nodesOf } from '../../sql/plan/tree-nodes.ts';
import { meaningOf } from '../../sql/resolved/meaning.ts';
import { type AnyNode, asMessage, unwrap } from '../../sql/resolved/node.ts';
import { resultColumns } from '../../sql/resolved/result-columns.ts';
import { rewritePlaced } from '../../sql/rewrite/rewrite-text.ts';
import { type PlacedText, wholeText } from '../../sql/text/place.ts';
import { columnNames, uniquelyNamed } from '../../sql/values/column-names.ts';
import type { Packed } from '../../sql/values/packed.ts';
import type { Column } from '../../sql/values/type.ts';
import { type EndpointSandbox, type Offer, splice } from './endpoint-sandbox.ts';
import { type SandboxLimits, textSize, treeSize } from './limits.ts';
import { badInput, refusal, violation } from './refusal.ts';

/** An ad-hoc query that passed all checks. */
export interface PlannedQuery {
  /** The plan that runs: the query, spliced behind the stored WITH entries that it reads. */
  readonly plan: Plan;
  /**
   * Identifies the meaning of the query within one version of its endpoint: see `meaningOf`.
   */
  readonly key: string;
  /** The names of the endpoint's tables that it reads, in lower case. */
  readonly tables: ReadonlySet<string>;
}

/** An ad-hoc query to be planned. */
export interface AdHocText {
  readonly sql: string;
  /** The tables that it may read. */
  readonly offer: Packed<Offer>;
  /** The tables of stored queries. */
  readonly catalog: Packed<Catalog>;
  readonly limits: SandboxLimits;
  /** Whose turn it is at the analyzer. */
  readonly account: Account;
}

/** What planning needs, unpacked. */
interface AdHocPlanning {
  readonly analyzer: Pick<Analyzer, 'analyze' | 'parse'>;
  readonly sandbox: EndpointSandbox;
  readonly catalog: Catalog;
  readonly limits: SandboxLimits;
  /** Aborting it ends the planning at its next step. */
  readonly signal: AbortSignal;
}

/**
 * Plans an ad-hoc query in two passes. First it is analyzed alone, against a catalog of only what it may read:
 * nothing else can be read, and error positions are those of its own text. Then it is spliced behind the stored WITH
 * entries and analyzed again, which gives the plan that runs. The resolved tree of that plan is checked to read no
 * tables but those entries.
 *
 * @throws GatewayError BAD_USER_INPUT for a query that is invalid or too large, SANDBOX_VIOLATION for one that refers
 *   to anything it isn't offered
 * @throws AnalyzerUnavailableError
 * @throws AbortError, or the signal's reason
 */
export async function planAdHocQuery(sql: string, planning: AdHocPlanning): Promise<PlannedQuery> {
  const { analyzer, sandbox, limits, signal } = planning;
  checkText(sql, limits);
  const { parameters } = sandbox;
  const own = await rewritten(sql, planning);
  // Of two failures, that of the analysis tells more. The planning ends when both have ended.
  const [alone, parsed] = (
    await Promise.allSettled([
      analyzer.analyze(own.sql, { catalog: sandbox.catalog, parameters }),
      analyzer.parse(own.sql),
    ])
  ).map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    const error: unknown = outcome.reason;
    throw error instanceof AnalyzerError ? refusal(error, own, sandbox.tables) : error;
  }) as [AnyNode, AnyNode];
  const { text, statement } = await combined({ own, parsed, alone }, planning);
  const columns = uniquelyNamed(resultColumns(statement));
  checkColumns(columns, limits);
  checkSize(statement, limits);
  // Yields to the event loop: each of these two steps takes a quarter of a second for the largest trees.
  await setImmediate(undefined, { signal });
  // Callers define no functions.
  const key = meaningOf({ statement: alone, definitions: [] });
  await setImmediate(undefined, { signal });
  const paging = pagingOf(statement, knownColumns(planning.catalog));
  const plan = newPlan({ ...text, statement, columns, parameters, isCallers: true, paging });
  const scans = nodesOf('resolved_table_scan_node', alone);
  return { plan, key, tables: new Set(scans.map((scan) => offeredTable(scan).toLowerCase())) };
}

/** The caller's text in the analyzer's syntax. */
async function rewritten(sql: string, { analyzer, sandbox, limits }: AdHocPlanning): Promise<PlacedText> {
  const written = { sql, origin: wholeText };
  const { catalog, parameters } = sandbox;
  const own = await rewritePlaced(written, { analyzer, catalog, parameters }).catch((error: unknown) => {
    throw error instanceof AnalyzerError ? refusal(error, written, sandbox.tables) : error;
  });
  if (own.sql !== sql) checkText(own.sql, limits);
  return own;
}

interface Combined {
  readonly text: PlacedText;
  readonly statement: AnyNode;
}

/** The query, spliced behind the stored entries that it reads. Sources are read as they are. */
async function combined(
  { own, parsed, alone }: { readonly own: PlacedText; readonly parsed: AnyNode; readonly alone: AnyNode },
  { analyzer, sandbox, catalog }: AdHocPlanning,
): Promise<Combined> {
  const range = queryRange(parsed);
  if (range === undefined) throw badInput('Hints are not supported', { line: 1, column: 1 });
  const isValueTable = unwrap(alone).message.is_value_table === true;
  const scanned = nodesOf('resolved_table_scan_node', alone).map(tableName);
  const read = new Set(scanned.filter((table) => !isTablePath(table)));
  if (read.size === 0 && !isValueTable) return { text: own, statement: alone };
  const text = splice(sandbox.stored, read, own, range, isValueTable);
  const statement = await analyzer
    .analyze(text.sql, {
      catalog: withFunctions(catalog, sandbox.functions),
      parameters: sandbox.parameters,
      ...(text.functionsEnd !== undefined && { functionsEnd: text.functionsEnd }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof AnalyzerError)) throw error;
      // A path such as edge_logs.metadata is an array of a table, but not of a WITH entry. The rest of the message may
      // describe stored tables.
      const [reason = ''] = error.message.split(/; /);
      throw refusal(new AnalyzerError(reason, error.position), text, sandbox.tables);
    });
  if (read.size > 0 && !sandbox.isOfSources) checkTables(statement);
  return { text, statement };
}

/**
 * Refuses a statement that reads a table outside its stored WITH clause. This happens for a path `a.b` if there is a
 * stored table `b` in the folder `a`, and a CTE `a` with an array `b`, which the path means when the query is analyzed
 * alone.
 */
function checkTables(statement: AnyNode): void {
  const { kind, message } = unwrap(asMessage(unwrap(statement).message.query, 'query'));
  if (kind !== 'resolved_with_scan_node') throw new TypeError('The stored WITH clause is not the outermost');
  for (const scan of nodesOf('resolved_table_scan_node', message.query)) {
    throw violation(`Table not found: ${tableName(scan)}`);
  }
}

/** The table of the endpoint that a query alone reads. */
function offeredTable(scan: AnyNode): string {
  const name = tableName(scan);
  return isTablePath(name) ? entryOfSource(sourceOfTable(tableOfPath(name)).name) : name;
}

function tableName(scan: AnyNode): string {
  const { name, full_name } = asMessage(scan.table, 'table');
  return String(full_name || name);
}

/** A row has one value for each name, in whatever letter case. */
function checkColumns(columns: readonly Column[], { maxColumns }: SandboxLimits): void {
  if (columns.length > maxColumns) {
    throw badInput(`The result has ${columns.length} columns: at most ${maxColumns} are allowed`);
  }
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of columnNames(columns)) {
    if (seen.has(name.toLowerCase())) repeated.add(name);
    seen.add(name.toLowerCase());
  }
  if (repeated.size === 0) return;
  throw badInput(
    `Duplicate column names in the result are not supported. Found duplicate(s): ${[...repeated].join(', ')}`,
  );
}

/** @throws GatewayError BAD_USER_INPUT for a query that makes an engine's planner slow */
export function checkSize(statement: AnyNode, { maxSubqueryDepth, maxReads }: SandboxLimits): void {
  const { subqueries, reads } = treeSize(statement);
  if (subqueries > maxSubqueryDepth) {
    throw badInput(
      `The query has subqueries within subqueries: at most ${maxSubqueryDepth} levels are allowed`,
    );
  }
  if (reads > maxReads) {
    throw badInput(
      `The query reads ${reads} tables, those in a CTE counted for each use: at most ${maxReads} are allowed`,
    );
  }
}

/**
 * Refuses a text that is too large or not valid Unicode, before it reaches the analyzer.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function checkText(sql: string, limits: SandboxLimits): void {
  const { maxBytes, maxNesting, maxDepth, maxJoins, maxSelects } = limits;
  const bytes = sql.length > maxBytes ? Number.POSITIVE_INFINITY : Buffer.byteLength(sql);
  if (bytes > maxBytes) {
    throw badInput(`The query is longer than ${counted(maxBytes, 'byte')}`);
  }
  const nul = sql.indexOf('\0');
  if (nul >= 0) throw badInput('A query cannot contain NUL characters', positionAt(sql, nul));
  if (!sql.isWellFormed()) {
    const lone = /\p{Surrogate}/u.exec(sql)?.index ?? 0;
    throw badInput('The query is not valid Unicode text', positionAt(sql, lone));
  }
  const { nesting, depth, joins, selects } = textSize(sql);
  if (nesting > maxNesting || depth > maxDepth) {
    throw badInput(`The query is nested too deeply: at most ${maxNesting} levels are allowed`);
  }
  if (joins > maxJoins) {
    throw badInput(`The query has too many joins: at most ${maxJoins} are allowed in a FROM clause`);
  }
  if (selects > maxSelects) {
    throw badInput(`The query has too many SELECTs: at most ${maxSelects} are allowed`);
  }
}
