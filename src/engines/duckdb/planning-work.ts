import { GatewayError } from '../../errors.ts';
import { macros } from './macros/install.ts';
import { macroDatabase } from './macros/macro.ts';

/** Texts and names in quotes, which count for nothing, calls of macros, and what opens and closes a level. */
const token = new RegExp(
  `'(?:[^']|'')*'|"(?:[^"]|"")*"|${macroDatabase}\\.main\\.\\w+|[()[\\]]|\\b(?:CASE|END)\\b`,
  'g',
);

const bodies = new Map(macros.flatMap((macro) => macro.bodies));
const sizes = new Map<string, number>();

/** How many levels the body of a macro opens, those of macros that it calls included. */
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

/** What each opened level is, besides the square of its depth. */
const eachLevel = 1_500;
/** DuckDB plans for about a second then (measured); nested calls of UPPER or REPLACE reach it at 50, those of ABS at 100. */
const mostWork = 100e6;

/**
 * How much work emitted SQL is to DuckDB's planner. It expands macros, and goes through all that is inside an expression several times at
 * each of its levels.
 */
export function planningWork(sql: string): number {
  let depth = 0;
  let work = 0;
  for (const [part] of sql.matchAll(token)) {
    if (part === '(' || part === '[' || part === 'CASE') work += eachLevel + (++depth) ** 2;
    else if (part === ')' || part === ']' || part === 'END') depth--;
    else if (part.startsWith(macroDatabase)) work += sizeOf(part) * (eachLevel + depth ** 2);
  }
  return work;
}

/**
 * Refuses SQL that DuckDB would plan for seconds, which nothing interrupts.
 *
 * @throws GatewayError QUERY_FAILED
 */
export function refuseLongPlanning(sql: string): void {
  if (planningWork(sql) <= mostWork) return;
  const text = 'The query is too complex: it has too many expressions, or nests too many of them';
  throw new GatewayError('QUERY_FAILED', text);
}
