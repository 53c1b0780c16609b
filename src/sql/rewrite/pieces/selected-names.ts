import { readItem } from './select-item.ts';
import type { Range, Source } from './source.ts';

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
