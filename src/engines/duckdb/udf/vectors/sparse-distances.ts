import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { float64, int64, type JsType, listOf, text } from '../js/js-type.ts';

type Nullable<T> = readonly (T | null)[];

/** The magnitudes of two sparse vectors in each dimension that one of them has. */
type Pairs = readonly (readonly [number, number])[];

/** @throws Failure for a NULL, or a dimension that a vector has twice */
function magnitudes<D>(name: string, dimensions: Nullable<D>, values: Nullable<number>): Map<D, number> {
  const found = new Map<D, number>();
  for (const [i, dimension] of dimensions.entries()) {
    const value = values[i] ?? null;
    if (dimension === null || value === null) throw new Failure(`Cannot compute ${name} with a NULL value`);
    if (found.has(dimension)) throw new Failure(`Duplicate index ${dimension} found in the input array`);
    found.set(dimension, value);
  }
  return found;
}

/** In the order of the dimensions, which the last digits of the sums depend on. */
function pairsOf<D extends string | bigint>(a: ReadonlyMap<D, number>, b: ReadonlyMap<D, number>): Pairs {
  const dimensions = [...new Set([...a.keys(), ...b.keys()])].sort((x, y) => (x < y ? -1 : 1));
  return dimensions.map((dimension) => [a.get(dimension) ?? 0, b.get(dimension) ?? 0]);
}

/** @throws Failure for an infinite sum of finite numbers */
function sum(pairs: Pairs, term: (a: number, b: number) => number): number {
  const result = pairs.reduce((total, [a, b]) => total + term(a, b), 0);
  const isOverflow = !Number.isFinite(result) && pairs.flat().every(Number.isFinite);
  if (isOverflow) throw new Failure('double overflow');
  return result;
}

function cosine(pairs: Pairs): number {
  const [ofA, ofB] = [sum(pairs, (a) => a * a), sum(pairs, (_, b) => b * b)];
  if (ofA === 0 || ofB === 0) throw new Failure('Cannot compute COSINE_DISTANCE against zero vector.');
  return 1 - sum(pairs, (a, b) => a * b) / (Math.sqrt(ofA) * Math.sqrt(ofB));
}

const euclidean = (pairs: Pairs) => Math.sqrt(sum(pairs, (a, b) => (a - b) ** 2));

/** `(dimensions, magnitudes, dimensions, magnitudes)` of two vectors */
function ofSparse<D extends string | bigint>(
  name: string,
  key: string,
  type: JsType<D>,
  distance: (pairs: Pairs) => number,
) {
  const dimensions = listOf(type);
  const values = listOf(float64);
  return new JsFunction(
    `sparse_${name.toLowerCase()}_${key}`,
    [dimensions, values, dimensions, values],
    float64,
    (a, ofA, b, ofB) => distance(pairsOf(magnitudes(name, a, ofA), magnitudes(name, b, ofB))),
  );
}

/** By the type of their dimensions. */
export const sparseCosineDistance = {
  INT64: ofSparse('COSINE_DISTANCE', 'int64', int64, cosine),
  STRING: ofSparse('COSINE_DISTANCE', 'string', text, cosine),
};

/** By the type of their dimensions. */
export const sparseEuclideanDistance = {
  INT64: ofSparse('EUCLIDEAN_DISTANCE', 'int64', int64, euclidean),
  STRING: ofSparse('EUCLIDEAN_DISTANCE', 'string', text, euclidean),
};

export const sparseDistancesInJs = [
  ...Object.values(sparseCosineDistance),
  ...Object.values(sparseEuclideanDistance),
];
