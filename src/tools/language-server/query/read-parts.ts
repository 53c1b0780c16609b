import { isReserved } from './keywords.ts';
import { type Group, isName, isSymbol, isWord, type Part, textOf } from './part.ts';

/** Whether a group is a query, and not a list of expressions or a join in brackets. */
export function isQuery({ parts: [first, ...rest] }: Group): boolean {
  return (
    isWord(first, 'SELECT', 'WITH', 'FROM') ||
    (first?.kind === 'group' && isQuery(first) && !rest.some((part) => isWord(part, 'JOIN')))
  );
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

/** The items of a list that commas separate. */
export function itemsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  return splitAt(parts, ',');
}

/** What is before, between and after the places of a symbol, apart from those in square brackets. */
export function splitAt(parts: readonly Part[], separator: string): readonly (readonly Part[])[] {
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
    for (;;) {
      const end = endOfSubscript(parts, next);
      if (end === undefined) break;
      names.push(element);
      next = end;
    }
    if (!isSymbol(parts[next], '.')) return { names, next };
    next += 1;
  }
}

/** The place after the subscript that begins at a place, if a whole one does. */
function endOfSubscript(parts: readonly Part[], start: number): number | undefined {
  if (!isSymbol(parts[start], '[')) return undefined;
  let depth = 0;
  for (let at = start; at < parts.length; at += 1) {
    if (isSymbol(parts[at], '[')) depth += 1;
    else if (isSymbol(parts[at], ']')) depth -= 1;
    if (depth === 0) return at + 1;
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
  if (alias === undefined) return { alias, next: at };
  return { alias, next: hasAs ? at + 2 : at + 1 };
}

/** A name that is no keyword where an alias may stand. */
export function nameOf(part: Part | undefined): string | undefined {
  if (!isName(part)) return undefined;
  return part.kind === 'word' && isReserved(part.text) ? undefined : textOf(part);
}
