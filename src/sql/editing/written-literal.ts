import { textForms } from '../text/parse-text.ts';
import { literal } from '../text/sql-text.ts';
import type { ScalarTypeName } from '../values/type.ts';

/** A text as a literal of a type, or what was expected instead. */
export type WrittenLiteral =
  | { readonly sql: string; readonly expected?: undefined }
  | { readonly expected: string; readonly sql?: undefined };

/** The literal of a type for a value that a user has typed, or that an answer has as a text. */
export function writtenLiteral(kind: ScalarTypeName, text: string): WrittenLiteral {
  const form = textForms[kind];
  if (form === undefined) return { expected: `no value: ${kind} can’t be compared` };
  const value = text.includes('\0') ? undefined : form.parse(text);
  return value === undefined ? { expected: form.expected } : { sql: literal(kind, value) };
}
