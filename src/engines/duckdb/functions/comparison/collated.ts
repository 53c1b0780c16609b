import { computed, type Expression } from '../../dialect/expression.ts';
import { endsCollated, firstCollated, isPrintable, startsCollated } from '../../macros/collated-search.ts';
import { collationKey, collationKeys } from '../../macros/collation.ts';
import {
  collatedLike,
  collatedPosition,
  collatedReplace,
  collatedSplit,
} from '../../udf/text/collated-search.ts';
import { type FunctionEntries, type FunctionEntry, guarded, lazy, macro, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { searchOf } from '../text/like.ts';
import { maxPlainLength, searchSql } from '../text/plain-search.ts';
import { comparisonFunctions } from './comparison.ts';
import { extremeByKeys } from './extreme-by-keys.ts';
import { connected, logicFunctions } from './logic.ts';

/** A text, or each text in an array, as its key in the collation. */
function keyOf({ sql, type, constant, weight }: Expression): Expression {
  const key = type.kind === 'ARRAY' ? collationKeys.call([sql]) : collationKey.call([sql]);
  return { ...computed(key, type, weight + 2), constant: constant?.isNull ? constant : undefined };
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

/** LIKE of one pattern. Most are constant, and a search for one text. */
function like(call: FunctionCall, text: string, { sql, constant: known }: Expression): string {
  const constant = known?.value;
  const any = collatedLike.call([text, sql], call.safe);
  const isPlain = typeof constant === 'string' && /^[ -~]*$/.test(constant) && !constant.endsWith('\\');
  const search = isPlain && constant.length <= maxPlainLength ? searchOf(constant) : undefined;
  if (search === undefined) return any;
  const found = searchSql(`lower(${text})`, { ...search, text: search.text.toLowerCase() });
  return `CASE WHEN ${isPrintable(text)} THEN ${found} ELSE ${any} END`;
}

/** LIKE ANY or LIKE ALL of a list of patterns. */
const ofPatterns = (operator: 'AND' | 'OR', not: '' | 'NOT ') =>
  guarded((call) => {
    const [, ...patterns] = call.all();
    return connected(
      operator,
      patterns.map((pattern) => `(${not}${like(call, call.sql(0), pattern)})`),
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
  greatest: total((call) => extremeByKeys(call, 'max', true)),
  least: total((call) => extremeByKeys(call, 'min', true)),
  starts_with: macro(startsCollated),
  ends_with: macro(endsCollated),
  strpos: macro(firstCollated),
  instr: guarded((call) => {
    if (call.count === 2) return firstCollated.call([call.sql(0), call.sql(1)]);
    const [position, occurrence] = [2, 3].map((i) => call.optional(i)?.sql ?? '1::BIGINT');
    return collatedPosition.call([call.sql(0), call.sql(1), `${position}`, `${occurrence}`], call.safe);
  }),
  replace: macro(collatedReplace),
  split: guarded((call) => collatedSplit.call([call.sql(0), call.optional(1)?.sql ?? "','"], call.safe)),
  $like: guarded((call) => like(call, call.sql(0), call.arg(1))),
  $like_any: ofPatterns('OR', ''),
  $not_like_any: ofPatterns('OR', 'NOT '),
  $like_all: ofPatterns('AND', ''),
  $not_like_all: ofPatterns('AND', 'NOT '),
};
