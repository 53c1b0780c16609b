import { isSymbol, isWord, type Part } from './part.ts';

/** Words that end a FROM clause. */
export const afterFrom = ['WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', 'SELECT'];

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
export function isFromClause(parts: readonly Part[], index: number): boolean {
  const isComparison = isWord(parts[index - 1], 'DISTINCT') && isWord(parts[index - 2], 'IS', 'NOT');
  return isWord(parts[index], 'FROM') && !isComparison;
}
