import { textRange } from '../plan/parse-tree.ts';
import { nodesOf, syntaxNodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../resolved/node.ts';
import { gap } from '../text/gap.ts';
import { positionAt } from '../text/text-position.ts';
import type { Analyzer } from './analyzer.ts';
import type { CatalogFunction } from './catalog.ts';
import { AnalyzerError } from './error.ts';
import { definedFunction } from './temporary-function.ts';

/** The functions with which a stored text begins. */
export interface StoredFunctions {
  readonly functions: readonly CatalogFunction[];
  /** Where they end: bytes from the start of the text in UTF-8. 0 if there are none. */
  readonly end: number;
}

/** What reading functions needs. */
export type FunctionAnalyzer = Pick<Analyzer, 'analyze' | 'readDefinition'>;

/** White space and comments, then CREATE FUNCTION in some form. */
const definition = new RegExp(
  `^${gap}CREATE(?:\\s+(?:OR|REPLACE|TEMP|TEMPORARY|PUBLIC|PRIVATE|AGGREGATE))*\\s+FUNCTION\\b`,
  'i',
);

/**
 * Reads the CREATE TEMP FUNCTION statements at the beginning of a stored text. Each function can call those before it.
 *
 * @param declared the functions that exist already, besides the built-in ones
 * @throws AnalyzerError for a definition that is wrong, or not possible on BigQuery; AnalyzerUnavailableError
 */
export async function readFunctions(
  sql: string,
  declared: readonly CatalogFunction[],
  analyzer: FunctionAnalyzer,
): Promise<StoredFunctions> {
  const bytes = Buffer.from(sql);
  const functions: CatalogFunction[] = [];
  const definitions: AnyNode[] = [];
  let end = 0;
  while (definition.test(bytes.subarray(end).toString())) {
    const known = [...declared, ...functions];
    const { parsed, statement, end: next } = await analyzer.readDefinition(sql, end, known).catch(explained);
    const made = definedFunction(sql, { parsed, statement });
    const [name = ''] = made.path;
    if (await isKnown(name, known, analyzer)) {
      throw mistakeAt(
        sql,
        unwrap(statement).message,
        `The function ${name} exists already. Choose another name`,
      );
    }
    functions.push(made);
    definitions.push(parsed);
    end = next;
  }
  for (const [index, parsed] of definitions.entries()) checkBody(sql, parsed, functions.slice(index));
  if (end > 0 && bytes.subarray(end).toString().trim() === '')
    throw new AnalyzerError('A query must follow the functions', positionAt(sql, end));
  return { functions, end };
}

/** Whether a function without definition in the text has this name. */
async function isKnown(
  name: string,
  functions: readonly CatalogFunction[],
  analyzer: FunctionAnalyzer,
): Promise<boolean> {
  try {
    const catalog = { tables: [], functions };
    await analyzer.analyze(`SELECT \`${name}\`()`, { catalog, parameters: new Map() });
    return true;
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    return !error.message.startsWith('Function not found');
  }
}

/** A definition is analyzed without tables, so that none is found. */
function explained(error: unknown): never {
  const [, table] = (error instanceof AnalyzerError && /^Table not found: ([^;]+)/.exec(error.message)) || [];
  if (table === undefined) throw error;
  throw new AnalyzerError(`A function cannot read tables: ${table}`, (error as AnalyzerError).position);
}

/**
 * Refuses calls of functions that don't exist yet. The analyzer looks at a body with ANY TYPE only when it is called.
 *
 * @param later the function itself and those after it
 */
function checkBody(sql: string, parsed: AnyNode, later: readonly CatalogFunction[]): void {
  for (const call of syntaxNodesOf('ast_function_call_node', parsed)) {
    const names = asList(asMessage(call.function, 'function').names, 'names').map((part) =>
      String(asMessage(part, 'names').id_string),
    );
    const called = names.join('.').toLowerCase();
    if (!later.some(({ path }) => path.join('.').toLowerCase() === called)) continue;
    throw mistakeAt(
      sql,
      call,
      `A function can only call functions that are defined before it: ${names.join('.')}`,
    );
  }
}

function mistakeAt(sql: string, node: AnyNode, text: string): AnalyzerError {
  return new AnalyzerError(text, positionAt(sql, textRange(node)?.start ?? 0));
}

/**
 * Refuses a query of which a function reads a table.
 *
 * @param statement the resolved statement, with the functions' bodies in place of their calls
 * @throws AnalyzerError
 */
export function refuseTablesInFunctions(sql: string, functionsEnd: number, statement: AnyNode): void {
  for (const scan of nodesOf('resolved_table_scan_node', statement)) {
    if ((textRange(scan)?.start ?? functionsEnd) >= functionsEnd) continue;
    const { full_name, name } = asMessage(scan.table, 'table');
    throw mistakeAt(sql, scan, `A function cannot read tables: ${String(full_name || name)}`);
  }
}
