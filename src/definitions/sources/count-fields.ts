/** Columns of a source, or fields of a table schema. */
interface Fields extends ReadonlyArray<{ readonly fields?: Fields | undefined }> {}

/** How many fields there are, with those in records. */
export function countFields(fields: Fields): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields ?? []), 0);
}
