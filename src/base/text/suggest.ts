/** Longer texts are not misspelt names. */
const maxLength = 200;

/** Sorts names by similarity to a text, ignoring letter case. Equally similar names keep their order. */
export function bySimilarity(written: string, names: readonly string[]): string[] {
  if (written.length > maxLength) return [...names];
  const distances = new Map(names.map((name) => [name, distance(written.toLowerCase(), name.toLowerCase())]));
  return [...names].sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

/** `. Did you mean …?`, or the known names if none is similar. */
export function suggestion(written: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  return didYouMean(written, names) || `; known: ${names.join(', ')}`;
}

/** Letters from which on a text may be the beginning of a name. */
const minBeginning = 4;

/** `. Did you mean …?`, or nothing if no name is similar. A name is also similar to its beginning. */
export function didYouMean(written: string, names: readonly string[]): string {
  const folded = written.toLowerCase();
  const isSimilar = (name: string) => distance(folded, name.toLowerCase()) <= Math.max(2, written.length / 3);
  const isBeginningOf = (name: string) =>
    written.length >= minBeginning && name.toLowerCase().startsWith(folded);
  const closest = bySimilarity(written, names).slice(0, 1).find(isSimilar);
  const meant = closest ?? names.find(isBeginningOf);
  return meant === undefined ? '' : `. Did you mean "${meant}"?`;
}

/** The Levenshtein distance: the letters to insert, delete or replace. */
export function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
