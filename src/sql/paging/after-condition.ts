import type { PageKey } from '../plan/paging.ts';
import type { Value } from '../values/value.ts';

/** What a value is in an order: NULL and NaN compare with nothing, and have their own places in it. */
export type PlaceKind = 'null' | 'nan' | 'value';

/** The place of a row in an order: for each key, what kind of value it has. Pages after places of the same kinds have the same text. */
export type PlaceKinds = readonly PlaceKind[];

/** The kinds of a row's values. */
export function placeKinds(values: readonly Value[]): PlaceKinds {
  return values.map((value) => (value === null ? 'null' : Number.isNaN(value) ? 'nan' : 'value'));
}

/** A key of an order within a condition. */
interface ConditionKey extends Pick<PageKey, 'type' | 'isDescending' | 'hasNullsFirst' | 'isFilled'> {
  /** The column. */
  readonly sql: string;
  /** The parameter with the value of the place. */
  readonly parameter: string;
  readonly kind: PlaceKind;
}

/**
 * The condition of the rows that come after a place in an order, as `ORDER BY` defines it: NULLs first or last, then NaN as the
 * smallest number. What it says of the first key alone comes first, so that engines skip what they know by that key.
 */
export function afterCondition(keys: readonly ConditionKey[]): string {
  const [first, ...others] = keys;
  if (first === undefined) return 'FALSE';
  const after = afterAll(keys);
  return others.length === 0 ? after : `(${anyOf(notBefore(first))}) AND (${after})`;
}

function afterAll([first, ...others]: readonly ConditionKey[]): string {
  if (first === undefined) return 'FALSE';
  const later = strictlyAfter(first);
  const rest = others.length === 0 ? [] : [`${equal(first)} AND (${afterAll(others)})`];
  return anyOf([...later, ...rest]);
}

/** The alternatives of which one holds for values after that of the place. */
function strictlyAfter(key: ConditionKey): string[] {
  const { sql, kind, isDescending, hasNullsFirst, isFilled, parameter, type } = key;
  if (kind === 'null') return hasNullsFirst ? [`${sql} IS NOT NULL`] : [];
  const nulls = hasNullsFirst || isFilled ? [] : [`${sql} IS NULL`];
  if (kind === 'nan') return [...(isDescending ? [] : [`NOT IS_NAN(${sql})`]), ...nulls];
  const isFloat = type === 'FLOAT64';
  const nans = isFloat && isDescending ? [`IS_NAN(${sql})`] : [];
  return [`${sql} ${isDescending ? '<' : '>'} @${parameter}`, ...nans, ...nulls];
}

/** The alternatives of which one holds for values that are not before that of the place. */
function notBefore(key: ConditionKey): string[] {
  const { sql, kind, isDescending, parameter } = key;
  const [later, ...others] = strictlyAfter(key);
  if (kind === 'value') return [`${sql} ${isDescending ? '<=' : '>='} @${parameter}`, ...others];
  return [...(later === undefined ? [] : [later]), ...others, equal(key)];
}

function equal({ sql, kind, parameter }: ConditionKey): string {
  if (kind === 'null') return `${sql} IS NULL`;
  return kind === 'nan' ? `IS_NAN(${sql})` : `${sql} = @${parameter}`;
}

function anyOf(alternatives: readonly string[]): string {
  return alternatives.length === 0
    ? 'FALSE'
    : alternatives.map((each) => (/ (?:AND|OR) /.test(each) ? `(${each})` : each)).join(' OR ');
}
