import type { AggregateCall } from './aggregate-call.ts';
import { ofEachValue } from './each-value.ts';

/**
 * Powers of two by which values are multiplied so that their squares neither overflow nor vanish, and the sizes for which
 * they are used: of the value with the greatest size.
 */
const bands = [
  { power: -600, from: 500, below: undefined },
  { power: 0, from: -400, below: 500 },
  { power: 600, from: undefined, below: -400 },
] as const;

type Band = (typeof bands)[number];

const double = (value: number) => `${value}::DOUBLE`;

const scaled = (value: string, power: number) => (power === 0 ? value : `${value} * ${double(2 ** power)}`);

/** Whether a size belongs to the band or a lower one. */
const fits = ({ below }: Band, size: string) =>
  below === undefined ? undefined : `${size} < ${double(2 ** below)}`;

/** The case of each band. A lower band comes first. */
function byBand(found: (band: Band) => string, size: string): string {
  const cases = bands.toReversed().map((band) => {
    const condition = fits(band, size);
    return condition === undefined ? `ELSE ${found(band)}` : `WHEN ${condition} THEN ${found(band)}`;
  });
  return `CASE ${cases.join(' ')} END`;
}

const finite = (value: string) => `CASE WHEN isfinite(${value}) THEN ${value} END`;

/** VAR and STDDEV of the finite values. Those that belong to a higher band would make DuckDB fail, so they are left out. */
export function spreadOfDoubles(call: AggregateCall, name: string): string {
  const aggregate = ofEachValue(call);
  const size = aggregate('max', (value) => `abs(${finite(value)})`);
  return byBand((band) => {
    const found = aggregate(name, (value) => {
      const fitting = fits(band, `abs(${value})`) ?? `isfinite(${value})`;
      return `CASE WHEN ${fitting} THEN ${scaled(value, band.power)} END`;
    });
    const once = scaled(found, -band.power);
    return name.startsWith('var') ? scaled(once, -band.power) : once;
  }, size);
}

/** CORR and COVAR of pairs of finite values, each scaled by its own band. `paired` makes both NULL for other pairs. */
export function pairsOfDoubles(
  name: string,
  x: string,
  y: string,
  paired: (value: string) => string,
  over: string,
): string {
  const size = (value: string) => `max(abs(${paired(value)}))${over}`;
  const found = (a: Band, b: Band) => {
    const conditions = [fits(a, `abs(${x})`), fits(b, `abs(${y})`)].filter((fit) => fit !== undefined);
    const both = (value: string, { power }: Band) =>
      conditions.length === 0
        ? scaled(paired(value), power)
        : `CASE WHEN ${conditions.join(' AND ')} THEN ${scaled(paired(value), power)} END`;
    const result = `${name}(${both(x, a)}, ${both(y, b)})${over}`;
    return name === 'corr' ? result : scaled(scaled(result, -a.power), -b.power);
  };
  return byBand((a) => byBand((b) => found(a, b), size(y)), size(x));
}
