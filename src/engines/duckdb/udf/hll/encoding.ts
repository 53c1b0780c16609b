/**
 * How HyperLogLog++ encodes hashes. A normal sketch has 2^p registers. Each contains the greatest rank of the hashes
 * with its index, that is their first p bits. The rank is the position of the first 1 in the other bits. A sparse sketch
 * is a list of indexes with more bits. An index that its first p bits determine comes with the rank and a flag.
 */
export interface Precision {
  /** The number of bits of a normal index. */
  readonly normal: number;
  /** That of a sparse index. */
  readonly sparse: number;
}

const rankBits = 6;
const rankMask = (1 << rankBits) - 1;

export const leastPrecision = 10;
export const greatestPrecision = 24;

/** The precision of a new sketch. */
export function precisionOf(normal: number): Precision {
  return { normal, sparse: Math.min(normal + 5, 25) };
}

function flagOf({ normal, sparse }: Precision): number {
  return 2 ** Math.max(sparse, normal + rankBits);
}

/** The position of the first 1 in this many bits. One more than their number if there is none. */
function rankIn(value: number, bits: number): number {
  return value === 0 ? bits + 1 : Math.clz32(value) - 32 + bits + 1;
}

/** The sparse value of an unsigned 64-bit hash. */
export function sparseValueOf(hash: bigint, precision: Precision): number {
  const bits = 64 - precision.sparse;
  const index = Number(hash >> BigInt(bits));
  if ((index & suffixMask(precision)) !== 0) return index;
  const rest = BigInt.asUintN(bits, hash);
  const [high, low] = [Number(rest >> 32n), Number(rest & 0xffffffffn)];
  const rank = high === 0 ? bits - 32 + rankIn(low, 32) : rankIn(high, bits - 32);
  return encoded(index, rank, precision);
}

/** The bits by which a sparse index is longer than a normal one. */
function suffixMask({ normal, sparse }: Precision): number {
  return 2 ** (sparse - normal) - 1;
}

function encoded(index: number, rank: number, precision: Precision): number {
  if ((index & suffixMask(precision)) !== 0) return index;
  const normalIndex = index >> (precision.sparse - precision.normal);
  return flagOf(precision) + normalIndex * 2 ** rankBits + rank;
}

/** A sparse value's index with the precision of sparse sketches, and its rank, or 0 without the flag. */
function decoded(value: number, precision: Precision): readonly [index: number, rank: number] {
  const flag = flagOf(precision);
  if (value < flag) return [value, 0];
  return [((value - flag) >> rankBits) * 2 ** (precision.sparse - precision.normal), value & rankMask];
}

/** Whether it can be a value of a sparse sketch. */
export function isSparseValue(value: number, precision: Precision): boolean {
  const flag = flagOf(precision);
  if (value < flag) return value < 2 ** precision.sparse;
  const rank = value & rankMask;
  return (value - flag) >> rankBits < 2 ** precision.normal && rank >= 1 && rank <= 65 - precision.sparse;
}

/** The rank of an index without its last bits. */
function lowerRank(index: number, rank: number, bits: number): number {
  if (bits === 0) return rank;
  const suffix = index & (2 ** bits - 1);
  return suffix === 0 ? rank + bits : rankIn(suffix, bits);
}

/** A sparse value with a lower precision. */
export function lowerSparseValue(value: number, from: Precision, to: Precision): number {
  const [index, rank] = decoded(value, from);
  const bits = from.sparse - to.sparse;
  return encoded(index >> bits, lowerRank(index, rank, bits), to);
}

/** Sorted values without repetitions. Of those with one index, the greatest rank remains. */
export function distinctSparseValues(values: Int32Array, precision: Precision): Int32Array {
  values.sort();
  const flag = flagOf(precision);
  let count = 0;
  for (const [i, value] of values.entries()) {
    const next = values[i + 1];
    const isSame =
      next !== undefined && (value < flag ? next === value : next >> rankBits === value >> rankBits);
    if (!isSame) values[count++] = value;
  }
  return values.slice(0, count);
}

/** Puts a sparse value into registers of the same or a lower precision. */
export function putSparseValue(registers: Uint8Array, bits: number, value: number, from: Precision): void {
  const [index, rank] = decoded(value, from);
  const suffix = from.sparse - from.normal;
  const normalRank = rank === 0 ? rankIn(index & suffixMask(from), suffix) : rank + suffix;
  putRegister(registers, bits, index >> suffix, normalRank, from.normal);
}

/** Puts a register of `from` bits into registers of the same or a lower precision. */
export function putRegister(
  registers: Uint8Array,
  bits: number,
  index: number,
  rank: number,
  from: number,
): void {
  if (rank === 0) return;
  const at = index >> (from - bits);
  const lowered = lowerRank(index, rank, from - bits);
  if ((registers[at] ?? 0) < lowered) registers[at] = lowered;
}
