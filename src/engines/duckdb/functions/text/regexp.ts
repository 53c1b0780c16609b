import type { Value } from '../../../../sql/values/value.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { computed, type Expression, totalWeight } from '../../dialect/expression.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { raise } from '../../macros/macro.ts';
import { regexpExtract, regexpExtractAll, regexpFirstPosition, regexpReplace } from '../../macros/text.ts';
import {
  regexpExtractAll as extractAllSlowly,
  regexpExtract as extractSlowly,
  regexpPosition,
} from '../../udf/regexp/regexp-functions.ts';
import { type FunctionEntries, guarded, template, totalWith } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { orBytes } from './bytes-as-text.ts';
import { type Capture, captureOf } from './capture-group.ts';
import { plainSearches } from './plain-regexp.ts';
import { searchSql } from './plain-search.ts';

/*
 * Both sides use RE2, so patterns have the same meaning. What DuckDB's functions don't report (whether a group took
 * part in a match, where a match is) is determined by the gateway's own engine, which is much slower.
 */

/** The analysis of a call's pattern, if it is constant and valid. */
function captureOfCall(call: FunctionCall): Capture | undefined {
  const constant = call.arg(1).constant?.value;
  return typeof constant === 'string' ? captureOf(constant) : undefined;
}

/**
 * The pattern for `regexp_matches`. DuckDB's optimizer turns a sequence of texts, dots and anchors into a LIKE, with
 * errors (measured, DuckDB 1.5.5): an anchor is dropped anywhere, so that `a^` matches texts that end in `a`; an empty
 * part becomes an anchor, so that `a(?:)` matches only `a`; and a dot for any character becomes a LIKE whose time can
 * be a power of the text's length. It doesn't do so with a group in the pattern, and RE2 takes no longer with it.
 */
function patternToFind(call: FunctionCall): string {
  const { sql, constant } = call.arg(1);
  return captureOfCall(call)?.groups === 0 ? stringLiteral(`(${constant?.value})`) : sql;
}

/** With more texts to search for anywhere, RE2 can be faster, as it searches for all at once (measured). */
const maxContained = 3;

/** Uses plain searches where possible: RE2 takes 2 to 20 times as long in most cases (measured). */
function contains(call: FunctionCall): string {
  const [value, constant] = [call.arg(0), call.arg(1).constant?.value];
  const searches = typeof constant === 'string' ? (plainSearches(constant) ?? []) : [];
  const isFew = searches.filter(({ kind }) => kind === 'contains').length <= maxContained;
  // A computed value would be computed for each search.
  const isPlain = searches.length === 1 || (searches.length > 1 && isFew && value.weight <= 1);
  const conditions = searches.map((search) => searchSql(value.sql, search));
  if (isPlain) return conditions.length === 1 ? conditions.join() : `(${conditions.join(' OR ')})`;
  return `regexp_matches(${value.sql}, ${patternToFind(call)})`;
}

const integer = (call: FunctionCall, index: number, absent: string) => call.optional(index)?.sql ?? absent;

function extractOne(call: FunctionCall): string | Expression {
  const capture = captureOfCall(call);
  const [value, pattern] = [call.sql(0), call.sql(1)];
  if (call.count === 2 && capture !== undefined && capture.groups <= 1) {
    const group = String(capture.groups);
    // DuckDB returns the empty text without a match.
    if (capture.isNeverEmpty)
      return {
        ...computed(`regexp_extract(${value}, ${pattern}, ${group})`, call.type, 1 + totalWeight(call.all())),
        finish: (sql) => `nullif(${sql}, '')`,
      };
    if (!capture.isOptional) return regexpExtract.call([value, patternToFind(call), group]);
  }
  const [position, occurrence] = [integer(call, 2, '1::BIGINT'), integer(call, 3, '1::BIGINT')];
  return extractSlowly.call([value, pattern, position, occurrence], call.safe);
}

function extractAll(call: FunctionCall): string {
  const capture = captureOfCall(call);
  const [value, pattern] = [call.sql(0), call.sql(1)];
  // DuckDB adds an empty match after the last one, and returns NULL for a group that is missing from a match.
  if (capture !== undefined && capture.groups <= 1 && !capture.canMatchNothing && !capture.isOptional)
    return regexpExtractAll.call([value, pattern, String(capture.groups)]);
  return extractAllSlowly.call([value, pattern], call.safe);
}

function position(call: FunctionCall): string {
  const capture = captureOfCall(call);
  if (call.count === 2 && capture?.groups === 0 && !capture.canMatchNothing) {
    const before = stringLiteral(`\\A((?s:.*?))(?:${call.constant(1, 'regular expression')})`);
    return regexpFirstPosition.call([call.sql(0), patternToFind(call), before]);
  }
  const [from, occurrence] = [integer(call, 2, '1::BIGINT'), integer(call, 3, '1::BIGINT')];
  const after = integer(call, 4, '0::BIGINT');
  return regexpPosition.call([call.sql(0), call.sql(1), from, occurrence, after], call.safe);
}

/** With SAFE. the pattern must be constant. A call with an invalid one is NULL. */
function nullIfInvalid(call: FunctionCall, sql: string): string {
  if (!call.safe) return sql;
  call.constant(1, 'regular expression');
  return captureOfCall(call) === undefined ? `CAST(NULL AS ${duckType(call.type)})` : sql;
}

/** DuckDB leaves the text unchanged if the replacement refers to a missing group, which is an error in GoogleSQL. */
function replaceAll(call: FunctionCall): string {
  const [text, replacement] = [call.sql(0), call.arg(2)];
  if (call.constant(1, 'regular expression') === null) return 'CAST(NULL AS VARCHAR)';
  const groups = captureOfCall(call)?.groups ?? 0;
  const constant = replacement.constant?.value;
  const removes = constant === '';
  const replaced = nullIfInvalid(
    call,
    removes
      ? template("regexp_replace($1, $2, $3, 'g')")(call)
      : regexpReplace.call([text, call.sql(1), replacement.sql], call.safe),
  );
  if (constant === null) return replaced;
  const allowed = `(?s)(?:[^\\\\]|\\\\[0-${Math.min(groups, 9)}\\\\])*`;
  if (typeof constant === 'string' && new RegExp(`^${allowed.slice('(?s)'.length)}$`, 's').test(constant))
    return replaced;
  const failure = call.safe
    ? 'NULL'
    : raise(`'Invalid REGEXP_REPLACE pattern: ' || ${replacement.sql}`, 'VARCHAR');
  return `CASE WHEN ${text} IS NOT NULL AND NOT regexp_full_match(${replacement.sql}, '${allowed}') THEN ${failure} ELSE ${replaced} END`;
}

function isPattern([pattern]: readonly Value[]): boolean {
  return typeof pattern === 'string' && captureOf(pattern) !== undefined;
}

/** Whether a pattern has a group at most, and no position is given, which could be wrong. */
function isOneGroup([pattern, ...others]: readonly Value[]): boolean {
  const groups = typeof pattern === 'string' ? captureOf(pattern)?.groups : undefined;
  return groups !== undefined && groups <= 1 && others.length === 0;
}

export const regexpFunctions: FunctionEntries = {
  regexp_contains: orBytes(totalWith(isPattern, (call) => nullIfInvalid(call, contains(call)))),
  regexp_extract: orBytes(totalWith(isOneGroup, extractOne)),
  regexp_extract_all: orBytes(totalWith(isOneGroup, extractAll)),
  regexp_instr: orBytes(guarded(position)),
  regexp_replace: orBytes(guarded(replaceAll)),
};
