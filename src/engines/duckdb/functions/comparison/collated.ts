import { computed, type Expression } from '../../expression.ts';
import { collationKey, collationKeys } from '../../macros/collation.ts';
import {
  collatedEndsWith,
  collatedLike,
  collatedPosition,
  collatedReplace,
  collatedSplit,
  collatedStartsWith,
} from '../../udf/collated-search.ts';
import { type FunctionEntries, type FunctionEntry, guarded, lazy, macro, total } from '../entry.ts';
import { comparisonFunctions } from './comparison.ts';
import { connected, logicFunctions } from './logic.ts';

/** A text, or each text in an array, as its key in the collation. */
function keyOf({ sql, type, constant, weight }: Expression): Expression {
  const key = type.kind === 'ARRAY' ? collationKeys.call([sql]) : collationKey.call([sql]);
  return { ...computed(key, type, weight + 2), constant: constant === null ? null : undefined };
}

/** A function of texts that needs only their keys. */
function ofKeys(entry: FunctionEntry | undefined): FunctionEntry {
  if (entry === undefined) throw new TypeError('No such function');
  return { ...entry, emit: (call) => entry.emit(call.with(call.all().map(keyOf), call.type)) };
}

const comparisons = [
  '$equal',
  '$not_equal',
  '$less',
  '$less_or_equal',
  '$greater',
  '$greater_or_equal',
  '$between',
  '$in',
  '$in_array',
  '$is_distinct_from',
  '$is_not_distinct_from',
];

/** The first of the greatest or least values. NULL if one is NULL. */
const extreme = (operator: '>=' | '<=') =>
  total((call) => {
    const values = call.all();
    const keys = values.map((value) => keyOf(value).sql);
    const isNull = values.map(({ sql }) => `${sql} IS NULL`).join(' OR ');
    const found = values.map(({ sql }, i) => {
      const isExtreme = keys.slice(i + 1).map((key) => `${keys[i]} ${operator} ${key}`);
      return `WHEN ${isExtreme.length === 0 ? 'true' : isExtreme.join(' AND ')} THEN ${sql}`;
    });
    return `CASE WHEN ${isNull} THEN NULL ${found.join(' ')} END`;
  });

/** LIKE ANY or LIKE ALL of a list of patterns. */
const ofPatterns = (operator: 'AND' | 'OR', not: '' | 'NOT ') =>
  guarded((call) => {
    const [value, ...patterns] = call.all().map(({ sql }) => sql);
    return connected(
      operator,
      patterns.map((pattern) => `(${not}${collatedLike.call([value ?? 'NULL', pattern], call.safe)})`),
    );
  });

/** Functions of texts that are compared without regard to letter case. */
export const collatedFunctions: FunctionEntries = {
  ...Object.fromEntries(comparisons.map((name) => [name, ofKeys(comparisonFunctions[name])])),
  $case_no_value: logicFunctions.$case_no_value as FunctionEntry,
  $case_with_value: lazy((call) => {
    const [value, ...rest] = call.all().map(({ sql }) => sql);
    const branches = rest.map((sql, i) => {
      if (i === rest.length - 1 && i % 2 === 0) return `ELSE ${sql}`;
      return i % 2 === 0 ? `WHEN ${collationKey.call([sql])}` : `THEN ${sql}`;
    });
    return `CASE ${collationKey.call([value ?? 'NULL'])} ${branches.join(' ')} END`;
  }),
  nullif: total((call) => {
    const { sql } = call.arg(0);
    return `CASE WHEN ${collationKey.call([sql])} = ${collationKey.call([call.sql(1)])} THEN NULL ELSE ${sql} END`;
  }),
  greatest: extreme('>='),
  least: extreme('<='),
  starts_with: macro(collatedStartsWith),
  ends_with: macro(collatedEndsWith),
  strpos: guarded((call) =>
    collatedPosition.call([call.sql(0), call.sql(1), '1::BIGINT', '1::BIGINT'], call.safe),
  ),
  instr: guarded((call) => {
    const [position, occurrence] = [2, 3].map((i) => call.optional(i)?.sql ?? '1::BIGINT');
    return collatedPosition.call([call.sql(0), call.sql(1), `${position}`, `${occurrence}`], call.safe);
  }),
  replace: macro(collatedReplace),
  split: guarded((call) => collatedSplit.call([call.sql(0), call.optional(1)?.sql ?? "','"], call.safe)),
  $like: macro(collatedLike),
  $like_any: ofPatterns('OR', ''),
  $not_like_any: ofPatterns('OR', 'NOT '),
  $like_all: ofPatterns('AND', ''),
  $not_like_all: ofPatterns('AND', 'NOT '),
};
