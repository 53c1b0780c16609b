import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bytes, int64, listOf, text } from '../js/js-type.ts';

export const toCodePoints = new JsFunction('to_code_points', [text], listOf(int64), (value) =>
  Array.from(value, (character) => BigInt(character.codePointAt(0) ?? 0)),
);

const isScalarValue = (code: bigint) =>
  code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);

/** NULL if one of the code points is. */
export const codePointsToText = new JsFunction('code_points_to_text', [listOf(int64)], text, (codes) => {
  if (codes.includes(null)) return null;
  const characters: string[] = [];
  for (const code of codes) {
    if (code === null || !isScalarValue(code)) throw new Failure(`Invalid codepoint ${code}`);
    characters.push(String.fromCodePoint(Number(code)));
  }
  return characters.join('');
});

/** NULL if one of the numbers is. */
export const codePointsToBytes = new JsFunction('code_points_to_bytes', [listOf(int64)], bytes, (codes) => {
  if (codes.includes(null)) return null;
  const invalid = codes.find((code) => code !== null && (code < 0n || code > 255n));
  if (invalid !== undefined) throw new Failure(`Invalid ASCII value ${invalid}`);
  return Uint8Array.from(codes, Number);
});
