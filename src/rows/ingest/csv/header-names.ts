/** A column of a CSV file: the name that its values have in rows, and what the header says. */
export interface HeaderColumn {
  readonly name: string;
  /** Null for a column without a name. */
  readonly given: string | null;
}

/**
 * The columns of a header. One without a name has that of its place, `column_1`, and one whose name was there before has the next
 * number: `a_2`. Letter case doesn't count.
 */
export function headerColumns(header: readonly (string | null)[]): HeaderColumn[] {
  const taken = new Set(header.map((cell) => cell?.toLowerCase()));
  const used = new Set<string>();
  return header.map((cell, index) => {
    const given = cell === '' ? null : cell;
    const first = given ?? `column_${index + 1}`;
    let name = first;
    const isTaken = (each: string) => taken.has(each.toLowerCase()) || used.has(each.toLowerCase());
    // The first column with a name keeps it.
    if (given === null ? isTaken(name) : used.has(name.toLowerCase())) {
      let number = 2;
      while (isTaken(`${first}_${number}`)) number += 1;
      name = `${first}_${number}`;
    }
    used.add(name.toLowerCase());
    return { name, given };
  });
}
