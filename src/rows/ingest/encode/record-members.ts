import { JsonNumber } from '../../../base/text/json-number.ts';
import { sentName } from '../../../definitions/sources/sent-name.ts';
import { otherFields, type SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType, type ScalarTypeName, type SqlType } from '../../../sql/values/type.ts';
import type { Leniency } from './leniency.ts';
import { describeValue, RowValidationError } from './row-validation-error.ts';
import type { Encoder } from './scalar-encoder.ts';

/**
 * How a field of a record is written. The texts are members of a JSON object, each preceded by a comma, or empty if values
 * are stored elsewhere.
 */
export interface FieldForm {
  /** Writes a value other than null. Throws as an `Encoder` does. */
  readonly write: Encoder;
  /** Writes the absence of a value, in a field that allows it; undefined if nothing needs to be written. */
  readonly writeAbsent: (() => string) | undefined;
}

interface Field extends FieldForm {
  readonly index: number;
  readonly column: SourceColumn;
  readonly name: string;
  readonly isRequired: boolean;
}

/**
 * The encoder of a record's fields, made once. Field names may have any letter case. A field that is absent or null is
 * NULL, or empty if it is repeated. A field that the record doesn't have, or that occurs twice, is refused. A member that is
 * undefined is none.
 *
 * @param formOf how each field is written
 * @param lenient how records may differ, and the path of this one
 */
export function recordMembers(
  columns: readonly SourceColumn[],
  formOf: (column: SourceColumn, index: number) => FieldForm,
  lenient?: { readonly leniency: Leniency; readonly path: readonly string[] },
): Encoder {
  const fields = columns.map((column, index): Field => {
    const isRequired = column.mode === 'REQUIRED';
    return { index, column, name: column.name, isRequired, ...formOf(column, index) };
  });
  // Rows that aren't events can have either name: those that were exported have the columns' own.
  const sent = fields.map((field) => [sentName(field.column), field] as const);
  const own = lenient === undefined ? fields.map((field) => [field.name, field] as const) : [];
  // Senders may not know of a new name yet.
  const former = fields.flatMap((field) =>
    field.column.was === undefined ? [] : [[field.column.was, field] as const],
  );
  const names = [...former, ...sent, ...own];
  const byName = new Map(names);
  const byFoldedName = new Map(names.map(([name, field]) => [name.toLowerCase(), field]));
  const takeOthers = lenient?.path.length === 0 ? lenient.leniency.takeOthers : undefined;
  const others = takeOthers && byFoldedName.get(otherFields);
  const needed = fields.filter((field) => field.isRequired || field.writeAbsent !== undefined);
  // The fields of the current record: those whose mark is the record's number.
  const marks = new Float64Array(fields.length);
  let record = 0;

  return (value) => {
    if (!isObject(value)) throw new RowValidationError(`expected a record, got ${describeValue(value)}`);
    record += 1;
    // It is written last. Nothing else is its value.
    if (others !== undefined) marks[others.index] = record;
    let text = '';
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      const field = byName.get(name) ?? byFoldedName.get(name.toLowerCase());
      if (field === undefined) {
        if (lenient === undefined)
          throw new RowValidationError('unknown field', 'unknown-field').within(name);
        lenient.leniency.onUnknownField(lenient.path, name, member);
        continue;
      }
      if (marks[field.index] === record) {
        const error = new RowValidationError('the field occurs twice').within(name);
        if (lenient === undefined) throw error;
        lenient.leniency.onConflict(lenient.path, field.column, name, member, error);
        continue;
      }
      marks[field.index] = record;
      text += member === null ? absentText(field) : memberText(field, name, member, lenient);
    }
    const rest = others && takeOthers?.();
    if (others !== undefined && rest !== undefined) text += encodeWithin(others.write, rest, others.name);
    for (const field of needed) {
      if (marks[field.index] === record) continue;
      if (field.isRequired)
        throw missing(needed.filter(({ index, isRequired }) => isRequired && marks[index] !== record));
      text += absentText(field);
    }
    return text;
  };
}

/** Names further ones than these only by their number. */
const namedMissing = 5;

/** The error for a record that lacks required fields: it is at the first one, and names the others. */
function missing([first, ...others]: readonly Field[]): RowValidationError {
  const names = others.slice(0, namedMissing).map(({ name }) => name);
  const more = others.length > namedMissing ? ` and ${others.length - namedMissing} more` : '';
  const also =
    others.length === 0 ? '' : `, as ${others.length === 1 ? 'is' : 'are'} ${names.join(', ')}${more}`;
  return new RowValidationError(`missing, but REQUIRED${also}`, 'missing').within(first?.name ?? '');
}

/** @param lenient takes a value that contradicts the field, if it does */
function memberText(
  field: Field,
  name: string,
  value: unknown,
  lenient: { readonly leniency: Leniency; readonly path: readonly string[] } | undefined,
): string {
  try {
    return field.write(value);
  } catch (error) {
    if (!(error instanceof RowValidationError)) throw error;
    if (lenient === undefined || error.kind !== 'type') throw error.within(field.name);
    lenient.leniency.onConflict(lenient.path, field.column, name, value, error.within(field.name));
    return absentText(field);
  }
}

function absentText(field: Field): string {
  if (field.isRequired) throw missing([field]);
  return field.writeAbsent?.() ?? '';
}

/** The type of a column's single values, unless they are records. */
export function scalarType({ type }: SourceColumn): ScalarTypeName {
  const element: SqlType = elementType(type);
  if (element.kind === 'ARRAY') throw new TypeError('a column of arrays of arrays');
  if (element.kind === 'STRUCT') throw new TypeError('a record');
  return element.kind;
}

/** The encoder of arrays, as JSON arrays. */
export function arrayEncoder(encode: Encoder): Encoder {
  return (value) => elementsText(arrayOf(value), encode);
}

/**
 * The encoder of lists of records, as JSON arrays. An object is a list of one, as Logflare stores objects.
 *
 * @param onElement called before each record, with its index if there are several
 */
export function listEncoder(
  encode: Encoder,
  onElement: (index: number | undefined) => void = () => undefined,
): Encoder {
  return (value) => {
    const elements = isObject(value) ? undefined : recordsOf(value);
    if (elements !== undefined && elements.length > 1) return elementsText(elements, encode, onElement);
    onElement(undefined);
    return elements === undefined ? `[${encode(value)}]` : elementsText(elements, encode);
  };
}

function elementsText(
  elements: readonly unknown[],
  encode: Encoder,
  onElement: (index: number) => void = () => undefined,
): string {
  let text = '';
  for (const [index, element] of elements.entries()) {
    onElement(index);
    text += (index === 0 ? '' : ',') + encodeElement(encode, element, index);
  }
  return `[${text}]`;
}

function arrayOf(value: unknown, expected = 'an array'): readonly unknown[] {
  if (!Array.isArray(value))
    throw new RowValidationError(`expected ${expected}, got ${describeValue(value)}`);
  return value;
}

/** The value of a list of records that isn't one record; throws a row validation error for values other than arrays. */
export function recordsOf(value: unknown): readonly unknown[] {
  return arrayOf(value, 'a record or an array of them');
}

/** An element of an array, which may not be null. */
export function encodeElement(encode: Encoder, element: unknown, index: number): string {
  if (element === null)
    throw new RowValidationError('null in a REPEATED field, which has no such elements: JSON does').within(
      index,
    );
  return encodeWithin(encode, element, index);
}

function encodeWithin(encode: Encoder, value: unknown, step: string | number): string {
  try {
    return encode(value);
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(step) : error;
  }
}

/** Whether a parsed value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}
