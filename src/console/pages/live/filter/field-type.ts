/**
 * The type of a field, as GoogleSQL writes it.
 *
 * @param type of the column, such as `ARRAY<STRUCT<a INT64>>`
 * @param names from the column to the field; lists have no names
 */
export function fieldType(type: string, names: readonly string[]): string | undefined {
  const record = elementType(type);
  const [name, ...rest] = names;
  if (name === undefined) return record;
  const field = fieldsOf(record).find(([each]) => each.toLowerCase() === name.toLowerCase());
  return field && fieldType(field[1], rest);
}

function elementType(type: string): string {
  return type.startsWith('ARRAY<') ? elementType(type.slice('ARRAY<'.length, -1)) : type;
}

/** The fields of `STRUCT<a INT64, b ARRAY<STRING>>`. */
function fieldsOf(type: string): readonly (readonly [name: string, type: string])[] {
  if (!type.startsWith('STRUCT<')) return [];
  const fields: (readonly [string, string])[] = [];
  let depth = 0;
  let start = 'STRUCT<'.length;
  for (let at = start; at < type.length; at += 1) {
    const character = type[at];
    if (character === '<') depth += 1;
    const isEnd = (character === ',' && depth === 0) || at === type.length - 1;
    if (character === '>') depth -= 1;
    if (!isEnd) continue;
    const [, name, own] = /^\s*`?([^\s`]+)`?\s+(.+)$/.exec(type.slice(start, at)) ?? [];
    if (name !== undefined && own !== undefined) fields.push([name, own]);
    start = at + 1;
  }
  return fields;
}
