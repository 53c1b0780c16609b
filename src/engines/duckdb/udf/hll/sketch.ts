import { Failure } from '../../../../sql/values/function-errors.ts';
import {
  distinctSparseValues,
  lowerSparseValue,
  type Precision,
  precisionOf,
  putRegister,
  putSparseValue,
  sparseValueOf,
} from './encoding.ts';

/** A HyperLogLog++ sketch: the distinct values of a group, as sorted sparse values or as registers. */
export interface Sketch {
  /** The type of the values, by its number in the format. */
  readonly type: number;
  /** The number of values with repetitions. */
  readonly count: bigint;
  readonly precision: Precision;
  readonly content: Int32Array | Uint8Array;
}

/** A sketch becomes normal when its sparse form has this fraction of the size. */
const maxSparse = 0.75;

/** The size of a sparse sketch's values in bytes: their differences with seven bits each. */
function sparseSize(values: Int32Array): number {
  let size = 0;
  let last = 0;
  for (const value of values) {
    size += Math.ceil(Math.max(1, 32 - Math.clz32(value - last)) / 7);
    last = value;
  }
  return size;
}

function settled(sketch: Sketch & { readonly content: Int32Array }): Sketch {
  const { content, precision } = sketch;
  if (sparseSize(content) < Math.floor(2 ** precision.normal * maxSparse)) return sketch;
  const registers = new Uint8Array(2 ** precision.normal);
  for (const value of content) putSparseValue(registers, precision.normal, value, precision);
  return { ...sketch, content: registers };
}

/** The sketch of the hashes of values. */
export function sketchOf(hashes: readonly bigint[], type: number, count: bigint, normal: number): Sketch {
  const precision = precisionOf(normal);
  const values = Int32Array.from(hashes, (hash) => sparseValueOf(BigInt.asUintN(64, hash), precision));
  return settled({ type, count, precision, content: distinctSparseValues(values, precision) });
}

/** Whether one of two precisions is higher in none of its parts. */
function areOrdered(a: Precision, b: Precision): boolean {
  return (a.normal - b.normal) * (a.sparse - b.sparse) >= 0;
}

/**
 * The sketch of all values of several sketches, with the lowest of their precisions.
 *
 * @throws Failure for sketches of values of different types
 */
export function mergedSketch([first, ...others]: readonly [Sketch, ...Sketch[]], name: string): Sketch {
  const all = [first, ...others];
  const { type } = first;
  const isCompatible = others.every((one) => one.type === type && areOrdered(one.precision, first.precision));
  if (!isCompatible) throw new Failure(`Invalid or incompatible sketch in ${name}`);
  const precision = {
    normal: Math.min(...all.map((one) => one.precision.normal)),
    sparse: Math.min(...all.map((one) => one.precision.sparse)),
  };
  const count = all.reduce((sum, one) => sum + one.count, 0n);
  const sparse = all.flatMap((one) =>
    one.content instanceof Int32Array ? [[one.content, one.precision] as const] : [],
  );
  if (sparse.length === all.length) {
    const values = new Int32Array(sparse.reduce((length, [content]) => length + content.length, 0));
    let at = 0;
    for (const [content, from] of sparse)
      for (const value of content) values[at++] = lowerSparseValue(value, from, precision);
    return settled({ type, count, precision, content: distinctSparseValues(values, precision) });
  }
  const registers = new Uint8Array(2 ** precision.normal);
  for (const { content, precision: from } of all) {
    if (content instanceof Int32Array)
      for (const value of content) putSparseValue(registers, precision.normal, value, from);
    else
      for (const [index, rank] of content.entries())
        putRegister(registers, precision.normal, index, rank, from.normal);
  }
  return { type, count, precision, content: registers };
}

/** The estimated number of distinct values. */
export function estimate({ content, precision }: Sketch): bigint {
  const found =
    content instanceof Int32Array ? sparse(content.length, precision) : normal(content, precision);
  return BigInt(Math.round(found));
}

/** Linear counting, as the paper on HyperLogLog++ has it. */
function sparse(size: number, { sparse: bits }: Precision): number {
  const buckets = 2 ** bits;
  return buckets * Math.log(buckets / (buckets - size));
}

/**
 * Otmar Ertl's improved estimator ("New cardinality estimation algorithms for HyperLogLog sketches", 2017), which needs
 * no tables of empirical corrections: they have the same standard error.
 */
function normal(registers: Uint8Array, { normal: bits }: Precision): number {
  const size = registers.length;
  const greatest = 64 - bits;
  const counts = new Float64Array(greatest + 2);
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1;
  let sum = size * tau(1 - (counts[greatest + 1] ?? 0) / size);
  for (let rank = greatest; rank >= 1; rank--) sum = 0.5 * (sum + (counts[rank] ?? 0));
  sum += size * sigma((counts[0] ?? 0) / size);
  return (size * size) / (2 * Math.LN2 * sum);
}

/** The sum over the fractions of empty registers. */
function sigma(fraction: number): number {
  if (fraction === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z] = [fraction, 1, fraction];
  for (let last = -1; z !== last; y *= 2) {
    last = z;
    x *= x;
    z += x * y;
  }
  return z;
}

/** The same for registers with the greatest rank. */
function tau(fraction: number): number {
  if (fraction === 0 || fraction === 1) return 0;
  let [x, y, z] = [fraction, 1, 1 - fraction];
  for (let last = -1; z !== last; ) {
    last = z;
    x = Math.sqrt(x);
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}
