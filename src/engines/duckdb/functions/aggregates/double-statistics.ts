import { raise } from '../../macros/macro.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { ofEachValue } from './each-value.ts';

/** Sizes of values from which squares overflow, or below which they lose digits, and how to scale such values. */
interface Band {
  /** The power of two by which values are multiplied. */
  readonly scale: number;
  /** The power of two below which the size of every value is. Undefined for any finite size. */
  readonly below: number | undefined;
}

const large: Band = { scale: -600, below: undefined };
const ordinary: Band = { scale: 0, below: 500 };
const tiny: Band = { scale: 600, below: -400 };

const power = (exponent: number) => `${2 ** exponent}::DOUBLE`;

const scaled = (value: string, exponent: number) =>
  exponent === 0 ? value : `${value} * ${power(exponent)}`;

/** Whether a value belongs to the band or to a lower one. NaN counts as greater than every number. */
const fits = (value: string, { below }: Band) =>
  below === undefined ? `isfinite(${value})` : `abs(${value}) < ${power(below)}`;

/**
 * VAR and STDDEV of values whose greatest size is `size`, which is finite. Each band is an aggregate of its own, from
 * which greater values are left out, since DuckDB fails if a result overflows.
 */
export function spreadOfDoubles(call: AggregateCall, name: string, size: string): string {
  const aggregate = ofEachValue(call);
  const isVariance = name.startsWith('var');
  const found = (band: Band) => {
    const result = aggregate(
      name,
      (value) => `CASE WHEN ${fits(value, band)} THEN ${scaled(value, band.scale)} END`,
    );
    const once = scaled(result, -band.scale);
    return isVariance ? scaled(once, -band.scale) : once;
  };
  // The square root of a tiny variance isn't tiny.
  const cases = isVariance ? [ordinary] : [tiny, ordinary];
  const conditions = cases.map((band) => `WHEN ${fits(size, band)} THEN ${found(band)}`);
  return `CASE ${conditions.join(' ')} ELSE ${found(large)} END`;
}

/** CORR and COVAR of pairs without NULL whose greatest sizes, which are finite, are given. */
export function pairsOfDoubles(
  name: string,
  [x, y]: readonly [string, string],
  [sizeX, sizeY]: readonly [string, string],
  over: string,
): string {
  const found = (a: Band, b: Band) => {
    const isFitting = `${fits(x, a)} AND ${fits(y, b)}`;
    const result = `${name}(CASE WHEN ${isFitting} THEN ${scaled(x, a.scale)} END, ${scaled(y, b.scale)})${over}`;
    return name === 'corr' ? result : scaled(scaled(result, -a.scale), -b.scale);
  };
  const byY = (a: Band) =>
    `CASE WHEN ${fits(sizeY, ordinary)} THEN ${found(a, ordinary)} ELSE ${found(a, large)} END`;
  const value = `CASE WHEN ${fits(sizeX, ordinary)} THEN ${byY(ordinary)} ELSE ${byY(large)} END`;
  if (name !== 'corr') return value;
  const isTiny = [sizeX, sizeY].map((size) => `(${size} > 0 AND ${fits(size, tiny)})`).join(' OR ');
  const failure = raise("'CORR of values below 1e-120 in size is not supported'", 'DOUBLE');
  return `CASE WHEN ${isTiny} THEN ${failure} ELSE ${value} END`;
}
