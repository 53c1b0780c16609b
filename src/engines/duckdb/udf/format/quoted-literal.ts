import { JsFunction } from '../js/js-function.ts';
import { bytes, text } from '../js/js-type.ts';

const named: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const hex = (code: number) => `\\x${code.toString(16).padStart(2, '0')}`;

/** Uses single quotes if that avoids escaping double ones. */
const quoteFor = (value: string) => (value.includes('"') && !value.includes("'") ? "'" : '"');

/** A STRING as a literal, as `%T` writes it. */
export const quotedText = new JsFunction('quoted_text', [text], text, (value) => {
  const quote = quoteFor(value);
  let isAfterHex = false;
  const escaped = Array.from(value, (character) => {
    if (character === quote) {
      isAfterHex = false;
      return `\\${character}`;
    }
    const code = character.codePointAt(0) ?? 0;
    // A digit could be read as part of the preceding escape.
    isAfterHex =
      named[character] === undefined &&
      (code < 0x20 || code === 0x7f || (isAfterHex && /[0-9a-fA-F]/.test(character)));
    return named[character] ?? (isAfterHex ? hex(code) : character);
  });
  return quote + escaped.join('') + quote;
});

/** Bytes that need no escape in a BYTES literal. */
const isPrintable = (code: number) => code >= 0x20 && code < 0x7f;

function escapedBytes(value: Uint8Array, quotes: string): string {
  let result = '';
  for (const code of value) {
    const character = String.fromCharCode(code);
    if (character === '\\' || quotes.includes(character)) result += `\\${character}`;
    else result += isPrintable(code) ? character : hex(code);
  }
  return result;
}

/** BYTES as `%t` writes them: bytes other than printable ASCII become `\xff`. */
export const escapedBytesText = new JsFunction('escaped_bytes', [bytes], text, (value) =>
  escapedBytes(value, `"'`),
);

/** BYTES as a literal, as `%T` writes them. */
export const quotedBytes = new JsFunction('quoted_bytes', [bytes], text, (value) => {
  const quote = quoteFor(Buffer.from(value).toString('latin1'));
  return `b${quote}${escapedBytes(value, quote)}${quote}`;
});
