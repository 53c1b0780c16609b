import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bytes, text } from '../js/js-type.ts';

/**
 * Converts BYTES to a text with one character per byte, U+0000 to U+00FF, and back: GoogleSQL's text functions treat
 * bytes of BYTES like characters.
 */
export const latinText = new JsFunction('latin_text', [bytes], text, (value) =>
  Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'),
);

export const latinBytes = new JsFunction('latin_bytes', [text], bytes, (value) =>
  Buffer.from(value, 'latin1'),
);

export const textOfBytes = new JsFunction('text_of_bytes', [bytes], text, (value) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw new Failure('Invalid cast of bytes to UTF8 string');
  }
});

/** Decodes BYTES as UTF-8. Each invalid byte becomes U+FFFD. */
export const repairedText = new JsFunction('repaired_text', [bytes], text, (value) => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let result = '';
  for (let i = 0; i < value.length; ) {
    const length = characterLength(value, i, decoder);
    result += length === 0 ? '\ufffd' : decoder.decode(value.subarray(i, i + length));
    i += length || 1;
  }
  return result;
});

/** The length in bytes of the character at `start`. 0 if there is none. */
function characterLength(value: Uint8Array, start: number, decoder: TextDecoder): number {
  const first = value[start] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  try {
    return [...decoder.decode(value.subarray(start, start + length))].length === 1 ? length : 0;
  } catch {
    return 0;
  }
}
