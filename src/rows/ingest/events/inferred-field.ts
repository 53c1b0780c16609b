import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import { FieldNames, sentDescription } from '../../../definitions/sources/sent-name.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { maxRecordDepth } from '../../../definitions/sources/table-field.ts';
import { unicodeText } from '../encode/quote.ts';
import { isObject } from '../encode/record-members.ts';
import { describeValue, RowValidationError } from '../encode/row-validation-error.ts';
import { storedJson } from '../encode/stored-json.ts';

/** A field as its values tell. */
export interface InferredField {
  /** As events have it. */
  readonly name: string;
  readonly type: FieldType;
  readonly isRepeated: boolean;
  /** Of a record, by their names in lower case. */
  readonly fields: ReadonlyMap<string, InferredField>;
}

type FieldType = 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL' | 'RECORD' | 'JSON';

/** What a value tells without the name of its field. */
type Content = Omit<InferredField, 'name'>;

const none: ReadonlyMap<string, InferredField> = new Map();

/** A field that takes any value. */
const json: Content = { type: 'JSON', isRepeated: false, fields: none };

const wholeNumber = /^-?\d+$/;
const maxInt64 = 2n ** 63n - 1n;

/**
 * The field of a value: texts are STRING, whole numbers INT64, other numbers FLOAT64, and objects and arrays of them
 * repeated records. Arrays that no type of BigQuery has are JSON: arrays of arrays, of several types, and with null. Undefined
 * if the value tells nothing: null, an empty array or object, or only such values.
 *
 * @param depth how many records the field is in
 * @throws RowValidationError for a value or a name that no field can have
 * @throws DigitsNeeded for numbers without their digits
 */
export function inferField(name: string, value: unknown, depth: number): InferredField | undefined {
  const content = contentOf(value, depth);
  return content && { name: unicodeText(name), ...content };
}

function contentOf(value: unknown, depth: number): Content | undefined {
  if (Array.isArray(value)) return contentOfArray(value, depth);
  if (isObject(value)) return contentOfRecord(value, depth);
  const type = scalarType(value);
  return type && { type, isRepeated: false, fields: none };
}

function scalarType(value: unknown): FieldType | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') {
    unicodeText(value);
    return 'STRING';
  }
  if (typeof value === 'boolean') return 'BOOL';
  if (!(value instanceof JsonNumber)) throw new DigitsNeeded();
  if (!wholeNumber.test(value.text)) {
    if (Number.isFinite(Number(value.text))) return 'FLOAT64';
    throw new RowValidationError(`expected FLOAT64, got ${describeValue(value)}`);
  }
  const integer = BigInt(value.text);
  if (integer <= maxInt64 && integer >= -maxInt64 - 1n) return 'INT64';
  throw new RowValidationError(`expected INT64, got ${describeValue(value)}`);
}

function contentOfRecord(value: Readonly<Record<string, unknown>>, depth: number): Content | undefined {
  if (depth >= maxRecordDepth)
    throw new RowValidationError(`records are nested more than ${maxRecordDepth} levels deep`, 'limit');
  const fields = new Map<string, InferredField>();
  const names = new Set<string>();
  for (const [name, member] of Object.entries(value)) {
    // A renamed field stays as undefined where it was.
    if (member === undefined) continue;
    const folded = name.toLowerCase();
    if (names.has(folded)) throw new RowValidationError('the field occurs twice').within(name);
    names.add(folded);
    const field = within(name, () => inferField(name, member, depth + 1));
    if (field !== undefined) fields.set(folded, field);
  }
  return fields.size === 0 ? undefined : { type: 'RECORD', isRepeated: true, fields };
}

function contentOfArray(values: readonly unknown[], depth: number): Content | undefined {
  let all: Content | undefined;
  let isMixed = values.some(Array.isArray);
  for (const [index, element] of values.entries()) {
    if (isMixed) break;
    const content = within(index, () => contentOf(element, depth));
    if (content === undefined) continue;
    all = all === undefined ? content : together(all, content);
    isMixed = all === undefined;
  }
  if (all === undefined && !isMixed) return undefined;
  const isTyped = values.every(
    (element) => element !== null && (all?.type === 'RECORD' || !isObject(element)),
  );
  if (all !== undefined && isTyped) return { ...all, isRepeated: true };
  storedJson(values);
  return json;
}

/** What two elements of an array tell together. Undefined if they contradict each other anywhere. */
function together(a: Content, b: Content): Content | undefined {
  try {
    return united(a, b);
  } catch (error) {
    if (error instanceof RowValidationError) return undefined;
    throw error;
  }
}

/**
 * What two values tell together. Undefined if they contradict each other.
 *
 * @throws RowValidationError if they are records with fields that contradict each other
 */
function united<T extends Content>(a: T, b: Content): T | undefined {
  if (a.type === 'JSON') return a;
  if (a.isRepeated !== b.isRepeated) return undefined;
  if (a.type === 'RECORD' && b.type === 'RECORD') return { ...a, fields: unitedFields(a.fields, b.fields) };
  if (a.type === b.type) return a;
  return isNumber(a) && isNumber(b) ? { ...a, type: 'FLOAT64' } : undefined;
}

function isNumber({ type }: Content): boolean {
  return type === 'INT64' || type === 'FLOAT64';
}

/** The fields of both records. */
function unitedFields(
  a: ReadonlyMap<string, InferredField>,
  b: ReadonlyMap<string, InferredField>,
): ReadonlyMap<string, InferredField> {
  const fields = new Map(a);
  for (const [name, field] of b) {
    const known = fields.get(name);
    fields.set(name, known === undefined ? field : within(field.name, () => unitedOrRefused(known, field)));
  }
  return fields;
}

/** The same. Throws `RowValidationError` for any contradiction. */
export function unitedOrRefused(known: InferredField, field: InferredField): InferredField {
  const both = united(known, field);
  if (both !== undefined) return both;
  throw new RowValidationError(`expected ${typeText(known)} as before it, got ${typeText(field)}`);
}

function typeText({ type, isRepeated }: Content): string {
  return isRepeated && type !== 'RECORD' ? `an array of ${type}` : type;
}

/** How many fields a field adds to others: itself and those within it, without those that are there. */
export function addedFields(field: InferredField, known: InferredField | undefined): number {
  let count = known === undefined ? 1 : 0;
  for (const [name, inner] of field.fields) count += addedFields(inner, known?.fields.get(name));
  return count;
}

/**
 * The new fields of a record as in a table schema.
 *
 * @param taken the names of its present fields
 */
export function newTableFields(
  fields: readonly InferredField[],
  taken: readonly string[],
  depth: number,
): TableField[] {
  const names = new FieldNames(taken, depth === 0).assign(fields.map(({ name }) => name));
  return fields.map(({ name: sent, type, isRepeated, fields: inner }): TableField => {
    const name = names.get(sent) ?? sent;
    return {
      name,
      type,
      mode: isRepeated ? 'REPEATED' : 'NULLABLE',
      ...(name !== sent && { description: sentDescription(sent) }),
      ...(type === 'RECORD' && { fields: newTableFields([...inner.values()], [], depth + 1) }),
    };
  });
}

function within<T>(step: string | number, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(step) : error;
  }
}
