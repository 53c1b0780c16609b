import { textForms } from '../../text/parse-text.ts';
import { literal, stringLiteral } from '../../text/sql-text.ts';
import { formatType, type ScalarTypeName, type SqlType } from '../../values/type.ts';
import { microsOfUnixTime } from '../parse/parse-time.ts';
import { shortened } from '../syntax/lql-error.ts';
import { type FieldTest, levels, type Text } from '../syntax/syntax.ts';
import type { QueryScope } from './query-scope.ts';
import type { Refuse } from './resolve-path.ts';

/** Types that LQL can write values of, and whose order matches what users mean by `>`. */
const orderedTypes: ReadonlySet<SqlType['kind']> = new Set<ScalarTypeName>([
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'STRING',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
]);

const isWritable = (kind: SqlType['kind']) => kind === 'BOOL' || orderedTypes.has(kind);

/** A condition on a field, and whether it tests for NULL: only the negation of such a condition excludes NULL. */
export interface Condition {
  readonly sql: string;
  readonly isNullTest: boolean;
}

/**
 * The condition of a test on a field.
 *
 * @param column the field as a SQL expression
 * @param at the position of the test's path
 */
export function fieldCondition(
  column: string,
  type: SqlType,
  test: FieldTest,
  at: number,
  scope: Pick<QueryScope, 'regexpMistake' | 'refuse'>,
): Condition {
  const { refuse } = scope;
  if (test.kind === 'null') return { sql: `${column} IS NULL`, isNullTest: true };
  const condition = (sql: string): Condition => ({ sql, isNullTest: false });
  if (test.kind === 'includes' || test.kind === 'includes regexp') {
    if (type.kind !== 'ARRAY')
      return refuse(at, `this is ${formatType(type)}, not a list: use :@> with lists only`);
    if (test.kind === 'includes') {
      return condition(`${textLiteral(test.value, type.element, refuse)} IN UNNEST(${column})`);
    }
    requireText(type.element, at, refuse);
    const pattern = patternLiteral(test.pattern, scope);
    return condition(
      `EXISTS (SELECT 1 FROM UNNEST(${column}) AS item WHERE REGEXP_CONTAINS(item, ${pattern}))`,
    );
  }
  if (type.kind === 'ARRAY') refuse(at, 'this is a list: use :@> or :@>~');
  switch (test.kind) {
    case 'regexp':
      requireText(type, at, refuse);
      return condition(`REGEXP_CONTAINS(${column}, ${patternLiteral(test.pattern, scope)})`);
    case 'between':
      requireOrder(type, at, refuse);
      return condition(
        `${column} BETWEEN ${textLiteral(test.from, type, refuse)} AND ${textLiteral(test.to, type, refuse)}`,
      );
    case 'compare':
      if (test.comparison !== '=') requireOrder(type, at, refuse);
      return condition(`${column} ${test.comparison} ${textLiteral(test.value, type, refuse)}`);
  }
}

/** The condition that a level is in the given range. */
export function levelCondition(column: string, from: string, to: string): Condition {
  const names: readonly string[] = levels;
  const meant = names.slice(names.indexOf(from), names.indexOf(to) + 1);
  return { sql: `${column} IN (${meant.map(stringLiteral).join(', ')})`, isNullTest: false };
}

/** The condition or its negation. NULL satisfies the negation, unless the condition tests for NULL. */
export function signed(column: string, { sql, isNullTest }: Condition, negated: boolean): string {
  if (!negated) return sql;
  return isNullTest ? `NOT (${sql})` : `(${column} IS NULL OR NOT (${sql}))`;
}

function requireText(type: SqlType, at: number, refuse: Refuse): void {
  if (type.kind !== 'STRING') refuse(at, `a regular expression needs text, and this is ${formatType(type)}`);
}

function requireOrder(type: SqlType, at: number, refuse: Refuse): void {
  if (!orderedTypes.has(type.kind)) refuse(at, `values of type ${formatType(type)} have no order`);
}

/**
 * The text as a GoogleSQL literal of the type, quoted or not; digits are a TIMESTAMP if they are a Unix time. Refused if it is
 * not a value of the type.
 */
function textLiteral({ text, at }: Text, type: SqlType, refuse: Refuse): string {
  const kind = type.kind;
  const form = isWritable(kind) ? textForms[kind as ScalarTypeName] : undefined;
  if (form === undefined)
    return refuse(at, `values of type ${formatType(type)} can't be compared with a text`);
  const value = (kind === 'TIMESTAMP' ? microsOfUnixTime(text) : undefined) ?? form.parse(text);
  if (value === undefined) {
    refuse(at, `expected ${form.expected}, got ${JSON.stringify(shortened(text))}`);
  }
  return literal(kind as ScalarTypeName, value);
}

/** A regular expression as a GoogleSQL literal. An invalid one is refused before any row is read. */
export function patternLiteral(
  { text, at }: Text,
  { regexpMistake, refuse }: Pick<QueryScope, 'regexpMistake' | 'refuse'>,
): string {
  const mistake = regexpMistake(text);
  if (mistake !== undefined) refuse(at, mistake);
  return stringLiteral(text);
}
