import type { ByteWriter } from './byte-writer.ts';

/** The digit 0, and the minus. */
const zero = 0x30;
const minus = 0x2d;

/** Beyond this many digits, an integer has two parts, as machine integers are faster than doubles. */
const partDigits = 9;
const part = 10 ** partDigits;

/** Writes a safe integer. */
export function writeInteger(out: ByteWriter, value: number): void {
  out.reserve(20);
  let rest = value;
  if (rest < 0) {
    out.byte(minus);
    rest = -rest;
  }
  if (rest < part) {
    writeDigits(out, rest, digitsOf(rest));
    return;
  }
  const high = Math.floor(rest / part);
  writeDigits(out, high, digitsOf(high));
  writeDigits(out, rest - high * part, partDigits);
}

/** Writes a non-negative integer with this many digits, up to nine, with zeros in front. */
export function writeDigits(out: ByteWriter, value: number, count: number): void {
  const bytes = out.reserve(count);
  let rest = value | 0;
  for (let at = out.length + count - 1; at >= out.length; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = zero + rest - tenth * 10;
    rest = tenth;
  }
  out.length += count;
}

function digitsOf(value: number): number {
  let count = 1;
  for (let power = 10; power <= value; power *= 10) count++;
  return count;
}
