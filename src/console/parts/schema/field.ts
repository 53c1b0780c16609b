/** A column or a field of a record. */
export interface Field {
  readonly name: string;
  /** As GoogleSQL writes it. */
  readonly type: string;
  readonly isArray: boolean;
  /** The fields of the record, or of the records of the array. */
  readonly fields: readonly Field[];
}

/** A table with the fields of its rows. */
export interface Table {
  readonly name: string;
  readonly fields: readonly Field[];
}

interface Named {
  readonly name: string;
  readonly type: string;
}

/** The tables of an endpoint, with their nested fields. */
export function tablesOf(
  tables: readonly { readonly name: string; readonly columns: readonly Named[] }[],
): readonly Table[] {
  return tables.map(({ name, columns }) => ({ name, fields: columns.map(fieldOf) }));
}

/** A column with the fields that its type tells, such as `ARRAY<STRUCT<path STRING>>`. */
export function fieldOf({ name, type }: Named): Field {
  const isArray = type.startsWith('ARRAY<');
  const element = elementType({ type, isArray });
  const members = element.startsWith('STRUCT<') ? membersOf(inBrackets(element)) : [];
  return { name, type, isArray, fields: members.flatMap(memberField) };
}

/** The field inside of others that these names lead to, in letters of any case. */
export function fieldAt(fields: readonly Field[], [name, ...inside]: readonly string[]): Field | undefined {
  const field = fields.find((each) => each.name.toLowerCase() === name?.toLowerCase());
  return field === undefined || inside.length === 0 ? field : fieldAt(field.fields, inside);
}

/** The type of a field's values; of its elements if it is an array. */
export function elementType({ type, isArray }: Pick<Field, 'type' | 'isArray'>): string {
  return isArray ? inBrackets(type) : type;
}

/** A type without the fields of its records, such as `ARRAY<STRUCT>`. */
export function shortType(type: string): string {
  const [, array = '', element = type] = /^(ARRAY<)?(\w+)/.exec(type) ?? [];
  return array === '' ? element : `${array}${element}>`;
}

function inBrackets(type: string): string {
  return type.slice(type.indexOf('<') + 1, type.lastIndexOf('>'));
}

/** The parts of a text between the commas outside of brackets. */
function membersOf(text: string): readonly string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(/`[^`]*`|[<>(),]/g)) {
    if (sign === '<' || sign === '(') depth += 1;
    else if (sign === '>' || sign === ')') depth -= 1;
    else if (sign === ',' && depth === 0) {
      members.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...members, text.slice(start)];
}

/** The field of `name TYPE`. Fields of records don't need to have names: those without can't be written. */
function memberField(member: string): readonly Field[] {
  const [, quoted, plain, type] = /^\s*(?:`([^`]*)`|(\w+))\s+(\w.*?)\s*$/s.exec(member) ?? [];
  const name = quoted ?? plain;
  return name === undefined || type === undefined ? [] : [fieldOf({ name, type })];
}
