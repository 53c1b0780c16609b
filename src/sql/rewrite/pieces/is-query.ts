import type { Range, Source } from './source.ts';

/** Whether the tokens in brackets are a query rather than an expression or a join. */
export function isQuery(source: Source, range: Range): boolean {
  if (range.from >= range.to) return false;
  if (source.isWord(range.from, 'SELECT', 'FROM')) return true;
  if (source.isWord(range.from, 'WITH')) return !source.isSymbol(range.from + 1, '(');
  if (!source.isSymbol(range.from, '(')) return false;
  const close = source.closer(range.from);
  if (close === undefined) return false;
  if (!isQuery(source, { from: range.from + 1, to: close })) return false;
  if (close + 1 === range.to) return true;
  if (source.isWord(close + 1, 'UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT')) return true;
  return (
    source.find(range, (index) => source.isSymbol(index, '|>') || isSetOperator(source, index)) !== undefined
  );
}

/** Whether a token is the word of a set operation. `* EXCEPT (...)` is none. */
export function isSetOperator(source: Source, index: number): boolean {
  if (!source.isWord(index, 'UNION', 'INTERSECT', 'EXCEPT')) return false;
  return source.isWord(index + 1, 'ALL', 'DISTINCT');
}
