import { datetimeTextOfMicros } from '../../sql/resolved/value-text.ts';
import type { ScalarTypeName } from '../../sql/type.ts';
import type { Value } from '../../sql/value.ts';

/** A quoted GoogleSQL identifier. */
export function identifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

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
      if (/^\d+$/.test(text)) return `${text}.0`;
      return /^\d+\.\d+$/.test(text) ? text : `CAST('${text}' AS FLOAT64)`;
    case 'TIMESTAMP':
      return timestampLiteral(BigInt(text));
    default:
      return `${kind} '${text}'`;
  }
}

export function timestampLiteral(micros: bigint): string {
  return `TIMESTAMP '${datetimeTextOfMicros(micros).replace('T', ' ')}+00'`;
}
