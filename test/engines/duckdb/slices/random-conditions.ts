import fc from 'fast-check';
import { hour, minute, start, timeText } from './sliced-world.ts';

export const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);

/** The first time that TIMESTAMP has, and the last one. */
export const [firstTime, lastTime] = [-62_135_596_800_000_000n, 253_402_300_799_999_999n];

/** A time near those of rows, often at a border of minutes or of slices. */
export const nearTime = fc.oneof(
  fc.integer({ min: -600, max: 60 }).map((minutes) => start + BigInt(minutes) * minute),
  fc.bigInt({ min: start - 10n * hour, max: start + hour }),
  fc.bigInt({ min: (start - 10n * hour) >> 26n, max: start >> 26n }).map((slice) => slice << 26n),
);

/** Any time, often at an end of what there is, or at the epoch. */
export const anyTime = fc.oneof(
  fc.bigInt({ min: firstTime, max: lastTime }),
  fc
    .bigInt({ min: firstTime >> 41n, max: lastTime >> 41n })
    .map((slice) => slice << 41n)
    .filter((t) => t >= firstTime),
  fc.constantFrom(firstTime, firstTime + 1n, lastTime, lastTime - 1n, 0n, -1n, -60_000_001n),
);

export interface Conditions {
  /** One of them. */
  readonly time: fc.Arbitrary<string>;
  /** A clause with any number of them, or nothing. */
  readonly where: fc.Arbitrary<string>;
}

const ago = fc
  .tuple(fc.integer({ min: 1, max: 600 }), oneOf('MINUTE', 'SECOND'))
  .map(([count, part]) => `TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${count} ${part})`);

const otherCondition = oneOf(
  'status >= 400',
  "project = 'p1'",
  'project = @p',
  'ok',
  'amount > 20',
  'EXISTS (SELECT 1 FROM UNNEST(m) AS e WHERE e.n > 3)',
  'IF(@p IS NULL, TRUE, project = @p)',
  'ARRAY_LENGTH(m) > 1',
  "project LIKE 'p%'",
  "REGEXP_CONTAINS(project, r'^p[01]$')",
  "project != '\\000range 0\\000'",
  'SAFE_DIVIDE(status, MOD(status, 3)) > 1',
  "project IN ('p0', 'p1', NULL)",
);

/** Conditions with such times, of which some are no bounds. */
export function conditionsWith(time: fc.Arbitrary<bigint>): Conditions {
  const literal = time.map(
    (micros) => `TIMESTAMP '${timeText(micros).replace('T', ' ').replace('Z', '+00')}'`,
  );
  const bound = fc.oneof(
    literal,
    ago,
    oneOf(
      '@from',
      '@Until',
      '@UNTIL',
      'CURRENT_TIMESTAMP()',
      'CAST(NULL AS TIMESTAMP)',
      'COALESCE(@from, @until)',
    ),
  );
  const timeCondition = fc.oneof(
    fc
      .tuple(oneOf('>=', '>', '<', '<=', '>=', '>', '<', '<=', '='), bound)
      .map(([operator, value]) => `timestamp ${operator} ${value}`),
    fc.tuple(oneOf('>=', '>', '<', '<='), bound).map(([operator, value]) => `${value} ${operator} timestamp`),
    fc.tuple(bound, bound).map(([one, other]) => `timestamp BETWEEN ${one} AND ${other}`),
    fc.tuple(bound, bound).map(([one, other]) => `timestamp NOT BETWEEN ${one} AND ${other}`),
    fc.tuple(bound, bound).map(([one, other]) => `(timestamp >= ${one} OR timestamp < ${other})`),
    fc.tuple(bound, bound).map(([one, other]) => `(timestamp >= ${one} AND (timestamp < ${other} OR ok))`),
    bound.map((value) => `TIMESTAMP_TRUNC(timestamp, HOUR) >= ${value}`),
    bound.map((value) => `NOT timestamp < ${value}`),
    fc
      .tuple(bound, bound)
      .map(([one, other]) => `(timestamp >= ${one}) IS NOT DISTINCT FROM (ok OR timestamp < ${other})`),
    // Rows at the very border, which random bounds hardly ever meet.
    fc
      .tuple(oneOf('>=', '>', '<', '<=', '='), oneOf('HOUR', 'MINUTE'))
      .map(([operator, part]) => `timestamp ${operator} TIMESTAMP_TRUNC(@from, ${part})`),
  );
  return {
    time: timeCondition,
    where: fc
      .array(fc.oneof({ arbitrary: timeCondition, weight: 3 }, otherCondition), { maxLength: 3 })
      .map((parts) => (parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`)),
  };
}
