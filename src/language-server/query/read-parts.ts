import { isReserved } from './keywords.ts';
import { type Group, isName, isSymbol, isWord, type Part, textOf } from './part.ts';

/** Whether a group is a query, and not a list of expressions or a join in brackets. */
export function isQuery({ parts: [first, ...rest] }: Group): boolean {
  return (
    isWord(first, 'SELECT', 'WITH', 'FROM') ||
    (first?.kind === 'group' && isQuery(first) && !rest.some((part) => isWord(part, 'JOIN')))
  );
}

/** The queries that set operations join. */
export function selectsIn(parts: readonly Part[]): readonly (readonly Part[])[] {
  const starts = parts.flatMap((part, index) =>
    isWord(part, 'UNION', 'INTERSECT', 'EXCEPT') && isWord(parts[index + 1], 'ALL', 'DISTINCT')
      ? [index + 2]
      : [],
  );
  return [0, ...starts].map((start, index) => parts.slice(start, starts[index]));
}

/** The items of a list that commas separate. */
export function itemsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const items: Part[][] = [[]];
  for (const part of parts) {
    if (isSymbol(part, ',')) items.push([]);
    else items.at(-1)?.push(part);
  }
  return items;
}

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
    if (!isSymbol(parts[next], '.')) return { names, next };
    next += 1;
  }
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
