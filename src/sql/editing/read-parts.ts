import { reserved } from '../text/identifier.ts';
import { type Group, isName, isSymbol, isWord, type Part, type QueryToken, textOf } from './query-text.ts';

/** Whether a group is a query, and not a list of expressions or a join in brackets. */
export function isQuery({ parts: [first, ...rest] }: Group): boolean {
  return (
    isWord(first, 'SELECT', 'WITH', 'FROM') ||
    (first?.kind === 'group' && isQuery(first) && !rest.some((part) => isWord(part, 'JOIN')))
  );
}

/** An entry of a WITH clause. */
export interface WithEntry {
  readonly name: string;
  /** Its name, as written. */
  readonly token: QueryToken;
  /** The query in its brackets. */
  readonly body: Group;
}

/** The entries of the WITH clause that the parts of a query begin with, and the parts after it. */
export function withEntries(parts: readonly Part[]): {
  readonly entries: readonly WithEntry[];
  readonly rest: readonly Part[];
} {
  const entries: WithEntry[] = [];
  if (!isWord(parts[0], 'WITH')) return { entries, rest: parts };
  let next = isWord(parts[1], 'RECURSIVE') ? 2 : 1;
  for (;;) {
    const token = parts[next];
    const name = nameOf(token);
    const body = parts[next + 2];
    if (!isName(token) || name === undefined) break;
    if (!isWord(parts[next + 1], 'AS') || body?.kind !== 'group') break;
    entries.push({ name, token, body });
    next += 3;
    if (!isSymbol(parts[next], ',')) break;
    next += 1;
  }
  return { entries, rest: parts.slice(next) };
}

/** The queries that set operations join. Those of pipe operators belong to the query before them. */
export function selectsIn(parts: readonly Part[]): readonly (readonly Part[])[] {
  const starts = parts.flatMap((part, index) => {
    const isOperation =
      isWord(part, 'UNION', 'INTERSECT', 'EXCEPT') && isWord(parts[index + 1], 'ALL', 'DISTINCT');
    return isOperation && !isSymbol(parts[index - 1], '|>') ? [index + 2] : [];
  });
  return [0, ...starts].map((start, index) => parts.slice(start, starts[index]));
}

/** Words that end a FROM clause. */
export const afterFrom = ['WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', 'SELECT'];

/** The list between SELECT and the next clause. Undefined if the parts have no SELECT. */
export function selectList(parts: readonly Part[]): readonly Part[] | undefined {
  const select = parts.findIndex((part) => isWord(part, 'SELECT'));
  if (select < 0) return undefined;
  const end = parts.findIndex(
    (part, index) => index > select && (isFromClause(parts, index) || isWord(part, ...afterFrom)),
  );
  return parts.slice(select + 1, end < 0 ? undefined : end);
}

/** The places among the parts of one query where items of its FROM clause begin: after FROM, JOIN and commas between them. */
export function itemStarts(parts: readonly Part[]): readonly number[] {
  const starts: number[] = [];
  let isInFrom = false;
  /** That of square brackets. */
  let depth = 0;
  for (const [index, part] of parts.entries()) {
    if (isSymbol(part, '[')) depth += 1;
    else if (isSymbol(part, ']')) depth -= 1;
    else if (isSymbol(part, '|>') || isWord(part, ...afterFrom)) isInFrom = false;
    const isFrom = isFromClause(parts, index);
    if (isFrom) isInFrom = true;
    const isComma = isInFrom && depth === 0 && isSymbol(part, ',');
    if (isFrom || isComma || isWord(part, 'JOIN')) starts.push(index + 1);
  }
  return starts;
}

/** Whether a FROM clause begins at a place, and not the end of `IS DISTINCT FROM`. */
function isFromClause(parts: readonly Part[], index: number): boolean {
  const isComparison = isWord(parts[index - 1], 'DISTINCT') && isWord(parts[index - 2], 'IS', 'NOT');
  return isWord(parts[index], 'FROM') && !isComparison;
}

/** The parts of a query before its first pipe operator, and those of each operator. */
export function pipeOperators(parts: readonly Part[]): readonly [readonly Part[], ...(readonly Part[])[]] {
  const [query = [], ...operators] = splitAt(parts, '|>');
  return [query, ...operators];
}

/** The items of a list that commas separate. */
export function itemsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  return splitAt(parts, ',');
}

/** What is before, between and after the places of a symbol, apart from those in square brackets. */
function splitAt(parts: readonly Part[], separator: string): readonly (readonly Part[])[] {
  const items: Part[][] = [[]];
  let depth = 0;
  for (const part of parts) {
    if (isSymbol(part, '[')) depth += 1;
    else if (isSymbol(part, ']')) depth -= 1;
    if (depth === 0 && isSymbol(part, separator)) items.push([]);
    else items.at(-1)?.push(part);
  }
  return items;
}

/** What stands in a path for an element that a subscript such as `[OFFSET(0)]` takes. It is nothing's name. */
export const element = '[]';

/** The names of a path such as `logs.edge_logs`, and the place after it. A dot at the end belongs to it. */
export function pathAt(
  parts: readonly Part[],
  start: number,
): { readonly names: readonly string[]; readonly next: number } {
  const names: string[] = [];
  let next = start;
  for (;;) {
    const part = parts[next];
    const name = names.length > 0 && isName(part) ? textOf(part) : nameOf(part);
    if (name === undefined) return { names, next };
    names.push(name);
    next += 1;
    while (isSymbol(parts[next], '[')) {
      const end = otherBracket(parts, next, 1);
      if (end === undefined) break;
      names.push(element);
      next = end + 1;
    }
    if (!isSymbol(parts[next], '.')) return { names, next };
    next += 1;
  }
}

/**
 * The names of a path that ends before the token with this index, which a dot may precede, such as `t` and `id` of
 * `t.id`; `element` for subscripts. None for fields of something other than a name, such as a call.
 */
export function namesBefore(tokens: readonly QueryToken[], end: number): readonly string[] {
  const reversed: string[] = [];
  let at = end - 1;
  if (isSymbol(tokens[at], '.')) at -= 1;
  for (;;) {
    while (isSymbol(tokens[at], ']')) {
      reversed.push(element);
      at = (otherBracket(tokens, at, -1) ?? 0) - 1;
    }
    const token = tokens[at];
    if (!isName(token)) return [];
    reversed.push(textOf(token));
    if (!isSymbol(tokens[at - 1], '.')) return reversed.reverse();
    at -= 2;
  }
}

/** The place of the square bracket that belongs to the one at a place, in this direction. Undefined if there is none. */
function otherBracket(parts: readonly Part[], start: number, direction: 1 | -1): number | undefined {
  let depth = 0;
  for (let at = start; at >= 0 && at < parts.length; at += direction) {
    if (isSymbol(parts[at], '[')) depth += 1;
    else if (isSymbol(parts[at], ']')) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** An alias at a place, with AS or without, and the place after it. */
export function aliasAt(
  parts: readonly Part[],
  at: number,
): { readonly alias: string | undefined; readonly next: number } {
  const hasAs = isWord(parts[at], 'AS');
  const alias = nameOf(parts[hasAs ? at + 1 : at]);
  // These operators follow an item without an alias.
  if (alias === undefined || isWord(parts[at], 'PIVOT', 'UNPIVOT')) return { alias: undefined, next: at };
  return { alias, next: hasAs ? at + 2 : at + 1 };
}

/** A name that is no keyword where an alias may stand. */
export function nameOf(part: Part | undefined): string | undefined {
  if (!isName(part)) return undefined;
  return part.kind === 'word' && reserved.has(part.text) ? undefined : textOf(part);
}
