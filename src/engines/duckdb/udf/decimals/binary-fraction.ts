import { abs } from '../../dialect/decimal-units.ts';
import { divideRounded } from './decimal.ts';

/** Thrown where numbers exceed their bits. */
export class FractionOverflow extends Error {}

/** `value / 2 ** bits`, rounded half up. */
const shifted = (value: bigint, bits: number) =>
  bits <= 0 ? value << BigInt(-bits) : (value + (1n << BigInt(bits - 1))) >> BigInt(bits);

const bitLength = (value: bigint) => value.toString(2).length;

/** The precision of constants in bits. */
const constantBits = 320;
/** The precision with which they are computed. */
const safeBits = 400;

/** `2 * atanh(1 / n) * 2 ** safeBits`, which is `ln((n + 1) / (n - 1))`. */
function logarithmBeside(n: bigint): bigint {
  let [sum, power] = [0n, (2n << BigInt(safeBits)) / n];
  for (let k = 1n; power > 0n; k += 2n) {
    sum += power / k;
    power /= n * n;
  }
  return sum;
}

const safeLn2 = logarithmBeside(3n);
const safeLn10 = 3n * safeLn2 + logarithmBeside(9n);
const ln2 = shifted(safeLn2, safeBits - constantBits);
const inverseLn10 = divideRounded(1n << BigInt(constantBits + safeBits), safeLn10);

/** The most steps that a logarithm takes. It needs about five. */
const maxSteps = 12;

/**
 * Functions of numbers with a fixed count of binary digits after the point, in the same steps as Google's library for
 * NUMERIC takes them: its results are not always the nearest decimals, and the last digits of large powers are not exact.
 */
export class BinaryFractions {
  readonly #bits: number;
  readonly #limit: bigint;
  readonly one: bigint;

  /**
   * @param bits the number of digits after the point
   * @param size the number of digits of the largest number
   */
  constructor(bits: number, size: number) {
    this.#bits = bits;
    this.#limit = 1n << BigInt(size);
    this.one = 1n << BigInt(bits);
  }

  /** The fraction nearest to a quotient. */
  quotient(dividend: bigint, divisor: bigint): bigint {
    return divideRounded(dividend << BigInt(this.#bits), divisor);
  }

  /** A fraction as a whole number of units, of which one has this number. */
  units(value: bigint, unitsOfOne: bigint): bigint {
    const found = shifted(abs(value) * unitsOfOne, this.#bits);
    return value < 0n ? -found : found;
  }

  multiply(a: bigint, b: bigint): bigint {
    const product = this.#bounded(shifted(abs(a) * abs(b), this.#bits));
    return a < 0n !== b < 0n ? -product : product;
  }

  inverse(value: bigint): bigint {
    return this.#bounded(this.quotient(this.one, value));
  }

  /** @throws FractionOverflow */
  integerPower(base: bigint, exponent: bigint): bigint {
    let [result, power] = [this.one, base];
    for (let rest = exponent; ; ) {
      if ((rest & 1n) === 1n) result = this.multiply(result, power);
      rest >>= 1n;
      if (rest === 0n) return result;
      power = this.multiply(power, power);
    }
  }

  /** @throws FractionOverflow */
  exponential(value: bigint): bigint {
    if (value === 0n) return this.one;
    // e^x is (e^r)^(2^t), where r is below 1/8.
    const halvings = Math.max(0, bitLength(abs(value)) - 1 - (this.#bits - 4));
    const rest = halvings > 0 ? shifted(abs(value), halvings) : abs(value);
    let [sum, term, isNegative] = [this.one, this.one, false];
    for (let n = 1n; ; n++) {
      term = divideRounded(this.multiply(term, rest), n);
      if (term === 0n) break;
      isNegative = isNegative !== value < 0n;
      sum += isNegative ? -term : term;
    }
    for (let i = 0; i < halvings; i++) sum = this.multiply(sum, sum);
    return sum;
  }

  /**
   * The natural logarithm of a positive number, by Halley's method.
   *
   * @param enough the size of a step that is the last
   */
  logarithm(value: bigint, enough: bigint): bigint {
    if (value === this.one) return 0n;
    const doublings = bitLength(value) - 1 - this.#bits;
    const rest = shifted(value, doublings);
    let found = rest - this.one;
    for (let i = 0; i < maxSteps; i++) {
      const reached = this.exponential(found);
      if (rest === reached) break;
      const step = this.quotient(2n * (rest - reached), rest + reached);
      found += step;
      if (abs(step) < enough) break;
    }
    const ofDoublings = shifted(ln2 * BigInt(Math.abs(doublings)), constantBits - this.#bits);
    return doublings < 0 ? found - ofDoublings : found + ofDoublings;
  }

  /** A natural logarithm as a decimal one. */
  asDecimalLogarithm(logarithm: bigint): bigint {
    const found = shifted(abs(logarithm) * inverseLn10, constantBits);
    return logarithm < 0n ? -found : found;
  }

  /** A positive number to the power of a fraction between -1 and 1. */
  fractionalPower(base: bigint, exponent: bigint): bigint {
    return this.exponential(this.multiply(this.logarithm(base, this.smallStep), exponent));
  }

  /** The last step of a logarithm of which all digits are needed. */
  readonly smallStep = 1n << 4n;

  #bounded(value: bigint): bigint {
    if (value >= this.#limit) throw new FractionOverflow();
    return value;
  }
}
