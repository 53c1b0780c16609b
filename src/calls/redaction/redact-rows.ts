import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import type { Column, SqlType } from '../../sql/values/type.ts';
import type { Row, Value } from '../../sql/values/value.ts';
import { isList } from '../../sql/values/value.ts';
import { jsonRedactor, type RedactText, textRedactor } from './redact-text.ts';

type Redact = (value: Value) => Value;

/**
 * Returns a function that redacts every string in a row, at any depth, including those in JSON. Column names, JSON keys
 * and values of other types (numbers, times, BYTES) stay.
 */
export function rowRedactor(columns: readonly Column[], classes: readonly PiiClass[]): (row: Row) => Row {
  if (classes.length === 0) return (row) => row;
  const texts = { STRING: inStrings(textRedactor(classes)), JSON: inStrings(jsonRedactor(classes)) };
  const redactors = columns.map((column) => redactorOf(column.type, texts));
  return (row) => row.map((value, index) => (redactors[index] ?? unchanged)(value));
}

const unchanged: Redact = (value) => value;

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
      return redact === unchanged ? unchanged : (value) => (isList(value) ? value.map(redact) : value);
    }
    case 'STRUCT': {
      const redactors = type.fields.map((field) => redactorOf(field.type, texts));
      return (value) =>
        isList(value) ? value.map((field, index) => (redactors[index] ?? unchanged)(field)) : value;
    }
    default:
      return unchanged;
  }
}
