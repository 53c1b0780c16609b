import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bytes, int64 } from '../js/js-type.ts';

const bitwise = (name: string, combine: (a: number, b: number) => number) =>
  new JsFunction(`bytes_${name}`, [bytes, bytes], bytes, (a, b) => {
    if (a.length !== b.length) {
      throw new Failure(
        `Bitwise binary operator for BYTES requires equal length of the inputs. Got ${a.length} bytes on the left hand side and ${b.length} bytes on the right hand side.`,
      );
    }
    return a.map((byte, i) => combine(byte, b[i] ?? 0));
  });

export const bytesAnd = bitwise('and', (a, b) => a & b);
export const bytesOr = bitwise('or', (a, b) => a | b);
export const bytesXor = bitwise('xor', (a, b) => a ^ b);
export const bytesNot = new JsFunction('bytes_not', [bytes], bytes, (value) => value.map((byte) => ~byte));

/** Shifts all bits by `by` places towards the first byte, filling with zeros. A negative number shifts them back. */
function shifted(value: Uint8Array, by: number): Uint8Array {
  const whole = Math.floor(by / 8);
  const part = by - whole * 8;
  const byteAt = (i: number) => value[i] ?? 0;
  return value.map((_, i) => (byteAt(i + whole) << part) | (byteAt(i + whole + 1) >> (8 - part)));
}

const shift = (name: string, direction: 1 | -1) =>
  new JsFunction(`bytes_${name}`, [bytes, int64], bytes, (value, by) => {
    if (by < 0n) throw new Failure('Bitwise shift by negative offset.');
    const places = by > value.length * 8 ? value.length * 8 : Number(by);
    return shifted(value, direction * places);
  });

export const bytesShiftLeft = shift('shift_left', 1);
export const bytesShiftRight = shift('shift_right', -1);

export const bytesBitCount = new JsFunction('bytes_bit_count', [bytes], int64, (value) => {
  let count = 0;
  for (const byte of value) for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return BigInt(count);
});

export const byteBitFunctions = [
  bytesAnd,
  bytesOr,
  bytesXor,
  bytesNot,
  bytesShiftLeft,
  bytesShiftRight,
  bytesBitCount,
];
