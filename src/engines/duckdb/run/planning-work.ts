import { GatewayError } from '../../../base/errors/errors.ts';
import { macros } from '../macros/install.ts';
import { macroDatabase } from '../macros/macro.ts';
import { queryTooLarge } from './within-stack.ts';

/** Strings and quoted names, which are ignored, calls of macros, and the brackets that open and close a level. */
const token = new RegExp(
  `'(?:[^']|'')*'|"(?:[^"]|"")*"|${macroDatabase}\\.main\\.\\w+|\\bOVER \\(|[()[\\]]|\\b(?:CASE|END)\\b`,
  'g',
);

const bodies = new Map(macros.flatMap((macro) => macro.bodies));
const sizes = new Map<string, number>();

/** The number of levels in a macro's body, including the macros that it calls. */
function sizeOf(name: string): number {
  let size = sizes.get(name);
  if (size === undefined) {
    size = 0;
    for (const [part] of (bodies.get(name) ?? '').matchAll(token)) {
      if (part === '(' || part === '[' || part === 'CASE') size++;
      else if (part.startsWith(macroDatabase)) size += sizeOf(part);
    }
    sizes.set(name, size);
  }
  return size;
}

/** The cost of a window by the cube of its depth: 20 windows over each other take a second, and 40 more than a minute (measured). */
const eachWindow = 65;
/** The cost of each level, in addition to the square of its depth. */
const eachLevel = 1_500;
/**
 * DuckDB then plans for about a second (measured). Some 150 nested calls of UPPER reach this, though each is a column, or 100 of ABS,
 * which aren't.
 */
const maxWork = 100e6;

/**
 * Estimates the work of DuckDB's planner for emitted SQL. It expands macros, and processes the inside of an expression
 * several times at each level.
 */
export function planningWork(sql: string): number {
  let depth = 0;
  let work = 0;
  for (const [part] of sql.matchAll(token)) {
    if (part === 'OVER (') work += eachWindow * depth ** 3;
    if (part === '(' || part === '[' || part === 'CASE' || part === 'OVER (')
      work += eachLevel + (++depth) ** 2;
    else if (part === ')' || part === ']' || part === 'END') depth--;
    else if (part.startsWith(macroDatabase)) work += sizeOf(part) * (eachLevel + depth ** 2);
  }
  return work;
}

/**
 * Refuses SQL that DuckDB would plan for seconds without interruption.
 *
 * @throws GatewayError QUERY_FAILED
 */
export function refuseLongPlanning(sql: string): void {
  if (planningWork(sql) <= maxWork) return;
  const text = 'The query is too complex: it has too many expressions, or nests too many of them';
  throw new GatewayError('QUERY_FAILED', text);
}

/** The maximum length of SQL in characters. Longer SQL would take DuckDB more memory than a query may use. */
export const maxSqlLength = 32_000_000;

/** @throws GatewayError QUERY_FAILED for SQL that would take DuckDB too much memory, or too long to plan */
export function refuseLarge(sql: string): void {
  if (sql.length > maxSqlLength) throw queryTooLarge();
  refuseLongPlanning(sql);
}
