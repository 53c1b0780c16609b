/**
 * The name of a field that a line has again, so that no value is lost: the second `a` is `a_2`, unless there is one.
 *
 * @param record without a prototype
 */
export function nextName(record: Readonly<Record<string, unknown>>, name: string): string {
  let next = name;
  for (let number = 2; next in record; number++) next = `${name}_${number}`;
  return next;
}
