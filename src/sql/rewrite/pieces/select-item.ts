import type { Range, Source } from './source.ts';

/** An expression, its alias, and what follows the alias in AGGREGATE and ORDER BY. */
export interface Item {
  readonly expression: Range;
  readonly alias: Range | undefined;
  readonly suffix: Range;
}

/** Separates ASC, DESC, NULLS FIRST and NULLS LAST, and an alias, from an expression. */
export function readItem(source: Source, { from, to }: Range): Item {
  let end = to;
  if (source.isWord(end - 2, 'NULLS') && source.isWord(end - 1, 'FIRST', 'LAST')) end -= 2;
  if (source.isWord(end - 1, 'ASC', 'DESC')) end--;
  const suffix = { from: end, to };
  const hasAs = source.isWord(end - 2, 'AS') && end - 2 > from;
  const isImplicit = end - 1 > from && source.isName(end - 1) && endsOperand(source, end - 2);
  if (!hasAs && !isImplicit) return { expression: { from, to: end }, alias: undefined, suffix };
  const expression = { from, to: hasAs ? end - 2 : end - 1 };
  return { expression, alias: { from: end - 1, to: end }, suffix };
}

/** Whether a token ends an operand, so that a name after it is an alias. */
function endsOperand(source: Source, index: number): boolean {
  const token = source.tokens[index];
  if (token === undefined) return false;
  if (token.kind === 'symbol') return token.text === ')' || token.text === ']';
  if (token.kind !== 'word') return true;
  return (
    source.isSymbol(index - 1, '.') ||
    source.isName(index) ||
    ['END', 'NULL', 'TRUE', 'FALSE'].includes(token.text)
  );
}

/** The names of a SELECT list's columns, if the text shows all of them. */
export function selectedNames(source: Source, { from, to }: Range): readonly string[] | undefined {
  if (!source.isWord(from, 'SELECT')) return undefined;
  const begin = source.isWord(from + 1, 'DISTINCT', 'ALL') ? from + 2 : from + 1;
  if (source.isWord(begin, 'AS', 'WITH')) return undefined;
  const end = source.find(
    { from: begin, to },
    (index) => source.isWord(index, 'FROM') && !source.isWord(index - 1, 'DISTINCT'),
  );
  const names: string[] = [];
  for (const item of source.items({ from: begin, to: end ?? to })) {
    const { alias } = readItem(source, item);
    if (alias === undefined) return undefined;
    names.push(source.nameOf(alias.from));
  }
  return names;
}
