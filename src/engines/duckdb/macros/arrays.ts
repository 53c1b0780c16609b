import { whenRoom } from '../udf/js/claim.ts';
import { entryBytes } from './list-bytes.ts';
import { Macro } from './macro.ts';
import { withNamedValues } from './named-values.ts';

/** The element at an index that starts at `first`. */
export const elementAt = new Macro(
  'element_at',
  ['a', 'i', 'first'],
  (mode) => `CASE WHEN (i < first OR i >= len(a) + first) AND a IS NOT NULL
    THEN list_extract(a, ${mode.raise("'Array index ' || i || ' is out of bounds'", 'BIGINT')}) ELSE list_extract(a, i - first + 1) END`,
);

/** The same, but NULL for a missing element. DuckDB counts negative indexes from the end. */
export const elementOrNull = new Macro(
  'element_or_null',
  ['a', 'i', 'first'],
  () => 'CASE WHEN i >= first AND i < len(a) + first THEN list_extract(a, i - first + 1) END',
);

/** The only element of a list. NULL for an empty list. */
export const onlyElement = new Macro(
  'only_element',
  ['a'],
  (mode) =>
    `CASE WHEN len(a) > 1 THEN list_extract(a, ${mode.raise("'Scalar subquery produced more than one element'", 'BIGINT')}) ELSE list_extract(a, 1) END`,
);

/** `x IN UNNEST(a)` with three-valued logic, for types whose values equal themselves. */
export const inArray = new Macro(
  'in_array',
  ['x', 'a'],
  () => `CASE WHEN a IS NULL OR len(a) = 0 THEN false WHEN x IS NULL THEN NULL WHEN list_contains(a, x) THEN true
    WHEN list_count(a) < len(a) THEN NULL ELSE false END`,
);

/** The same for FLOAT64, where NaN equals nothing. */
export const doubleInArray = new Macro(
  'double_in_array',
  ['x', 'a'],
  () => `CASE WHEN a IS NULL OR len(a) = 0 THEN false WHEN x IS NULL THEN NULL
    WHEN NOT isnan(x) AND list_contains(a, x) THEN true WHEN list_count(a) < len(a) THEN NULL ELSE false END`,
);

/** NULL with NULL is NULL. */
export const reversedArray = new Macro(
  'reversed_array',
  ['a'],
  () => `CASE WHEN a IS NULL THEN NULL ${whenRoom(`len(a) * ${entryBytes}`)} list_reverse(a) END`,
);

export const joinArray = new Macro(
  'join_array',
  ['a', 'delimiter'],
  () =>
    "CASE WHEN a IS NOT NULL AND delimiter IS NOT NULL THEN coalesce(array_to_string(a, delimiter), '') END",
);

/** The same for a delimiter that may make the text large. */
export const joinArrayWidely = new Macro(
  'join_array_widely',
  ['a', 'delimiter'],
  () => `CASE WHEN a IS NULL THEN NULL
    ${whenRoom('len(a) * strlen(delimiter)')} coalesce(array_to_string(a, delimiter), '') END`,
);

/** The same with a constant text in place of each NULL. DuckDB copies it for each of them. */
export const joinArrayWithNulls = new Macro(
  'join_array_with_nulls',
  ['a', 'delimiter', 'null_text'],
  () => `CASE WHEN a IS NULL THEN NULL ${whenRoom('len(a) * (strlen(delimiter) + strlen(null_text))')}
    coalesce(array_to_string(list_transform(a, lambda x: coalesce(x, null_text)), delimiter), '') END`,
);

const maxElements = 1_048_576;
const tooMany = `'Cannot generate arrays with more than ${maxElements} elements.'`;
const elementBytes = 8;
const bytesOf = (count: string) => `CAST((${count}) * ${elementBytes} AS BIGINT)`;
const zeroStep = "'Sequence step cannot be 0.'";

export const generateArray = new Macro(
  'generate_array',
  ['a', 'b', 's'],
  (mode) => `CASE WHEN a IS NULL OR b IS NULL OR s IS NULL THEN NULL
    WHEN s = 0 THEN [${mode.raise(zeroStep, 'BIGINT')}]
    WHEN (CAST(b AS HUGEINT) - a) // s >= ${maxElements} THEN [${mode.raise(tooMany, 'BIGINT')}]
    WHEN (CAST(b AS HUGEINT) - a) // s < 0 THEN CAST([] AS BIGINT[])
    ${whenRoom(bytesOf('(CAST(b AS HUGEINT) - a) // s + 1'))} generate_series(a, b, s) END`,
);

// DuckDB computes parts of constants that the conditions around them exclude.
const doubles = withNamedValues(
  'v',
  { a: 'a', s: 's', n: `CAST(least(floor((b - a) / s), ${maxElements}) AS BIGINT) + 1` },
  ({ a, s, n }) => `list_transform(range(${n}), lambda i: ${a} + i * ${s})`,
);

export const generateDoubles = new Macro(
  'generate_doubles',
  ['a', 'b', 's'],
  (mode) => `CASE WHEN a IS NULL OR b IS NULL OR s IS NULL THEN NULL
    WHEN s = 0 THEN [${mode.raise(zeroStep, 'DOUBLE')}]
    WHEN isinf(s) THEN [${mode.raise("'Sequence step cannot be +/-inf.'", 'DOUBLE')}]
    WHEN NOT isfinite((b - a) / s) OR (b - a) / s >= ${maxElements} THEN [${mode.raise(tooMany, 'DOUBLE')}]
    WHEN (b - a) / s < 0 THEN CAST([] AS DOUBLE[])
    ${whenRoom(bytesOf('floor((b - a) / s) + 1'))} ${doubles} END`,
);

const timeBetween = (from: string, to: string) =>
  `(epoch_us(CAST(${to} AS TIMESTAMP)) - epoch_us(CAST(${from} AS TIMESTAMP)))`;

/** The number of steps from a time to another, rounded towards zero. Less than zero if there are none. */
export const timeSteps = (from: string, to: string, stepUs: string) =>
  `${timeBetween(from, to)} // ${stepUs}`;

const timeCount = timeSteps('a', 'b', 'step_us');

/**
 * From `a` to `b` in steps of an interval of about `step_us` microseconds, which is never zero. A step that leads beyond `b` is not
 * made: it may lead beyond all times.
 */
export const generateTimes = new Macro(
  'generate_times',
  ['a', 'b', 'step', 'step_us'],
  (mode) => `CASE WHEN a IS NULL OR b IS NULL OR step_us IS NULL THEN NULL
    WHEN step_us = 0 THEN [${mode.raise(zeroStep, 'TIMESTAMP')}]
    WHEN ${timeCount} >= ${maxElements}
      THEN [${mode.raise(tooMany, 'TIMESTAMP')}]
    WHEN ${timeBetween('a', 'b')} * sign(step_us) < 0 THEN CAST([] AS TIMESTAMP[])
    WHEN ${timeCount} = 0 THEN [CAST(a AS TIMESTAMP)]
    ${whenRoom(bytesOf(`${timeCount} + 1`))} generate_series(CAST(a AS TIMESTAMP), CAST(b AS TIMESTAMP), step) END`,
);

export const arrayMacros = [
  elementAt,
  elementOrNull,
  onlyElement,
  inArray,
  doubleInArray,
  reversedArray,
  joinArray,
  joinArrayWidely,
  joinArrayWithNulls,
  generateArray,
  generateDoubles,
  generateTimes,
];
