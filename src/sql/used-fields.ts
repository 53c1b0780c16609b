/**
 * Which fields of a record are used, each by its position, and what of them: all, or some fields of the records that they are. Of an
 * array it is said of its elements. A scalar that is used is `all`; without fields, only whether there is a record, or how many, is.
 */
export type UsedFields = 'all' | ReadonlyMap<number, UsedFields>;

/** Whether there is a record, or how many there are, and nothing of it. */
export const noFields: UsedFields = new Map();

/** What is used by any of two. */
export function bothUses(one: UsedFields, other: UsedFields): UsedFields {
  if (one === 'all' || other === 'all') return 'all';
  const fields = new Map(one);
  for (const [position, uses] of other) {
    const known = fields.get(position);
    fields.set(position, known === undefined ? uses : bothUses(known, uses));
  }
  return fields;
}

/** The uses of a record of which a field, found by positions, is used like that. */
export function usesAt(path: readonly number[], uses: UsedFields): UsedFields {
  return path.reduceRight<UsedFields>((inner, position) => new Map([[position, inner]]), uses);
}

/** What is used of a field of a record, by its position; undefined for a field that isn't used. */
export function fieldUses(uses: UsedFields, position: number): UsedFields | undefined {
  return uses === 'all' ? uses : uses.get(position);
}

/** A text that says what is used. The order of fields counts. */
export function usesText(uses: UsedFields): string {
  if (uses === 'all') return '*';
  return `{${[...uses].map(([position, inner]) => `${position}${usesText(inner)}`).join()}}`;
}
