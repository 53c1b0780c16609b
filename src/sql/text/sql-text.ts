import type { ScalarTypeName, SqlType } from '../values/type.ts';
import type { Value } from '../values/value.ts';
import { datetimeTextOfMicros } from '../values/value-text.ts';
import { identifier } from './identifier.ts';

const escapes = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);

/** A text as a GoogleSQL string literal: https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical */
export function stringLiteral(text: string): string {
  const escaped = text.replace(/[\\']|\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return escapes.get(character) ?? `\\u${code}`;
  });
  return `'${escaped}'`;
}

/** A value as a GoogleSQL literal, from the text form of its type. */
export function literal(kind: ScalarTypeName, value: Value): string {
  const text = String(value);
  switch (kind) {
    case 'STRING':
      return stringLiteral(text);
    case 'BOOL':
      return text.toUpperCase();
    case 'INT64':
      // A minus sign is an operator, and the smallest number has no positive counterpart.
      return text.startsWith('-') ? `CAST('${text}' AS INT64)` : text;
    case 'FLOAT64':
      if (Object.is(value, -0)) return "CAST('-0' AS FLOAT64)";
      if (/^\d+$/.test(text)) return `${text}.0`;
      return /^\d+\.\d+$/.test(text) ? text : `CAST('${text}' AS FLOAT64)`;
    case 'TIMESTAMP':
      return timestampLiteral(BigInt(text));
    case 'BYTES':
      return `FROM_BASE64('${text}')`;
    case 'INTERVAL':
      return `CAST('${text}' AS INTERVAL)`;
    case 'GEOGRAPHY':
      return `ST_GEOGFROMTEXT(${stringLiteral(text)})`;
    default:
      return `${kind} ${stringLiteral(text)}`;
  }
}

/** A value as a constant expression of exactly its type. */
export function constantSql(type: SqlType, value: Value): string {
  if (value === null) return `CAST(NULL AS ${typeSql(type)})`;
  if (type.kind !== 'ARRAY' && type.kind !== 'STRUCT') return literal(type.kind, value);
  if (!Array.isArray(value)) throw new TypeError(`A value has not the form of ${type.kind}`);
  if (type.kind === 'ARRAY')
    return `${typeSql(type)}[${value.map((element) => constantSql(type.element, element)).join(', ')}]`;
  const fields = type.fields.map((field, index) => constantSql(field.type, value[index] ?? null));
  return `${typeSql(type)}(${fields.join(', ')})`;
}

/** A type as GoogleSQL writes it: `ARRAY<STRUCT<a INT64>>`. */
export function typeSql(type: SqlType): string {
  if (type.kind === 'ARRAY') return `ARRAY<${typeSql(type.element)}>`;
  if (type.kind !== 'STRUCT') return type.kind;
  const fields = type.fields.map((field) =>
    [...(field.name === '' ? [] : [identifier(field.name)]), typeSql(field.type)].join(' '),
  );
  return `STRUCT<${fields.join(', ')}>`;
}

export function timestampLiteral(micros: bigint): string {
  return `TIMESTAMP '${datetimeTextOfMicros(micros).replace('T', ' ')}+00'`;
}
