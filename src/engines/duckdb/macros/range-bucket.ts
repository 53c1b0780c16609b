import { Macro } from './macro.ts';

const positions = 'range(1, len(bounds) + 1)';
const firstNull = `list_filter(${positions}, lambda i: bounds[i] IS NULL)[1]`;
const firstFall = `list_filter(${positions}, lambda i: bounds[i] > bounds[i + 1])[1]`;

/** The number of bounds, in ascending order, that are not above the point. */
export const rangeBucket = new Macro(
  'range_bucket',
  ['point', 'bounds'],
  (mode) => `CASE WHEN point IS NULL OR bounds IS NULL THEN NULL
    WHEN ${firstNull} IS NOT NULL THEN ${mode.raise(`'Elements in input array to RANGE_BUCKET cannot be null. Null element found at position ' || ${firstNull}`, 'BIGINT')}
    WHEN ${firstFall} IS NOT NULL THEN ${mode.raise(`'Elements in input array to RANGE_BUCKET must be in ascending order. Nonconforming elements found at position ' || ${firstFall} || ' and ' || (${firstFall} + 1)`, 'BIGINT')}
    ELSE CAST(len(list_filter(bounds, lambda bound: bound <= point)) AS BIGINT) END`,
);

export const rangeMacros = [rangeBucket];
