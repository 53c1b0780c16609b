import type { SqlType } from '../../../../sql/values/type.ts';
import { fixed } from '../../dialect/constant.ts';
import { computed, constantExpression, type Expression } from '../../dialect/expression.ts';
import { withNamedValues } from '../../macros/named-values.ts';
import { type FunctionEntries, guarded } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { orBytes } from '../text/bytes-as-text.ts';
import { likeSql } from '../text/like.ts';
import { connected } from './logic.ts';

const text: SqlType = { kind: 'STRING' };

interface Quantifier {
  readonly operator: 'OR' | 'AND';
  readonly negated: boolean;
}

/** Whether one pattern matches, or doesn't match. */
function comparison(call: FunctionCall, value: Expression, pattern: Expression, negated: boolean): string {
  const matches = likeSql(call.with([value, pattern], call.type));
  return negated ? `(NOT ${matches})` : matches;
}

function ofEach(call: FunctionCall, patterns: readonly Expression[], quantifier: Quantifier): string {
  const value = call.arg(0);
  return connected(
    quantifier.operator,
    patterns.map((pattern) => comparison(call, value, pattern, quantifier.negated)),
  );
}

const list = (quantifier: Quantifier) =>
  orBytes(guarded((call) => ofEach(call, call.all().slice(1), quantifier)));

/** @param empty the result without patterns, and for NULL in place of an array */
const array = (quantifier: Quantifier, empty: boolean) =>
  orBytes(
    guarded((call) => {
      const [, { constant: known, sql }] = [call.arg(0), call.arg(1)];
      const constant = known?.value;
      if (constant === null || (Array.isArray(constant) && constant.length === 0)) return String(empty);
      if (Array.isArray(constant)) {
        const patterns = constant.map((pattern) => constantExpression(text, fixed(pattern)));
        return ofEach(call, patterns, quantifier);
      }
      return ofArray(call, sql, quantifier, empty);
    }),
  );

/** An aggregate ignores NULL, so it finds the one comparison that decides. Without it, a NULL makes the whole NULL. */
function ofArray(
  call: FunctionCall,
  patterns: string,
  { operator, negated }: Quantifier,
  empty: boolean,
): string {
  const [aggregate, decisive] = operator === 'OR' ? ['bool_or', true] : ['bool_and', false];
  return withNamedValues('likes', { value: call.sql(0), patterns }, (named) => {
    const one = (sql: string): Expression => computed(sql, text, 1);
    const compared = comparison(call, one(named.value), one('pattern'), negated);
    const all = `list_transform(${named.patterns}, lambda pattern: ${compared})`;
    return `CASE WHEN coalesce(len(${named.patterns}), 0) = 0 THEN ${empty}
      WHEN list_aggregate(${all}, '${aggregate}') = ${decisive} THEN ${decisive}
      WHEN list_count(${all}) = len(${named.patterns}) THEN ${!decisive} END`;
  });
}

const [any, all] = [{ operator: 'OR' }, { operator: 'AND' }] as const;
const plain = { negated: false };
const not = { negated: true };

/**
 * LIKE ANY, LIKE ALL and their negations, of a list of patterns, an array, or the rows of a subquery. Without patterns,
 * LIKE ALL is false for an array and true for a subquery, as BigQuery documents.
 */
export const quantifiedLikes: FunctionEntries = {
  $like_any: list({ ...any, ...plain }),
  $like_all: list({ ...all, ...plain }),
  $not_like_any: list({ ...any, ...not }),
  $not_like_all: list({ ...all, ...not }),
  $like_any_array: array({ ...any, ...plain }, false),
  $like_all_array: array({ ...all, ...plain }, false),
  $not_like_any_array: array({ ...any, ...not }, true),
  $not_like_all_array: array({ ...all, ...not }, true),
  $like_any_rows: array({ ...any, ...plain }, false),
  $like_all_rows: array({ ...all, ...plain }, true),
  $not_like_any_rows: array({ ...any, ...not }, true),
  $not_like_all_rows: array({ ...all, ...not }, false),
};
