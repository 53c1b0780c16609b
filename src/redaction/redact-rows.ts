import type { Column, SqlType } from '../sql/type.ts';
import type { Row, Value } from '../sql/value.ts';
import { redactText } from './redact-text.ts';

type Redact = (value: Value) => Value;

/** A string in JSON text; the group is there when it is a key. */
const jsonString = /"(?:\\.|[^"\\])*"(\s*:)?/gs;

/** A function that redacts every string in a row, at any depth. Names of columns and JSON keys stay. */
export function rowRedactor(columns: readonly Column[]): (row: Row) => Row {
  const redactors = columns.map((column) => redactorOf(column.type));
  return (row) => row.map((value, index) => (redactors[index] ?? keep)(value));
}

const keep: Redact = (value) => value;

function redactorOf(type: SqlType): Redact {
  switch (type.kind) {
    case 'STRING':
      return (value) => (typeof value === 'string' ? redactText(value) : value);
    case 'JSON':
      return (value) =>
        typeof value === 'string'
          ? value.replace(jsonString, (text, key) => (key === undefined ? redactText(text) : text))
          : value;
    case 'ARRAY': {
      const redact = redactorOf(type.element);
      return redact === keep ? keep : (value) => (isList(value) ? value.map(redact) : value);
    }
    case 'STRUCT': {
      const redactors = type.fields.map((field) => redactorOf(field.type));
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
