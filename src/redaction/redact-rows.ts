import type { Column, SqlType } from '../sql/type.ts';
import type { Row, Value } from '../sql/value.ts';
import type { PiiClass } from './pii-class.ts';
import { jsonRedactor, type RedactText, textRedactor } from './redact-text.ts';

type Redact = (value: Value) => Value;

/**
 * A function that redacts every string in a row, at any depth, those in JSON included. Names of columns and JSON keys
 * stay, and so does what is no text: numbers, times, BYTES.
 */
export function rowRedactor(columns: readonly Column[], classes: readonly PiiClass[]): (row: Row) => Row {
  if (classes.length === 0) return (row) => row;
  const texts = { STRING: inStrings(textRedactor(classes)), JSON: inStrings(jsonRedactor(classes)) };
  const redactors = columns.map((column) => redactorOf(column.type, texts));
  return (row) => row.map((value, index) => (redactors[index] ?? keep)(value));
}

const keep: Redact = (value) => value;

function inStrings(redact: RedactText): Redact {
  return (value) => (typeof value === 'string' ? redact(value) : value);
}

function redactorOf(type: SqlType, texts: Readonly<Record<'STRING' | 'JSON', Redact>>): Redact {
  switch (type.kind) {
    case 'STRING':
    case 'JSON':
      return texts[type.kind];
    case 'ARRAY': {
      const redact = redactorOf(type.element, texts);
      return redact === keep ? keep : (value) => (isList(value) ? value.map(redact) : value);
    }
    case 'STRUCT': {
      const redactors = type.fields.map((field) => redactorOf(field.type, texts));
      return (value) =>
        isList(value) ? value.map((field, index) => (redactors[index] ?? keep)(field)) : value;
    }
    default:
      return keep;
  }
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
