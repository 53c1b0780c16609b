/**
 * The used fields of a record, by position, and for each either all of it or the used fields of the record in it. For
 * an array, this describes its elements. A used scalar is `all`. An empty map means that only the existence or number
 * of records is used.
 */
export type UsedFields = 'all' | ReadonlyMap<number, UsedFields>;

/** Only the existence or number of records is used. */
export const noFields: UsedFields = new Map();

/** The union of two uses. */
export function bothUses(one: UsedFields, other: UsedFields): UsedFields {
  if (one === 'all' || other === 'all') return 'all';
  const fields = new Map(one);
  for (const [position, uses] of other) {
    const known = fields.get(position);
    fields.set(position, known === undefined ? uses : bothUses(known, uses));
  }
  return fields;
}

/** Wraps the uses of a nested field, at a path of positions, into uses of the record. */
export function usesAt(path: readonly number[], uses: UsedFields): UsedFields {
  return path.reduceRight<UsedFields>((inner, position) => new Map([[position, inner]]), uses);
}

/** The uses of a record's field, by its position. Undefined for an unused field. */
export function fieldUses(uses: UsedFields, position: number): UsedFields | undefined {
  return uses === 'all' ? uses : uses.get(position);
}

/** A text that identifies the uses. The order of fields matters. */
export function usesText(uses: UsedFields): string {
  if (uses === 'all') return '*';
  return `{${[...uses].map(([position, inner]) => `${position}${usesText(inner)}`).join()}}`;
}
