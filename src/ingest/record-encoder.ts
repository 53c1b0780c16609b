import type { SourceColumn } from '../sources/source.ts';
import { elementType, type SqlType } from '../sql/type.ts';
import { JsonNumber } from './json-number.ts';
import { describeValue, Misfit } from './misfit.ts';
import { type Encoder, scalarEncoder } from './scalar-encoder.ts';

/**
 * The encoder of records with these fields, made once. Field names may come in any letter case. A field that is
 * absent or null is NULL, or empty when it is repeated; a field that the record doesn't have, or that comes
 * twice, is refused.
 */
export function recordEncoder(columns: readonly SourceColumn[]): Encoder {
  const fields = columns.map((column, index) => compileField(column, index));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const byFoldedName = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  const needed = fields.filter((field) => field.whenAbsent !== 'null');
  // Which fields the present record has: those whose mark is the record's number.
  const marks = new Float64Array(fields.length);
  let record = 0;

  return (value) => {
    if (!isObject(value)) throw new Misfit(`expected a record, got ${describeValue(value)}`);
    record += 1;
    let text = '';
    for (const name of Object.keys(value)) {
      const field = byName.get(name) ?? byFoldedName.get(name.toLowerCase());
      if (field === undefined) throw new Misfit('unknown field').within(name);
      if (marks[field.index] === record) throw new Misfit('the field is there twice').within(name);
      marks[field.index] = record;
      const member = value[name];
      if (member === null) text += absent(field);
      else text += field.key + encodeWithin(field.encode, member, field.name);
    }
    for (const field of needed) {
      if (marks[field.index] !== record) text += absent(field);
    }
    return `{${text.slice(1)}}`;
  };
}

interface Field {
  readonly index: number;
  readonly name: string;
  /** What stands before the value: a comma, the key as the store has it, a colon. */
  readonly key: string;
  readonly encode: Encoder;
  readonly whenAbsent: 'null' | 'empty' | 'refuse';
}

function compileField(column: SourceColumn, index: number): Field {
  const { name, mode } = column;
  const key = `,${JSON.stringify(name.toLowerCase())}:`;
  const element = elementEncoder(column);
  if (mode === 'REPEATED') {
    return { index, name, key, encode: arrayEncoder(element), whenAbsent: 'empty' };
  }
  return { index, name, key, encode: element, whenAbsent: mode === 'REQUIRED' ? 'refuse' : 'null' };
}

function absent(field: Field): string {
  if (field.whenAbsent === 'refuse') throw new Misfit('missing, but REQUIRED').within(field.name);
  return field.whenAbsent === 'empty' ? `${field.key}[]` : '';
}

function elementEncoder({ type, fields }: SourceColumn): Encoder {
  const element: SqlType = elementType(type);
  if (element.kind === 'STRUCT') return recordEncoder(fields);
  if (element.kind === 'ARRAY') throw new TypeError('a column of arrays of arrays');
  return scalarEncoder(element.kind);
}

function arrayEncoder(encode: Encoder): Encoder {
  return (value) => {
    if (!Array.isArray(value)) throw new Misfit(`expected an array, got ${describeValue(value)}`);
    let text = '';
    for (const [index, element] of value.entries()) {
      if (element === null) throw new Misfit('null in a REPEATED field').within(index);
      text += (index === 0 ? '' : ',') + encodeWithin(encode, element, index);
    }
    return `[${text}]`;
  };
}

function encodeWithin(encode: Encoder, value: unknown, step: string | number): string {
  try {
    return encode(value);
  } catch (error) {
    throw error instanceof Misfit ? error.within(step) : error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}
