import { duckType } from '../../dialect/duck-type.ts';
import { raise } from '../../macros/macro.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { hasPlainEquality } from '../comparison/equality.ts';

const isDouble = (call: AggregateCall) => call.arg(0).type.kind === 'FLOAT64';

/**
 * The value with NaN mapped to -inf, as NaN is GoogleSQL's lowest number and DuckDB's highest. The number of NaNs tells
 * which of the lowest values stand for NaN: those come first.
 */
function lowered(call: AggregateCall): string {
  const value = call.sql(0);
  return isDouble(call) ? `CASE WHEN isnan(${value}) THEN '-inf'::DOUBLE ELSE ${value} END` : value;
}

const nans = (call: AggregateCall) => `count_if(isnan(${call.sql(0)}))${call.over}`;
const values = (call: AggregateCall) => `count(${call.sql(0)})${call.over}`;

/** With more bounds than this, sorting the values is faster than DuckDB's quantiles, and ends sooner when it is cancelled. */
const fewBounds = 20;

/** The values at the given of the bounds of equal parts, as a list. NULL without values. */
function valuesAt(call: AggregateCall, places: readonly number[], parts: bigint): string {
  const input = `${call.distinct}${lowered(call)}`;
  if (places.length <= fewBounds) {
    const fractions = places.map((place) => place / Number(parts));
    return `quantile_disc(${input}, [${fractions.join(', ')}])${call.over}`;
  }
  // `quantile_disc` goes through the values again for each bound, when all rows have been read, without interruption.
  const sorted = `list_sort(list(${input}) FILTER (WHERE ${call.sql(0)} IS NOT NULL)${call.over})`;
  const count = `count(${call.distinct}${call.sql(0)})${call.over}`;
  return `list_select(${sorted}, list_transform([${places.join(', ')}],
    lambda place: greatest((place * ${count} + ${parts - 1n}) // ${parts}, 1)))`;
}

/** The bounds of this number of equal parts, which are exact. */
export function quantiles(call: AggregateCall): string {
  const parts = call.constant(1, 'number of quantiles');
  if (typeof parts !== 'bigint' || parts < 1n || parts > 10_000n)
    throw call.refusal('this number of quantiles');
  const { kind } = call.arg(0).type;
  if (!hasPlainEquality(call.arg(0).type) && kind !== 'FLOAT64') throw call.refusal(kind);
  if (call.nulls === 'RESPECT_NULLS') return quantilesWithNulls(call, parts);
  const length = Number(parts) + 1;
  const used = [...(call.usedElements ?? Array(length).keys())].filter(
    (place) => place >= 0 && place < length,
  );
  const places = used.length === 0 ? [0] : used;
  const found = valuesAt(call, places, parts);
  if (kind !== 'FLOAT64' && used.length > 0 && used.length === call.usedElements?.size) {
    call.keepElements(places);
    return found;
  }
  const sql = call.usedElements === undefined ? found : inPlaces(found, places, length);
  if (kind !== 'FLOAT64') return sql;
  if (call.distinct !== '') return withoutNaN(sql, call);
  const [count, n] = [nans(call), values(call)];
  const restored = `list_transform(${sql}, lambda q, i:
    CASE WHEN ceil((i - 1) / ${parts} * ${n}) - 1 < ${count} THEN 'nan'::DOUBLE ELSE q END)`;
  return `CASE WHEN ${count} > 0 THEN ${restored} ELSE ${sql} END`;
}

/** The same bounds of all values, of which NULL is the lowest. */
function quantilesWithNulls(call: AggregateCall, parts: bigint): string {
  const sorted = `list_sort(list(${call.distinct}${call.sql(0)})${call.over}, 'ASC', 'NULLS FIRST')`;
  const count = `count(${call.distinct === '' ? '*' : `DISTINCT ${call.sql(0)}`})${call.over}`;
  const all =
    call.distinct === '' ? count : `(${count} + max(CAST(${call.sql(0)} IS NULL AS BIGINT))${call.over})`;
  const bounds = `list_select(${sorted}, list_transform(range(${parts + 1n}),
    lambda place: greatest((place * ${all} + ${parts - 1n}) // ${parts}, 1)))`;
  return isDouble(call) ? withoutNaN(bounds, call) : bounds;
}

function withoutNaN(sql: string, call: AggregateCall): string {
  if (call.safe) throw call.refusal('the prefix SAFE.');
  const message = `'${call.name} of NaN is not supported'`;
  return `CASE WHEN ${nans(call)} > 0 THEN ${raise(message, duckType(call.type))} ELSE ${sql} END`;
}

/** A list of this length with another list's elements at the given places, and NULL elsewhere. NULL for a NULL list. */
function inPlaces(list: string, places: readonly number[], length: number): string {
  // There is no element at 0.
  const indexes = Array<number>(length).fill(0);
  for (const [i, place] of places.entries()) indexes[place] = i + 1;
  return `list_select(${list}, [${indexes.join(', ')}])`;
}
