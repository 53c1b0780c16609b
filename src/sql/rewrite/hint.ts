import type { Source } from './source.ts';

/** The index after a hint: `@{...}`, or `@` and a number. Undefined if there is none. */
export function hintEnd(source: Source, index: number): number | undefined {
  if (source.isSymbol(index + 1, '{')) return source.after(index + 1);
  const next = source.tokens[index + 1];
  if (next?.kind !== 'literal' || !/^\d+$/.test(next.text)) return undefined;
  return source.isSymbol(index + 2, '@') && source.isSymbol(index + 3, '{')
    ? source.after(index + 3)
    : index + 2;
}
