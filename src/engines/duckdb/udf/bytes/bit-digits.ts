import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bytes, text } from '../js/js-type.ts';

/** Digits of one to three bits. */
interface Radix {
  readonly name: string;
  readonly prefix: '0b' | '0o';
  readonly digits: RegExp;
  /** The number of digits of this number of bytes. */
  readonly digitsOf: (bytes: number) => number;
  /** The number of bytes of this number of digits. */
  readonly bytesOf: (digits: number) => number;
}

const binary: Radix = {
  name: 'base2',
  prefix: '0b',
  digits: /^[01]*$/,
  digitsOf: (bytes) => bytes * 8,
  bytesOf: (digits) => Math.ceil(digits / 8),
};

/** Eight digits are three bytes. Those before them are as few bytes as need that many digits. */
const octal: Radix = {
  name: 'base8',
  prefix: '0o',
  digits: /^[0-7]*$/,
  digitsOf: (bytes) => Math.ceil((bytes * 8) / 3),
  bytesOf: (digits) => 3 * Math.floor(digits / 8) + Math.ceil((digits % 8) / 3),
};

/** The bytes are one number, whose digits are padded with zeros on the left. */
function writer({ name, prefix, digitsOf }: Radix) {
  const radix = prefix === '0b' ? 2 : 8;
  return new JsFunction(`to_${name}`, [bytes], text, (value) =>
    value.length === 0
      ? ''
      : BigInt(`0x${Buffer.from(value).toString('hex')}`)
          .toString(radix)
          .padStart(digitsOf(value.length), '0'),
  );
}

/** Drops the bits that are above the bytes. */
function reader({ name, prefix, digits, bytesOf }: Radix) {
  return new JsFunction(`from_${name}`, [text], bytes, (value) => {
    if (!digits.test(value)) throw new Failure(`Failed to decode invalid ${name} string`);
    if (value === '') return new Uint8Array();
    const length = bytesOf(value.length) * 2;
    const hex = BigInt(prefix + value).toString(16);
    return Buffer.from(hex.padStart(length, '0').slice(-length), 'hex');
  });
}

export const toBase2 = writer(binary);
export const toBase8 = writer(octal);
export const fromBase2 = reader(binary);
export const fromBase8 = reader(octal);
