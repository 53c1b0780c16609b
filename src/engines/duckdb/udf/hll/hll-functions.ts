import { JsFunction } from '../js/js-function.ts';
import { bytes, int64, listOf, text } from '../js/js-type.ts';
import { fingerprint2011 } from './fingerprint-2011.ts';
import { estimate, mergedSketch, type Sketch, sketchOf } from './sketch.ts';
import { readSketch, writeSketch } from './sketch-bytes.ts';

const hashOf = (value: Uint8Array) => BigInt.asIntN(64, fingerprint2011(value));

const eight = Buffer.alloc(8);

/** The hash of a value, by its type. */
export const hllHashes = {
  BYTES: new JsFunction('hll_hash_bytes', [bytes], int64, hashOf),
  STRING: new JsFunction('hll_hash_text', [text], int64, (value) => hashOf(Buffer.from(value))),
  INT64: new JsFunction('hll_hash_int64', [int64], int64, (value) => {
    eight.writeBigInt64LE(value);
    return hashOf(eight);
  }),
};

/** `(hashes, count, precision, type)` */
export const hllInit = new JsFunction(
  'hll_init',
  [listOf(int64), int64, int64, int64],
  bytes,
  (hashes, count, precision, type) =>
    writeSketch(sketchOf(hashes as readonly bigint[], Number(type), count, Number(precision))),
);

/** Merges a list of sketches without NULLs. Null for an empty one. */
function merged(sketches: readonly (Uint8Array | null)[], name: string): Sketch | undefined {
  const problem = `Invalid or incompatible sketch in ${name}`;
  const [first, ...others] = sketches.map((sketch) => readSketch(sketch as Uint8Array, problem));
  return first && mergedSketch([first, ...others], name);
}

export const hllMerge = new JsFunction('hll_merge', [listOf(bytes)], int64, (sketches) => {
  const sketch = merged(sketches, 'HLL_COUNT.MERGE');
  return sketch === undefined ? 0n : estimate(sketch);
});

export const hllMergePartial = new JsFunction('hll_merge_partial', [listOf(bytes)], bytes, (sketches) => {
  const sketch = merged(sketches, 'HLL_COUNT.MERGE_PARTIAL');
  return sketch === undefined ? null : writeSketch(sketch);
});

export const hllExtract = new JsFunction('hll_extract', [bytes], int64, (sketch) =>
  estimate(readSketch(sketch, 'Invalid sketch in HLL_COUNT.EXTRACT')),
);

export const hllFunctionsInJs = [...Object.values(hllHashes), hllInit, hllMerge, hllMergePartial, hllExtract];
